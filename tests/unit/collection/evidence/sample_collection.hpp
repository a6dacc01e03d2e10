#pragma once

#include "collection/evidence/collection_info.hpp"
#include "collection/evidence/collection_numbers.hpp"
#include "collection/evidence/records.hpp"
#include "collection/release/baseline_run.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/text_file.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// A small collection with all that may happen in one, for the tests of this folder.
namespace touchstone::collection::evidence::testing {

using touchstone::testing::TemporaryFolder;
using touchstone::testing::write_text;

CollectionInfo sample_info();
TopicRecord sample_topic(const std::string& id);
PassageRecord sample_passage(std::uint64_t page_id, const std::string& text);
JudgmentRecord sample_judgment(const std::string& topic, std::uint64_t member, const std::string& docid);

/// Writes a run of one line and gives it the score .5.
release::BaselineSystem sample_baseline();
/// A sample whose labels have a history.
CollectionInfo sample_info_with_history();
/// Three topics (the last without judgments), four members, seven passages, a judgment without a grade, two discarded.
CollectionNumbers write_sample(const std::filesystem::path& directory, const CollectionInfo& info = sample_info());

/// The text of a plain or gzip file.
std::string read_text(const std::filesystem::path& path);
std::vector<std::string> read_lines(const std::filesystem::path& path);
/// Writes over a plain or gzip file.
void write_lines(const std::filesystem::path& path, const std::vector<std::string>& lines);

/// Makes manifest.json, croissant.json and sha256sums.txt fit the other files again.
void repair_digests(const std::filesystem::path& directory);

}  // namespace touchstone::collection::evidence::testing
