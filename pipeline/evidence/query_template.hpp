#pragma once

#include "pipeline/corpus/results_before.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/evidence/phrase_options.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::evidence {

/// Source of the words that a person wrote into a review.
inline constexpr std::string_view kReviewSource = "review";

/// The topics as the program words them without a model, in the order of `groups`:
///
/// - A list page asks for what its title lists. In English that is a phrase, "former lighthouses of Ostrand", narrowed
///   by headings where grammar is certain. In other languages it is the title without the words for "list", or as it is
///   where these words govern its case. One noun alone is the title as it is, or the noun with what the wiki is about
///   (phrase.subject). Only the language's own words for "list" count, none of groups.list_prefixes;
///   in a language that is not known, those that begin the titles of the lists.
/// - Everything else is the words of title and headings, each once: "enchanted crossbow bolts ranged".
/// - What has no words that mean something to a person is unworded, with the reason. So are keywords that are all
///   common in the wiki, titles that do not say what is listed, and names of members.
///
/// Decisions of a review (phrase.review) come before all of these. No two worded texts are equal.
/// \param files  read and written only if the words of the wiki are asked for
std::vector<TopicQuery> template_queries(const std::vector<const Group*>& groups, const storage::Store& store,
                                         const corpus::TitleIndex& titles, const PhraseOptions& options,
                                         const corpus::ResultPlaces& files = {});

/// Whether a topic is unworded because its words mean too little without what the wiki is about (phrase.subject).
bool lacks_subject(const TopicQuery& query);

/// Why a text cannot be the query of a topic: its language, its length, its signs. Empty if it can. For words that a
/// model gave.
std::string why_no_query(std::string_view query, std::string_view language);

/// Where a review of queries (pipeline/review) has the topic, beside its page: the headings, then the column.
std::vector<std::string> review_path(const Group& group);

}  // namespace touchstone::pipeline::evidence
