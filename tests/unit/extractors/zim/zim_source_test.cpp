#include "extractors/zim/zim_source.hpp"

#include "common/files.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/analysis/shared_data.hpp"

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <zim/archive.h>
#include <zim/item.h>
#include <zim/writer/creator.h>
#include <zim/writer/item.h>

namespace touchstone::extractors::zim {
namespace {

constexpr std::size_t kLarge = std::size_t{1} << 30;

/// Writes a ZIM file of version 6.
class ZimWriter {
 public:
  explicit ZimWriter(std::filesystem::path path) : path_(std::move(path)) {
    creator_.configNbWorkers(1).configClusterSize(2000).configIndexing(false, "eng");
    creator_.startZimCreation(path_.string());
  }
  void page(const std::string& path, const std::string& title, const std::string& html,
            const std::string& type = "text/html") {
    creator_.addItem(::zim::writer::StringItem::create(path, type, title, ::zim::writer::Hints(), html));
  }
  void redirect(const std::string& path, const std::string& title, const std::string& target) {
    creator_.addRedirection(path, title, target);
  }
  void metadata(const std::string& name, const std::string& value) { creator_.addMetadata(name, value); }
  std::filesystem::path finish(const std::string& main = "") {
    creator_.setMainPath(main);
    creator_.finishZimCreation();
    return path_;
  }

 private:
  std::filesystem::path path_;
  ::zim::writer::Creator creator_;
};

SourceBatch rest_of(ZimSource& source) {
  SourceBatch all;
  while (auto batch = source.next()) {
    auto read = source.read(std::move(*batch));
    for (auto& page : read.pages) all.pages.push_back(std::move(page));
    for (auto& remark : read.remarks) all.remarks.push_back(std::move(remark));
  }
  return all;
}

class ZimFile : public ::testing::Test {
 protected:
  ZimWriter writer(const std::string& name = "a.zim") { return ZimWriter(folder_ / name); }
  static SourceBatch read(const std::filesystem::path& path, const ZimOptions& options = {}) {
    ZimSource source(path, options);
    return rest_of(source);
  }
  /// The file with the only page "Amber" that holds this HTML, besides "Basil Light".
  Document document_of(const std::string& html) {
    auto zim = writer();
    zim.page("Amber", "Amber", html);
    zim.page("Basil_Light", "Basil Light", "<p>Basil.</p>");
    auto batch = read(zim.finish());
    return batch.pages.empty() ? Document{} : std::move(*batch.pages.front().document);
  }

