#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

/// Files of the annotation tool FiRA: judgments of snippets with the spans that people selected, and texts.
/// Source: the files of github.com/sebastian-hofstaetter/fira-trec-19-dataset and the export of the tool, and
/// S. Hofstaetter et al., "Fine-Grained Relevance Annotations for Multi-Task Document Ranking and Question Answering"
/// (FiRA), CIKM 2020, sections 2.2 to 2.4.
namespace touchstone::formats::fira {

/// Characters of a text, both ends included. The tool counts UTF-16 code units from 0.
struct CharacterRange {
  std::uint32_t first = 0, last = 0;
};

/// Most ranges of a judgment. A snippet has up to 130 words.
inline constexpr std::size_t kMaxRanges = 10'000;

/// A line of a file of judgments.
struct Judgment {
  std::string topic, docid;
  int grade = 0;                       ///< the number that the level begins with: 0_NOT_RELEVANT is 0
  std::vector<CharacterRange> ranges;  ///< ascending, without overlap
  std::optional<bool> rotated;         ///< whether the halves of the snippet were shown in reverse order, if known
  std::uint64_t line = 0;              ///< in the file, from 1
  std::string id = {}, user = {};      ///< empty where the file has no such column
  std::uint64_t duration_ms = 0;       ///< that the judge took
  std::uint64_t judged_at_s = 0;       ///< Unix time
};

enum class LinesOf : std::uint8_t {
  kPeople,   ///< as kJudges, and `userId` is needed
  kJudges,   ///< `queryId`, `documentId`, `relevanceCharacterRanges` and `relevanceLevel` are needed
  kSystems,  ///< a system has no level: `queryId`, `documentId` and `relevanceCharacterRanges` suffice
};

/// Reads a TSV file, plain or .gz, whose header names the columns in any order: `queryId`, `documentId`,
/// `relevanceLevel`, `relevanceCharacterRanges`, `userId`, `id`, `durationUsedToJudgeMs`, `judgedAtUnixTS` and, in
/// newer exports, `rotate`; others are skipped. Ranges are written as `0-4;6-9`, and none as an empty column or `<no
/// ranges selected>`. Throws StorageError if the file cannot be read, and FormatError with file, line and remedy for
/// anything else. Thread-safe.
std::vector<Judgment> read_judgments(const std::filesystem::path& file, LinesOf lines);

/// The header of a file of judgments with all columns but `rotate`, as FiRA's data set has it, and a line end.
std::string judgments_header(bool with_rotate);

/// A line below that header, and a line end. Tabs and line ends in an id become blanks.
std::string judgment_line(const Judgment& judgment, bool with_rotate);

/// The level of a grade in files of judgments: 2_GOOD_ANSWER. \pre 0 <= grade <= 3
std::string_view level_name(int grade);

/// Texts by docid, from lines `docid<TAB>text`; a header whose first column is `doc_id` is skipped. Only texts of
/// `wanted` are kept; of a docid that comes twice the first text counts. Throws as read_judgments(). Thread-safe.
std::unordered_map<std::string, std::string> read_texts(const std::filesystem::path& file,
                                                        const std::vector<std::string>& wanted);

}  // namespace touchstone::formats::fira
