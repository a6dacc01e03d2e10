#include "formats/documents/document_files.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "common/unicode.hpp"
#include "formats/beir/beir_lines.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

namespace touchstone::formats::documents {
namespace {

bool is_header(std::string_view id, std::string_view text) {
  return (id == "doc_id" || id == "docid" || id == "id") && (text == "text" || text == "doc_text");
}

}  // namespace

std::filesystem::path file_of_documents(const std::filesystem::path& source) {
  std::error_code error;
  if (!std::filesystem::is_directory(source, error)) return source;
  for (const char* name : {"corpus.jsonl.gz", "corpus.jsonl", "beir/corpus.jsonl.gz", "beir/corpus.jsonl"}) {
    if (std::filesystem::exists(source / name, error)) return source / name;
  }
  throw StorageError(source.string() +
                     " holds no corpus.jsonl.gz or corpus.jsonl; name a collection, a BEIR data set or a file of "
                     "documents");
}

void for_each_document(const std::filesystem::path& source, const std::function<void(Document)>& use) {
  const auto file = file_of_documents(source);
  beir::LineReader reader;
  bool first = true, json = false;
  for_each_line(
      file,
      [&](std::string_view line, std::uint64_t number) {
        fields::refuse_byte_order_mark(file, line, number);
        if (line.empty()) return true;
        const auto refuse = [&](const std::string& what) {
          throw FormatError(fmt::format("{}:{}: {}", file.string(), number, what));
        };
        const bool at_first = std::exchange(first, false);
        if (at_first) json = line.front() == '{';
        Document document;
        document.line = number;
        if (json) {
          auto read = reader.document(line);
          if (!read) refuse(read.error());
          document.id = std::move(read->id);
          document.title = std::move(read->title);
          document.text = std::move(read->text);
        } else {
          const auto tab = line.find('\t');
          if (tab == std::string_view::npos)
            refuse(
                fmt::format("{} is no document; write its id, a tab and its text in each line, or JSON lines with "
                            "_id and text",
                            fields::quote_for_message(line)));
          document.id = line.substr(0, tab);
          const auto text = line.substr(tab + 1);
          if (at_first && is_header(document.id, text)) return true;
          document.text = is_valid_utf8(text) ? std::string(text) : repair_utf8(text);
        }
        if (document.id.empty()) refuse("the id is empty; name the document");
        if (std::any_of(document.id.begin(), document.id.end(), fields::is_field_blank))
          refuse(fmt::format("the id {} holds white space, which parts columns of qrels; replace it",
                             fields::quote_for_message(document.id)));
        use(std::move(document));
        return true;
      },
      kMaxDocumentLineBytes);
}

}  // namespace touchstone::formats::documents
