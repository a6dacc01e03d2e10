#pragma once

#include "collection/evidence/collection_info.hpp"
#include "common/candidate_source.hpp"

#include <string>
#include <string_view>

/// Sentences about a collection that are in several of its files.
namespace touchstone::collection::evidence {

/// What kind of collection it is, and of which wiki.
std::string what_it_is(const CollectionInfo& info);

/// One or two sentences on who gave the labels and how far they can be trusted.
std::string label_statement(const CollectionInfo& info);

/// How labels come about, whoever judges: one paragraph.
std::string label_method(const CollectionInfo& info);

/// What a candidate of this source is, to follow "the passage".
std::string_view source_meaning(CandidateSource source) noexcept;

/// Which passages were collected for a member, as the object of a sentence.
std::string candidate_passages(const CollectionInfo& info);

}  // namespace touchstone::collection::evidence