  testing::TemporaryFolder folder_;
};

std::vector<std::string> texts_of(const Document& document) {
  std::vector<std::string> texts;
  for (const auto& block : document.blocks) texts.push_back(block.content.text);
  return texts;
}

std::vector<std::string> titles_of(const SourceBatch& batch) {
  std::vector<std::string> titles;
  for (const auto& page : batch.pages) titles.push_back(page.head.title.text);
  return titles;
}

TEST_F(ZimFile, ArticlesAndRedirectsArePagesInTheOrderOfTheirPaths) {
  auto zim = writer();
  zim.page("a/Amber", "Amber Light", "<p>On Ostra.</p>");
  zim.page("b.png", "A picture", "x", "image/png");
  zim.redirect("c", "The Amber", "a/Amber");
  zim.redirect("d", "A picture too", "b.png");
  zim.redirect("e", "Amber Light", "a/Amber");
  zim.page("f", "Fir", "<p>A tree.</p>", "text/html; charset=utf-8");
  zim.metadata("Date", "2015-06-02");
  const auto batch = read(zim.finish());
  EXPECT_EQ(titles_of(batch), (std::vector<std::string>{"Amber Light", "The Amber", "Fir"}));
  EXPECT_EQ(batch.pages[0].head.id, PageId{1});
  EXPECT_EQ(batch.pages[0].head.timestamp, "2015-06-02T00:00:00Z");
  EXPECT_EQ(batch.pages[1].head.id, PageId{3});
  EXPECT_TRUE(batch.pages[1].head.is_redirect);
  EXPECT_EQ(batch.pages[1].head.redirect, (Title{0, "Amber Light"}));
  EXPECT_EQ(batch.pages[2].head.id, PageId{6});
  EXPECT_TRUE(batch.remarks.empty());
}

TEST_F(ZimFile, MetadataDescribesTheSite) {
  auto zim = writer();
  zim.page("home", "Welcome", "<p>x</p>");
  for (const auto& [name, value] : std::map<std::string, std::string>{{"Language", "deu,eng"},
                                                                      {"Title", "Leuchten"},
                                                                      {"Name", "lights_de"},
                                                                      {"License", "CC-BY-SA 4.0"},
                                                                      {"Source", "de.wikipedia.org"},
                                                                      {"Creator", "Ostra"}}) {
    zim.metadata(name, value);
  }
  ZimSource source(zim.finish("home"), {});
  const auto site = source.site_info();
  EXPECT_EQ(site->language, "de");
  EXPECT_EQ(site->site_name, "Leuchten");
  EXPECT_EQ(site->db_name, "lights_de");
  EXPECT_EQ(site->base_url, "https://de.wikipedia.org/wiki/");
  EXPECT_EQ(site->main_page(), "Welcome");
  EXPECT_EQ(site::SiteInfo::from_json(site->to_json()).main_page(), "Welcome");
  EXPECT_EQ(source.license(), "CC-BY-SA 4.0");
}

TEST_F(ZimFile, LinksAreRelativePathsAndLeadToTitles) {
  auto zim = writer();
  zim.page("sub/A", "Amber",
           "<p><a href='../Caf%C3%A9:_a?x#Hot%20milk'>cafe</a> <a href='B'>b</a> <a href='../R'>r</a> "
           "<a href='#x'>own</a> <a href='A#y'>own</a> <a href='../p.png'>p</a> <a href='https://x.org/B'>out</a> "
           "<a href='../../../B'>up</a> <a href='/sub/B'>root</a></p>");
  zim.page("sub/B", "Basil", "<p>x</p>");
  zim.page("Caf\u00E9:_a", "Caf\u00E9: a", "<p>x</p>");
  zim.page("p.png", "Picture", "x", "image/png");
  zim.redirect("R", "The Basil", "sub/B");
  const auto batch = read(zim.finish());
  for (const auto& page : batch.pages) {
    if (page.head.title.text != "Amber") continue;
    const auto& content = page.document->blocks.at(0).content;
    EXPECT_EQ(content.text, "cafe b r own own p out up root");
    ASSERT_EQ(content.links.size(), 4U);
    EXPECT_EQ(content.links[0].target.text, "Caf\u00E9: a");
    EXPECT_EQ(content.links[0].fragment, "Hot milk");
    EXPECT_EQ(content.links[1].target.text, "Basil");
    EXPECT_EQ(content.links[2].target.text, "The Basil");
    EXPECT_EQ(content.links[3].target.text, "Basil");
  }
}

TEST_F(ZimFile, PagesOfOneTitleGetNumbersAndArticlesGoFirst) {
  auto zim = writer();
  zim.redirect("a", "Lamp", "d");
  zim.page("b", "Lamp", "<p><a href='c'>c</a></p>");
  zim.page("c", "Lamp", "<p>x</p>");
  zim.page("d", "Lamp (2)", "<p>x</p>");
  const auto batch = read(zim.finish());
  EXPECT_EQ(titles_of(batch), (std::vector<std::string>{"Lamp (4)", "Lamp", "Lamp (3)", "Lamp (2)"}));
  EXPECT_EQ(batch.pages.at(1).document->blocks.at(0).content.links.at(0).target.text, "Lamp (3)");
}

TEST_F(ZimFile, WhatMediaWikiAndTheCopierAddIsLeftOut) {
  const auto document = document_of(
      "<body><h1>Amber</h1><div id='mw-content-text'><div class='hatnote'>Not amber.</div>"
      "<p>It is <a href='Basil_Light'>near</a>.<sup id='cite_ref-1'><a href='#cite_note-1'>[1]</a></sup></p>"
      "<div class='thumb'><div class='thumbinner'><img src='../I/m/Light.jpg'><div class='thumbcaption'>A light."
      "</div></div></div><h2>Notes</h2><ol class='references'><li>A book.</li></ol>"
      "<table class='mbox-small sistersitebox'><tr><td>Quotations</td></tr></table>"
      "<table class='navbox'><tr><td>Lights</td></tr></table>"
      "<div><div style='clear:both; border-top: dashed 2px #AAAAAA;'>This article is issued from Wikipedia.</div></div>"
      "</div></body>");
  EXPECT_EQ(texts_of(document), (std::vector<std::string>{"It is near."}));
  ASSERT_EQ(document.sections.size(), 2U);
  EXPECT_EQ(document.sections[1].heading.text, "Notes");
  EXPECT_TRUE(document.tables.empty());
  ASSERT_EQ(document.images.size(), 1U);
  EXPECT_EQ(document.images[0].caption.text, "A light.");
  EXPECT_EQ(document.images[0].file, "Light.jpg");
}

TEST_F(ZimFile, PagesOfOtherSitesAreReadLikeAnyHtml) {
  const auto document = document_of(
      "<html><body><nav><a href='x'>Menu</a></nav><main><h1>Amber</h1><p>On Ostra.</p></main></body></html>");
  EXPECT_EQ(texts_of(document), (std::vector<std::string>{"On Ostra."}));
  EXPECT_EQ(document.sections.size(), 1U);
}

TEST_F(ZimFile, ReadingGoesOnBehindABatch) {
  auto zim = writer();
  for (const char* name : {"a", "b", "c"}) zim.page(name, name, "<p>x</p>");
  const auto path = zim.finish();
  ZimOptions small;
  small.batch_bytes = 1;
  small.before_first = PageId{10};
  ZimSource first(path, small);
  const auto end = first.next()->end_offset;
  ZimSource second(path, small);
  second.skip_to(end, {});
  const auto rest = rest_of(second);
  EXPECT_EQ(titles_of(rest), (std::vector<std::string>{"b", "c"}));
  EXPECT_EQ(rest.pages.at(0).head.id, PageId{12});
  EXPECT_NE(testing::message_of([&] { second.skip_to(4, {}); }).find("was it replaced"), std::string::npos);
}

TEST_F(ZimFile, PagesThatCannotBeUsedAreRemarks) {
  auto zim = writer();
  zim.page("a", "A", std::string(5000, 'x'));
  zim.page("b", std::string(1100, 'b'), "<p>x</p>");
  zim.page("c", "C", "");
  ZimOptions options;
  options.max_page_bytes = 4000;
  const auto batch = read(zim.finish(), options);
  EXPECT_TRUE(batch.pages.empty());
  std::vector<PageIssue> issues;
  for (const auto& remark : batch.remarks) issues.push_back(remark.issue);
  EXPECT_EQ(issues, (std::vector{PageIssue::kTooLarge, PageIssue::kBadTitle, PageIssue::kNoText}));
}

TEST_F(ZimFile, DamagedFilesAreRefusedWithOneSentence) {
  auto zim = writer();
  for (char name = 'a'; name <= 'z'; ++name) zim.page({name}, {name}, "<p>" + std::string(300, name) + "</p>");
  const auto path = zim.finish();
  const auto bytes = read_file(path, kLarge);
  const auto message = [&](const std::string& changed) {
    std::ofstream(path, std::ios::binary) << changed;
    return testing::message_of<FormatError>([&] { read(path); });
  };
  // At each place either an error or, where the place does not matter, the pages: never a crash.
  std::size_t refused = 0;
  for (std::size_t at = 5; at < bytes.size(); at += 11) {
    auto flipped = bytes;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x55);
    const auto said = message(flipped);
    EXPECT_EQ(said.find('\n'), std::string::npos);
    refused += said.find("damaged or cut short") != std::string::npos ? 1 : 0;
    EXPECT_NE(message(bytes.substr(0, at)), "no error") << at;
  }
  EXPECT_GT(refused, bytes.size() / 11 - 9);
  // Without the checksum, what is damaged is left out, or the file is refused. libzim may ask for the memory that a
  // damaged size names, where sanitizers end the program.
  if (testing::kIsSanitized) return;
  ZimOptions skip;
  skip.skip_damage = true;
  for (std::size_t at = 5; at < bytes.size(); at += 11) {
    auto flipped = bytes;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x55);
    std::ofstream(path, std::ios::binary) << flipped;
    testing::message_of<FormatError>([&] { read(path, skip); });
  }
}

