#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

/// Files of documents or passages with their texts, whoever wrote them.
namespace touchstone::formats::documents {

struct Document {
  std::string id;
  std::string title;  ///< empty if the file has none
  std::string text;   ///< well-formed UTF-8; bytes of a TSV file that are not became U+FFFD
  std::uint64_t line = 0;
};

/// Most bytes of a line that for_each_document() accepts.
inline constexpr std::size_t kMaxDocumentLineBytes = std::size_t{1} << 28;

/// The file that holds the documents: `source` itself, or the corpus of a directory that is a collection or a BEIR data
/// set: corpus.jsonl.gz or corpus.jsonl in it. Throws StorageError if there is none.
std::filesystem::path file_of_documents(const std::filesystem::path& source);

/// Calls `use` for each document of a file, plain or .gz, in its order: lines `id<TAB>text` (documents.tsv, with or
/// without the header `doc_id<TAB>text`; the text is all behind the first tab), or JSON lines with `_id`, `text` and
/// perhaps `title` (corpus.jsonl of BEIR). The first line tells which of them it is. Throws StorageError if the file
/// cannot be read, and FormatError with file, line and remedy for a line that is neither, an empty id, and white space
/// in an id. One document is in memory at a time.
void for_each_document(const std::filesystem::path& source, const std::function<void(Document)>& use);

}  // namespace touchstone::formats::documents
