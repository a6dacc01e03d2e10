#pragma once

#include "storage/records.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace touchstone::pipeline::passages {

/// Hash of a sentence without the blanks around it.
std::uint64_t sentence_hash(std::string_view sentence);

/// Sentences that recur on a large share of the pages, by their hash.
using Boilerplate = std::unordered_set<std::uint64_t>;

/// Reads the file of the stage boilerplate. Throws StorageError, and FormatError at the first line that the stage did
/// not write.
Boilerplate read_boilerplate(const std::filesystem::path& file);

/// Takes the sentences that are boilerplate out of a paragraph. Links in them go, those behind them move up.
/// \param asked  called with the hash of each sentence that is looked up; may be empty
/// \param taken  called with each of those that are boilerplate, without blanks around it
void strip_boilerplate(const Boilerplate& boilerplate, storage::ParagraphRecord& paragraph,
                       const std::function<void(std::uint64_t hash)>& asked,
                       const std::function<void(std::string_view sentence)>& taken);

}  // namespace touchstone::pipeline::passages
