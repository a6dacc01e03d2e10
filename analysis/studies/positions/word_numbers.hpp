#pragma once

#include "formats/fira/judgments.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

/// Which words of snippets people select, and which of them a system finds. All functions are pure and thread-safe.
/// Source: FiRA (CIKM 2020), section 4.2 with figure 8, and section 5 with figure 9.
namespace touchstone::analysis::studies::positions {

/// The document of a snippet, and its position in it from 0.
struct SnippetPlace {
  std::string document;
  std::uint32_t position = 0;
};

/// Cuts a docid `DOCUMENT_POSITION`. Throws FormatError, which names the file and the line, if it has no position.
SnippetPlace place_of(const std::string& docid, const std::string& file, std::uint64_t line);

/// Snippets at one position of the documents of one grade.
struct PositionCounts {
  std::uint64_t snippets = 0;
  std::map<int, std::uint64_t> by_grade;  ///< snippets of each snippet grade
  std::uint64_t of_grade(int grade) const;
};

/// Snippets by the grade of their document and their position in it.
struct PositionNumbers {
  std::map<int, std::map<std::uint32_t, PositionCounts>> by_document_grade;  ///< [grade][position from 0]
  std::vector<int> snippet_grades;                                           ///< that occur, ascending
  std::uint64_t snippets = 0, without_document = 0;  ///< without_document: the qrels do not judge the document
};

/// Counts the snippets of `snippets`, qrels whose docids are `DOCUMENT_POSITION` with positions from 0, by the grade
/// that `documents` gives to their document for the same topic. Throws FormatError with file, line and remedy for a
/// docid without a position and for a pair that comes twice, and as formats::trec::read_qrels().
PositionNumbers count_positions(const std::filesystem::path& snippets, const std::filesystem::path& documents);

using formats::fira::CharacterRange;
using formats::fira::Judgment;
using Texts = std::unordered_map<std::string, std::string>;  ///< by docid

/// The words of a text, which are parted by white space, as ranges of UTF-16 code units.
std::vector<CharacterRange> words_of(std::string_view text);

/// For each word whether a range holds one of its characters. \param ranges  ascending
std::vector<bool> selected_words(const std::vector<CharacterRange>& words, const std::vector<CharacterRange>& ranges);

inline constexpr std::size_t kTenths = 10;

/// Selected words of judgments that were made under one condition.
struct WordGroup {
  std::string name;  ///< "all", or "unchanged" and "rotated" too if the file tells them apart
  std::uint64_t judgments = 0;
  /// Words of the snippets, and selected ones, by the tenth of the snippet in which they are.
  std::array<std::uint64_t, kTenths> words{}, selected{};
  /// Selected words by the tenth in which they were shown: a rotated snippet begins with its second half.
  std::array<std::uint64_t, kTenths> shown{};
  double mean_percent = 0, sd_percent = 0;  ///< of the words of a snippet that a judgment selects; sd NaN for one
  double mean_selected = 0;                 ///< words
  std::uint64_t selected_words() const;
};

struct WordNumbers {
  std::vector<WordGroup> groups;
  std::uint64_t judgments = 0, relevant = 0;  ///< in the file, and of them those with a relevant grade
  std::uint64_t without_ranges = 0;           ///< relevant ones that select nothing; they are in no group
};

/// Counts the words that judgments with at least `min_grade` select. Throws FormatError with file, line and remedy for
/// a range behind the end of its text. \pre `texts` has all docids \param file  for messages
WordNumbers count_words_by_place(const std::vector<Judgment>& judgments, const Texts& texts, int min_grade,
                                 const std::string& file);

/// Words that a system selects and words that are relevant.
struct SpanCounts {
  std::uint64_t hit = 0, wrong = 0, missed = 0;
  double precision() const;  ///< NaN if the system selects nothing
  double recall() const;     ///< NaN if nothing is relevant
};

struct SpanNumbers {
  std::map<std::uint32_t, SpanCounts> by_position;  ///< of the snippet in its document, from 0
  SpanCounts all;
  std::uint64_t snippets = 0, relevant = 0;  ///< pairs of topic and snippet that people judged; by their vote
  std::uint64_t unjudged = 0;                ///< pairs of the system that nobody judged; they do not count
};

/// Compares a system's spans with those of people. The grade of a pair is the one that most judges gave, the highest of
/// those that tie (section 2.4). A word of a pair with at least `min_grade` is relevant if at least half of the judges
/// with such a grade who selected spans selected it; the paper does not say how it joins the spans of several judges.
/// Throws as count_words_by_place(), and for a docid without a position.
SpanNumbers compare_spans(const std::vector<Judgment>& judges, const std::string& judges_file,
                          const std::vector<Judgment>& system, const std::string& system_file, const Texts& texts,
                          int min_grade);

}  // namespace touchstone::analysis::studies::positions
