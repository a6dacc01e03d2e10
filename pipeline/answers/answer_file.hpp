#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Answers in text to the topics of a collection.
namespace touchstone::pipeline::answers {

/// A passage that an answer cites.
struct Citation {
  std::string docid;
  /// The part of the answer that the passage supports, in code points; nothing: all of it.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> range;
};

struct Answer {
  std::string topic, text;  ///< the text is in Unicode's form C
  std::vector<Citation> citations;
  std::uint64_t line = 0;  ///< of the file
};

struct AnswerFile {
  std::vector<Answer> answers;  ///< by topic, each topic once
  std::uint64_t skipped = 0;    ///< bad lines
  std::string first_skipped;    ///< what is wrong with the first of them
};

/// Bytes of the longest line.
inline constexpr std::size_t kMostAnswerBytes = std::size_t{16} << 20;

/// Citations of one answer.
inline constexpr std::size_t kMostCitations = 10'000;

/// Reads JSON lines `{"topic", "answer", "citations"}`, plain or .gz. A citation is a docid, or `{"docid", "begin",
/// "end"}` with offsets into the answer. Blank lines are skipped, and other fields have no meaning.
/// \param lenient  skip and count bad lines; of two answers to a topic the first counts
/// Throws StorageError if the file cannot be read; FormatError with file, line and remedy for a bad line, for a line
/// of more than kMostAnswerBytes, and for a file without an answer.
AnswerFile read_answers(const std::filesystem::path& file, bool lenient);

}  // namespace touchstone::pipeline::answers
