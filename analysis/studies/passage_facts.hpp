#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

/// What studies ask about passages besides grades: how long and how popular they are.
namespace touchstone::analysis::studies {

/// A number for each of some docids.
struct PassageNumbers {
  std::unordered_map<std::string, std::uint64_t> numbers;  ///< of the docids that were asked for and are in the file
  std::vector<std::string> missing;                        ///< the others, in the order in which they were asked for
};

/// The lengths of passages in words, as text::count_words() counts them. Reads JSON lines, plain or .gz, each
/// with the docid (the first of `_id`, `doc_id`, `docid`, `docno`, `pid`, `id` that there is, as text or number) and
/// the text (`text` or `contents`). A directory represents the corpus.jsonl.gz or corpus.jsonl in it. If a docid comes
/// twice, its first text counts. Throws StorageError and FormatError with file, line and remedy.
PassageNumbers read_word_counts(const std::filesystem::path& corpus, const std::vector<std::string>& docids);

/// How popular passages are: lines `docid<TAB>number`, such as the number of pages that link to the page of the
/// passage. Throws as read_word_counts().
PassageNumbers read_popularity(const std::filesystem::path& file, const std::vector<std::string>& docids);

}  // namespace touchstone::analysis::studies
