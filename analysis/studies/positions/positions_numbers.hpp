#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

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

}  // namespace touchstone::analysis::studies::positions
