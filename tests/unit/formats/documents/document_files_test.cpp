#include "formats/documents/document_files.hpp"

#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/text_file.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::formats::documents {
namespace {

using touchstone::testing::message_of;
using touchstone::testing::TemporaryFolder;
using touchstone::testing::write_text;

std::vector<std::string> read(const std::filesystem::path& source) {
  std::vector<std::string> documents;
  for_each_document(source, [&](const Document& document) {
    documents.push_back(std::to_string(document.line) + "|" + document.id + "|" + document.title + "|" + document.text);
  });
  return documents;
}

using Documents = std::vector<std::string>;

TEST(DocumentFiles, ReadTsvWithAndWithoutAHeader) {
  const TemporaryFolder folder;
  write_text(folder / "d.tsv", "doc_id\ttext\nD1\tOne.\nD2\ta\tb\n\nD3\t\n");
  EXPECT_EQ(read(folder / "d.tsv"), (Documents{"2|D1||One.", "3|D2||a\tb", "5|D3||"}));
  write_text(folder / "d.tsv.gz", "D1\tbad \xFF byte\n");
  EXPECT_EQ(read(folder / "d.tsv.gz"), (Documents{"1|D1||bad \uFFFD byte"}));
}

TEST(DocumentFiles, ReadCorpusLinesAndDirectoriesWithThem) {
  const TemporaryFolder folder;
  write_text(folder / "corpus.jsonl.gz",
             "{\"_id\":\"D1\",\"title\":\"T\",\"text\":\"One.\"}\n{\"_id\":\"D2\",\"text\":\"x\"}\n");
  EXPECT_EQ(read(folder.path()), (Documents{"1|D1|T|One.", "2|D2||x"}));
  EXPECT_EQ(read(folder / "corpus.jsonl.gz").size(), 2U);
}

TEST(DocumentFiles, SayWhatIsWrongAndWhere) {
  const TemporaryFolder folder;
  const auto message = [&](const std::string& text) {
    write_text(folder / "d", text);
    return message_of([&] { read(folder / "d"); });
  };
  EXPECT_NE(message("D1\ta\nno tab\n").find("d:2: \"no tab\" is no document"), std::string::npos);
  EXPECT_NE(message("\ttext\n").find("d:1: the id is empty"), std::string::npos);
  EXPECT_NE(message("D 1\ttext\n").find("holds white space"), std::string::npos);
  EXPECT_NE(message("{\"_id\":\"D1\",\"text\":\"a\"}\n{\"_id\":\"D2\"\n").find("d:2: is no JSON"), std::string::npos);
  std::filesystem::create_directory(folder / "empty");
  EXPECT_NE(message_of([&] { read(folder / "empty"); }).find("holds no corpus.jsonl.gz"), std::string::npos);
}

}  // namespace
}  // namespace touchstone::formats::documents
