#include "extractors/textbook/book_source.hpp"

#include "common/error.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

namespace touchstone::extractors::textbook {
namespace {

using Files = std::vector<std::pair<std::string, std::string>>;

void write_folder(const std::filesystem::path& folder, const Files& files) {
  for (const auto& [name, bytes] : files) {
    std::filesystem::create_directories((folder / name).parent_path());
    std::ofstream(folder / name, std::ios::binary) << bytes;
  }
}

/// A zip archive; or a tar archive with the compression that the ending of its name says.
void write_archive(const std::filesystem::path& path, const Files& files) {
  auto* zip = archive_write_new();
  if (path.extension() == ".zip" || path.extension() == ".epub") {
    archive_write_set_format_zip(zip);
  } else {
    archive_write_set_format_pax_restricted(zip);
    const auto ending = path.extension();
    if (ending == ".gz") archive_write_add_filter_gzip(zip);
    if (ending == ".bz2") archive_write_add_filter_bzip2(zip);
    if (ending == ".xz") archive_write_add_filter_xz(zip);
    if (ending == ".zst") archive_write_add_filter_zstd(zip);
  }
  ASSERT_EQ(archive_write_open_filename(zip, path.c_str()), ARCHIVE_OK);
  for (const auto& [name, bytes] : files) {
    auto* entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_size(entry, static_cast<la_int64_t>(bytes.size()));
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_write_header(zip, entry);
    archive_write_data(zip, bytes.data(), bytes.size());
    archive_entry_free(entry);
  }
  archive_write_free(zip);
}

struct Reading {
  std::vector<SourcePage> pages;
  std::vector<PageRemark> remarks;
  std::vector<std::string> titles;
};

Reading read_all(BookSource& source, std::uint64_t from = 0) {
  Reading reading;
  source.skip_to(from, PageId{0});
  while (auto batch = source.next()) {
    auto found = source.read(std::move(*batch));
    for (auto& page : found.pages) {
      reading.titles.push_back(page.head.title.text);
      reading.pages.push_back(std::move(page));
    }
    for (auto& remark : found.remarks) reading.remarks.push_back(std::move(remark));
  }
  return reading;
}

bool says(const std::vector<std::string>& warnings, std::string_view what) {
  for (const auto& warning : warnings) {
    if (warning.find(what) != std::string::npos) return true;
  }
  return false;
}

Files small_epub() {
  return {{"META-INF/container.xml", "<container><rootfiles><rootfile full-path='OPS/p.opf'/></rootfiles></container>"},
          {"OPS/p.opf",
           "<package xmlns:dc='http://purl.org/dc/elements/1.1/'><metadata><dc:title>Pots</dc:title>"
           "<dc:rights>CC0</dc:rights></metadata><manifest><item id='n' href='nav.xhtml' properties='nav'/>"
           "<item id='b' href='b.xhtml'/><item id='a' href='a.xhtml'/></manifest><spine><itemref idref='n'/>"
           "<itemref idref='b'/><itemref idref='a'/><itemref idref='gone'/></spine></package>"},
          {"OPS/nav.xhtml",
           "<nav><ol><li><span>Part</span><ol><li><a href='b.xhtml'>I. Clay</a></li></ol></li></ol></nav>"},
          {"OPS/a.xhtml", "<html><body><h1>Glaze</h1><p>Sand.</p></body></html>"},
          {"OPS/b.xhtml", "<html><body><h1>Clay</h1><p>See <a href='a.xhtml#x'>glaze</a>.</p></body></html>"}};
}

class BookSourceTest : public ::testing::Test {
 protected:
  std::unique_ptr<BookSource> open(const std::string& name, BookSourceOptions options = {}) {
    return open_book(folder_.path() / name, options);
  }
  /// Why a file is refused, without its name.
  std::string refused(const std::string& name) {
    try {
      open(name);
    } catch (const FormatError& error) {
      const std::string text = error.what(), path = (folder_.path() / name).string() + ": ";
      EXPECT_TRUE(text.starts_with(path)) << text;
      return text.substr(std::min(path.size(), text.size()));
    }
    return "";
  }
  touchstone::testing::TemporaryFolder folder_;
};

TEST_F(BookSourceTest, AnEpubIsReadInTheOrderOfItsSpine) {
  write_archive(folder_.path() / "pots.epub", small_epub());
  const auto book = open("pots.epub");
  ASSERT_NE(book, nullptr);
  EXPECT_EQ(book->book().title, "Pots");
  EXPECT_EQ(book->book().licence, "CC0");
  const auto reading = read_all(*book);
  EXPECT_EQ(reading.titles, (std::vector<std::string>{"I. Clay", "Glaze"}));
  EXPECT_EQ(book->book().pages.at(0).chapters, std::vector<std::string>{"Part"});
  const auto& link = reading.pages[0].document->blocks.at(0).content.links.at(0);
  EXPECT_EQ(link.target.text, "Glaze");
  EXPECT_EQ(link.fragment, "x");
  EXPECT_TRUE(says(book->warnings(), "\"gone\""));
}

TEST_F(BookSourceTest, ReadingGoesOnWhereABatchEnded) {
  write_folder(folder_.path() / "book", {{"a.html", "<h1>A</h1><p>a"}, {"b.html", "<h1>B</h1><p>b"}});
  auto book = open("book");
  EXPECT_EQ(read_all(*book, 1).titles, (std::vector<std::string>{"B"}));
  book = open("book");
  EXPECT_THROW(book->skip_to(3, PageId{0}), FormatError);
}

TEST_F(BookSourceTest, NamesThatLeaveAnArchiveAreLeftOut) {
  write_archive(folder_.path() / "b.zip",
                {{"../evil.html", "<h1>E</h1>"}, {"/abs.html", "<h1>F</h1>"}, {"a.html", "<h1>A</h1>"}});
  const auto book = open("b.zip");
  EXPECT_EQ(read_all(*book).titles, (std::vector<std::string>{"A"}));
  EXPECT_TRUE(says(book->warnings(), "leave the archive"));
}

TEST_F(BookSourceTest, AnArchiveThatUnpacksToTooMuchIsRefused) {
  BookSourceOptions options;
  options.limits.max_archive_bytes = 1000;
  write_archive(folder_.path() / "b.zip", {{"a.html", std::string(700, 'a')}, {"b.html", std::string(700, 'b')}});
  EXPECT_THROW(open("b.zip", options), FormatError);
}

TEST_F(BookSourceTest, LargeFilesOfAnArchiveAreLeftOut) {
  BookSourceOptions options;
  options.limits.max_file_bytes = 100;
  write_archive(folder_.path() / "b.zip", {{"a.html", "<h1>A</h1>"}, {"b.html", std::string(700, 'b')}});
  EXPECT_EQ(read_all(*open("b.zip", options)).titles, (std::vector<std::string>{"A"}));
  options.limits.max_file_bytes = 5;
  const auto message = touchstone::testing::message_of<FormatError>([&] { open("b.zip", options); });
  EXPECT_TRUE(says({message}, "2 files of more than 5 bytes were left out; no pages were found")) << message;
}

TEST_F(BookSourceTest, ADamagedArchiveIsRefused) {
  std::ofstream(folder_.path() / "b.zip", std::ios::binary) << "PK\x03\x04garbage";
  EXPECT_THROW(open("b.zip"), FormatError);
}

TEST_F(BookSourceTest, EntriesForPartsOfAFileAreNotItsTitle) {
  auto files = small_epub();
  const auto nav = [&](const std::string& entries) {
    for (auto& [name, bytes] : files)
      if (name == "OPS/nav.xhtml") bytes = "<nav><ol>" + entries + "</ol></nav>";
    write_folder(folder_.path() / "book", files);
    return read_all(*open("book")).titles;
  };
  const std::string fire = "<li><a href='b.xhtml#s0'>I. The Fire</a></li>",
                    ash = "<li><a href='b.xhtml#s1'>II. Ash</a></li>";
  EXPECT_EQ(nav(fire + ash), (std::vector<std::string>{"Clay", "Glaze"})) << "the page says its title";
  EXPECT_EQ(nav(fire), (std::vector<std::string>{"I. The Fire", "Glaze"})) << "one entry for one file";
  EXPECT_EQ(nav(fire + "<li><a href='b.xhtml'>Of Clay</a></li>" + ash), (std::vector<std::string>{"Of Clay", "Glaze"}));
}

TEST_F(BookSourceTest, ACollectionGivesModulesInItsOrderAndChapters) {
  const auto module = [](const std::string& title, const std::string& content) {
    return "<document><title>" + title + "</title><content>" + content + "</content></document>";
  };
  write_folder(
      folder_.path() / "book",
      {{"collections/c.collection.xml",
        "<collection><metadata><title>Kilns</title><license url='http://l.example/'>CC BY</license></metadata><content>"
        "<subcollection><title>Fire</title><content><module document='m2'/><module document='m9'/></content>"
        "</subcollection><subcollection><title>Clay</title><content><module document='m1'/><module document='m1'/>"
        "</content></subcollection></content></collection>"},
       {"modules/m1/index.cnxml", module("Introduction", "<para>One <link document='m2'>fire</link>.</para>")},
       {"modules/m2/index.cnxml",
        module("Introduction",
               "<section><title>Heat</title><para>A <term>kiln</term>.</para><section><title>Ash</title>"
               "<list><item>x</item></list></section></section><exercise><problem><para>Why?</para>"
               "</problem><solution><para>So.</para></solution></exercise>")}});
  const auto book = open("book");
  ASSERT_NE(book, nullptr);
  EXPECT_EQ(book->book().licence, "CC BY http://l.example/");
  const auto reading = read_all(*book);
  EXPECT_EQ(reading.titles, (std::vector<std::string>{"Introduction (Fire)", "Introduction (Clay)"}));
  const auto& fire = *reading.pages[0].document;
  ASSERT_EQ(fire.sections.size(), 3U);
  EXPECT_EQ(fire.sections[1].heading.text, "Heat");
  EXPECT_EQ(fire.sections[2].parent, 1U);
  ASSERT_EQ(fire.blocks.size(), 2U);
  EXPECT_EQ(fire.blocks[0].content.text, "A kiln.");
  EXPECT_EQ(reading.pages[1].document->blocks.at(0).content.links.at(0).target.text, "Introduction (Fire)");
  EXPECT_TRUE(says(book->warnings(), "\"m9\", which is not there"));
  EXPECT_TRUE(says(book->warnings(), "\"m1\" twice"));
}

TEST_F(BookSourceTest, MalformedModulesAreRemarked) {
  write_folder(folder_.path() / "book",
               {{"collection.xml", "<collection><content><module document='m1'/></content></collection>"},
                {"modules/m1/index.cnxml", "<document><content><para>x</content></document>"}});
  const auto reading = read_all(*open("book"));
  ASSERT_EQ(reading.remarks.size(), 1U);
  EXPECT_EQ(reading.remarks[0].issue, PageIssue::kMalformedXml);
}

TEST_F(BookSourceTest, ADamagedCollectionIsRefused) {
  write_folder(folder_.path() / "book", {{"collection.xml", "<collection><content>"}});
  EXPECT_THROW(open("book"), FormatError);
}

TEST_F(BookSourceTest, SymbolicLinksAreNotFollowed) {
  write_folder(folder_.path() / "book", {{"a.html", "<h1>A</h1>"}});
  std::filesystem::create_symlink("/etc/passwd", folder_.path() / "book/p.html");
  const auto book = open("book");
  EXPECT_EQ(read_all(*book).titles, (std::vector<std::string>{"A"}));
  EXPECT_TRUE(says(book->warnings(), "symbolic links"));
}

TEST_F(BookSourceTest, JsonLinesAndFilesWithoutASignAreNoBooks) {
  write_folder(folder_.path(), {{"p.jsonl", "{\"title\": \"<h1>\"}\n"}, {"t", "Some words."}, {"empty", ""}});
  EXPECT_EQ(open("p.jsonl"), nullptr);
  EXPECT_EQ(open("t"), nullptr);
  EXPECT_EQ(open("empty"), nullptr);
}

TEST_F(BookSourceTest, FilesOfOtherFormatsAreNamed) {
  write_folder(folder_.path(), {{"d.xml", "<mediawiki><body>"}, {"b.pdf", "%PDF-1.4"}});
  EXPECT_EQ(refused("d.xml"), "is a MediaWiki dump, which is not read; give it with --dump");
  EXPECT_TRUE(refused("b.pdf").starts_with("is a PDF, which is not read; convert it to HTML"));
  write_archive(folder_.path() / "s.zip", {{"xl/workbook.xml", "<w/>"}});
  EXPECT_TRUE(refused("s.zip").starts_with("is a spreadsheet, which is not read"));
}

TEST_F(BookSourceTest, FilesOfOtherFormatsBesidePagesAreRemarked) {
  write_folder(folder_.path() / "book",
               {{"a.html", "<h1>A</h1><p>a"}, {"b.pdf", "%PDF"}, {"c.png", "x"}, {"d.ppt", "x"}});
  auto reading = read_all(*open("book"));
  EXPECT_EQ(reading.titles, (std::vector<std::string>{"A"}));
  ASSERT_EQ(reading.remarks.size(), 2U);
  EXPECT_EQ(reading.remarks[0].issue, PageIssue::kOtherFormat);
  EXPECT_TRUE(reading.remarks[0].where.starts_with("b.pdf: is a PDF")) << reading.remarks[0].where;
  std::filesystem::remove(folder_.path() / "book/a.html");
  EXPECT_NE(refused("book").find("among 2 files of other formats: b.pdf: is a PDF"), std::string::npos);
}

TEST_F(BookSourceTest, TarArchivesAreReadWithAnyCompression) {
  for (const std::string name : {"b.tar", "b.tar.gz", "b.tar.bz2", "b.tar.xz", "b.tar.zst"}) {
    write_archive(folder_.path() / name, {{"b/x.png", "x"},
                                          {"b/b.html", "<h1>B</h1><p><a href='a.html'>a</a>"},
                                          {"../evil.html", "<h1>E</h1>"},
                                          {"b/a.html", "<h1>A</h1><p>a"},
                                          {"b/c.pdf", "%PDF"}});
    const auto book = open(name);
    ASSERT_NE(book, nullptr) << name;
    const auto reading = read_all(*book);
    EXPECT_EQ(reading.titles, (std::vector<std::string>{"A", "B"})) << name;
    EXPECT_EQ(reading.pages[1].document->blocks.at(0).content.links.at(0).target.text, "A");
    EXPECT_EQ(reading.remarks.size(), 1U);
    EXPECT_TRUE(says(book->warnings(), "leave the archive"));
  }
}

TEST_F(BookSourceTest, AnArchiveThatIsLargeBehindItsTextsIsRefused) {
  BookSourceOptions options;
  options.limits.max_unpacked_bytes = 100'000;
  write_archive(folder_.path() / "b.tar.gz", {{"a.html", "<h1>A</h1>"}, {"b.png", std::string(200'000, '\0')}});
  EXPECT_THROW(open("b.tar.gz", options), FormatError);
  EXPECT_NE(open("b.tar.gz"), nullptr);
}

TEST_F(BookSourceTest, ACompressedPageIsRead) {
  for (const std::string name : {"a.html.gz", "a"}) {
    auto* raw = archive_write_new();
    archive_write_set_format_raw(raw);
    archive_write_add_filter_gzip(raw);
    archive_write_open_filename(raw, (folder_.path() / name).c_str());
    auto* entry = archive_entry_new();
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_write_header(raw, entry);
    archive_write_data(raw, "<h1>A</h1><p>a", 14);
    archive_entry_free(entry);
    archive_write_free(raw);
    EXPECT_EQ(read_all(*open(name)).titles, (std::vector<std::string>{"A"})) << name;
  }
}

TEST_F(BookSourceTest, LessonsOfTqaArePages) {
  write_folder(folder_.path(),
               {{"t.json",
                 "[{\"globalID\": \"L_2\", \"lessonName\": \"Rocks\", \"adjunctTopics\": {}, \"topics\": {\"T_1\": "
                 "{\"topicName\": \"Ore\", \"content\": {\"text\": \"Rock.\"}}}},\n{\"globalID\": \"L_1\", "
                 "\"lessonName\": \"Sand\", \"topics\": {}}, 7]"},
                {"bad.json", "[{\"adjunctTopics\": "}});
  const auto reading = read_all(*open("t.json"));
  EXPECT_EQ(reading.titles, (std::vector<std::string>{"Rocks", "Sand"}));
  EXPECT_EQ(reading.pages[0].document->sections.at(1).heading.text, "Ore");
  EXPECT_EQ(reading.pages[0].head.model, "tqa");
  ASSERT_EQ(reading.remarks.size(), 1U);
  EXPECT_EQ(reading.remarks[0].where, "lesson 3: the lesson is no object");
  EXPECT_TRUE(refused("bad.json").starts_with("it is no JSON (")) << refused("bad.json");
}

TEST_F(BookSourceTest, PagesWithoutTextAreRemarkedAsSuch) {
  write_folder(folder_.path() / "book", {{"a.html", "<h1>A</h1><p>a"}, {"b.html", ""}, {"c.html", "<div></div>"}});
  const auto reading = read_all(*open("book"));
  EXPECT_EQ(reading.titles, (std::vector<std::string>{"A"}));
  ASSERT_EQ(reading.remarks.size(), 2U);
  EXPECT_EQ(reading.remarks[0].issue, PageIssue::kNoText);
  EXPECT_EQ(reading.remarks[1].where, "c.html: it shows neither text nor pictures");
}

TEST_F(BookSourceTest, AFolderWithoutPagesIsRefused) {
  write_folder(folder_.path() / "book", {{"a.png", "x"}});
  EXPECT_THROW(open("book"), FormatError);
}

class Nowhere : public html::LinkResolver {
 public:
  std::optional<Link> resolve(std::string_view) const override { return std::nullopt; }
};

TEST(CnxmlModule, SectionsEndWhereTheModuleEndsThem) {
  const auto module = read_cnxml(
      "<document><title>T</title><content>"
      "<section class='learning-objectives'><title>Learning Objectives</title><para>goal</para></section>"
      "<para>opening</para>"
      "<section><title>Heat</title><section><title>Ash</title><para>ash</para></section><para>heat</para></section>"
      "<section class='references'><title/><para>book</para></section><section><para>plain</para></section>"
      "</content></document>",
      Nowhere(), {});
  std::vector<std::string> found;
  for (const auto& block : module.document.blocks)
    found.push_back(module.document.sections[block.section].heading.text + ": " + block.content.text);
  EXPECT_EQ(found, (std::vector<std::string>{": opening", ": plain", "Learning Objectives: goal", "Heat: heat",
                                             "Ash: ash", "References: book"}));
}

TEST(CnxmlModule, TermsAreLinks) {
  const auto module = read_cnxml(
      "<document><title>T</title><content><para>A <term>salt <emphasis>kiln</emphasis></term> is hot.</para>"
      "<list><item>a <term>kiln</term></item></list></content>"
      "<glossary><definition><term>ash</term><meaning>what stays</meaning></definition></glossary></document>",
      Nowhere(), {});
  std::vector<std::string> terms;
  for (const auto& block : module.document.blocks)
    for (const auto& link : block.content.links) terms.push_back(link.target.text);
  EXPECT_EQ(terms, (std::vector<std::string>{"salt kiln", "kiln", "ash"}));
  EXPECT_EQ(module.document.blocks.at(0).content.links.at(0).end, 11U);
}

TEST(CnxmlModule, AsidesAreKeptByOption) {
  const std::string bytes =
      "<document><title>T</title><content><section class='summary'><title>Summary</title><para>s</para></section>"
      "<exercise><problem><para>p</para></problem><solution><para>q</para></solution></exercise></content></document>";
  const auto texts = [&](CnxmlOptions options) {
    const auto module = read_cnxml(bytes, Nowhere(), options);
    EXPECT_EQ(module.counts.paragraphs, 3U);
    EXPECT_EQ(module.counts.sections, 1U);
    std::string all;
    for (const auto& block : module.document.blocks) all += block.content.text;
    return all;
  };
  EXPECT_EQ(texts({}), "s");
  EXPECT_EQ(texts({.exercises = true, .solutions = true, .summaries = false}), "pq");
  EXPECT_EQ(texts({.exercises = true, .solutions = false, .summaries = true}), "ps");
}

TEST(PathWithin, StaysInTheBook) {
  EXPECT_EQ(path_within("a/b.html", "../c%20d.html?x#y"), "c d.html");
  EXPECT_EQ(path_within("a/b.html", "#y"), "a/b.html");
  EXPECT_EQ(path_within("a/b.html", "../../c"), std::nullopt);
  EXPECT_EQ(path_within("a/b.html", "%2e%2e/%2e%2e/c"), std::nullopt);
  EXPECT_EQ(path_within("a/b.html", "http://c.example/d"), std::nullopt);
  EXPECT_EQ(path_within("a/b.html", "//c.example/d"), std::nullopt);
  EXPECT_EQ(path_within("a/b.html", "a%00b"), std::nullopt);
}

}  // namespace
}  // namespace touchstone::extractors::textbook