TEST_F(ZimFile, ThePartsOfASplitFileMustBeJoined) {
  auto zim = writer("a.zimaa");
  zim.page("a", "A", "<p>x</p>");
  const auto path = zim.finish();
  EXPECT_NE(testing::message_of([&] { read(path); }).find("join the parts"), std::string::npos);
}

/// The bytes of a page without the elements that readers of text leave out, found by counting tags.
std::string without_asides(std::string html, std::size_t& elements) {
  const std::regex start(
      "<(\\w+) "
      "[^>]*(class=\"[^\"]*\\b(navbox|hatnote|mbox-small|references|metadata|ambox)\\b|display:\\s*none)[^>]*>");
  for (std::smatch found; std::regex_search(html, found, start);) {
    const auto name = found[1].str();
    const auto begin = static_cast<std::size_t>(found.position());
    auto at = begin + 1;
    for (int depth = 1; depth > 0;) {
      const auto open = html.find("<" + name, at), close = html.find("</" + name, at);
      if (close == std::string::npos) return html;
      depth += open < close ? 1 : -1;
      at = std::min(open, close) + 1;
    }
    html.erase(begin, at - begin);
    ++elements;
  }
  return html;
}

/// Counts what the file of 2015 holds by regular expressions on its bytes, and compares.
TEST(RealZim, EveryArticleRedirectAndLinkOfRayCharlesIsRead) {
  const auto path = testing::shared_data() / "zim/wikipedia_en_ray_charles_2015-06.zim";
  TS_NEED_DATA(path);
  const ::zim::Archive archive(path.string());
  std::map<std::string, std::string> pages, redirects, titles;  // by path
  for (const auto& entry : archive.iterByPath()) {
    if (!entry.getPath().starts_with("A/")) continue;
    titles[entry.getPath()] = entry.getTitle();
    if (entry.isRedirect()) {
      redirects[entry.getTitle()] = entry.getRedirectEntry().getTitle();
    } else {
      pages[entry.getPath()] = std::string(entry.getItem().getData());
    }
  }
  EXPECT_EQ(pages.size(), 85U);
  EXPECT_EQ(redirects.size(), 151U);
  ZimSource source(path, {});
  EXPECT_EQ(source.site_info()->language, "en");
  EXPECT_EQ(source.site_info()->main_page(), "Summary");
  const auto batch = rest_of(source);
  std::map<std::string, std::multiset<std::string>> links;
  std::map<std::string, std::string> read_redirects;
  for (const auto& page : batch.pages) {
    if (page.head.is_redirect) {
      read_redirects[page.head.title.text] = page.head.redirect.text;
      continue;
    }
    auto& own = links[page.head.title.text];
    const auto add = [&](const RichText& content) {
      for (const auto& link : content.links) own.insert(link.target.text);
    };
    for (const auto& block : page.document->blocks) add(block.content);
    for (const auto& section : page.document->sections) add(section.heading);
    for (const auto& link : page.document->other_links) own.insert(link.target.text);
    for (const auto& table : page.document->tables) {
      for (const auto& row : table.cells) {
        for (const auto& cell : row) {
          if (!cell.repeated) add(cell.content);
        }
      }
    }
  }
  EXPECT_TRUE(batch.remarks.empty());
  EXPECT_EQ(read_redirects, redirects);
  EXPECT_EQ(links.size(), pages.size());
  const std::regex anchor("<a [^>]*href=\"([^\"#]+)(#[^\"]*)?\"");
  std::size_t in_bytes = 0, in_pages = 0, missing = 0, asides = 0;
  for (const auto& [page, whole] : pages) {
    const auto html = without_asides(whole, asides);
    auto own = links[titles[page]];
    in_pages += own.size();
    for (auto at = std::sregex_iterator(html.begin(), html.end(), anchor); at != std::sregex_iterator(); ++at) {
      auto name = (*at)[1].str();
      for (std::size_t amp = 0; (amp = name.find("&amp;", amp)) != std::string::npos;) name.replace(++amp, 4, "");
      std::string path_of_link = "A/";
      for (std::size_t i = 0; i < name.size(); ++i) {
        const bool escaped = name[i] == '%' && i + 2 < name.size();
        path_of_link += escaped ? static_cast<char>(std::stoi(name.substr(i + 1, 2), nullptr, 16)) : name[i];
        i += escaped ? 2 : 0;
      }
      const auto target = titles.find(path_of_link);
      if (target == titles.end() || path_of_link == page) continue;
      ++in_bytes;
      const auto found = own.find(target->second);
      if (found != own.end()) {
        own.erase(found);
      } else {
        ++missing;
        ADD_FAILURE() << titles[page] << " has no link to " << target->second;
      }
    }
    EXPECT_TRUE(own.empty()) << titles[page] << " has a link to " << *own.begin() << " that its bytes do not show";
  }
  EXPECT_EQ(missing, 0U);
  EXPECT_EQ(in_pages, in_bytes);
  std::printf("%zu links outside of the %zu elements that are left out, %zu read\n", in_bytes, asides, in_pages);
}

}  // namespace
}  // namespace touchstone::extractors::zim
