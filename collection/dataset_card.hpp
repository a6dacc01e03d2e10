#pragma once

#include "collection/collection_manifest.hpp"

#include <string>
#include <string_view>
#include <vector>

/// The files that describe a collection to people and to machines.
namespace touchstone::formats::internal {

/// README.md: YAML front matter as the Hugging Face hub and MTEB read it, then a card for people.
std::string dataset_card(const CollectionInfo& info, const CollectionNumbers& numbers);

/// croissant.json: JSON-LD of Croissant 1.0. `files` are the data files.
/// Source: docs.mlcommons.org/croissant/docs/croissant-spec-1.0.html.
std::string croissant(const CollectionInfo& info, const CollectionNumbers& numbers,
                      const std::vector<FileEntry>& files);

/// One or two sentences on who gave the labels and how far they go; the same in every file for readers.
std::string label_statement(const CollectionInfo& info);

/// How labels come about, without the judge: one paragraph.
std::string_view label_method();

/// "12.3 %"
std::string percent(double share);

/// "12.30"
std::string two_digits(double value);

/// "1,234,567"
std::string with_commas(std::uint64_t value);

}  // namespace touchstone::formats::internal
