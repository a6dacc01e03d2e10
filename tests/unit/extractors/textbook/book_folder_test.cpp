#include "extractors/textbook/book.hpp"
#include "extractors/textbook/book_source.hpp"
#include "tests/support/temporary_folder.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::extractors::textbook {
namespace {

/// Sites: folders of pages with or without a table of contents.
class BookFolder : public ::testing::Test {
 protected:
  /// The titles of the pages, in their order.
  std::vector<std::string> titles(const std::vector<std::pair<std::string, std::string>>& files) {
    for (const auto& [name, bytes] : files) {
      std::filesystem::create_directories((folder_.path() / "book" / name).parent_path());
      std::ofstream(folder_.path() / "book" / name, std::ios::binary) << bytes;
    }
    book_ = open_book(folder_.path() / "book", {});
    pages_.clear();
    std::vector<std::string> found;
    while (auto batch = book_->next()) {
      for (auto& page : book_->read(std::move(*batch)).pages) {
        found.push_back(page.head.title.text);
        pages_.push_back(std::move(page));
      }
    }
    return found;
  }
  /// The titles of the pages that the first block of a page links to.
  std::vector<std::string> links_of(std::size_t page) const {
    std::vector<std::string> found;
    for (const auto& link : pages_.at(page).document->blocks.at(0).content.links) found.push_back(link.target.text);
    return found;
  }
  bool warns(std::string_view what) const {
    for (const auto& warning : book_->warnings()) {
      if (warning.find(what) != std::string::npos) return true;
    }
    return false;
  }

  touchstone::testing::TemporaryFolder folder_;
  std::unique_ptr<BookSource> book_;
  std::vector<SourcePage> pages_;
};

using Titles = std::vector<std::string>;

TEST_F(BookFolder, SummaryGivesOrderTitlesAndParts) {
  EXPECT_EQ(titles({{"src/SUMMARY.md",
                     "# Summary\n\n[Start](start.md)\n\n# First part\n\n- [Zinc](z.md)\n    - [Notes](z/notes.md)\n"
                     "- [Amber](a.md)\n    - [Notes](a/notes.md)\n- [Draft]()\n- [Gone](gone.md)\n"},
                    {"src/start.md", "# Other title\n\ntext"},
                    {"src/z.md", "# Z\n\ntext"},
                    {"src/a.md", "# A\n\ntext"},
                    {"src/z/notes.md", "# N\n\ntext"},
                    {"src/a/notes.md", "# N\n\ntext"},
                    {"README.md", "# Repository\n"}}),
            (Titles{"Start", "Zinc", "Notes (Zinc)", "Amber", "Notes (Amber)"}));
  EXPECT_EQ(book_->book().pages.at(1).chapters, Titles{"First part"});
  EXPECT_EQ(pages_.at(0).head.model, "markdown");
  EXPECT_TRUE(warns("src/SUMMARY.md names 1 pages that are not there"));
  EXPECT_TRUE(warns("1 pages that src/SUMMARY.md does not name were left out"));
}

TEST_F(BookFolder, NavOfMkdocsGivesOrderAndTitles) {
  EXPECT_EQ(
      titles({{"mkdocs.yml",
               "site_name: Lights\nnav:\n  - index.md\n  - Guide:\n    - Second: guide/b.md\n"
               "    - guide/a.md\n  - Out: https://x.example\nx: !!python/name:a.b\n"},
              {"docs/index.md", "# Home\n\nSee [b](guide/b.md), [root](/guide/a/), [folder](guide/) and [self](./)."},
              {"docs/guide/a.md", "# A\n\ntext"},
              {"docs/guide/b.md", "# B\n\ntext"},
              {"docs/guide/index.md", "# Guide\n\ntext"},
              {"README.md", "# Repository\n"}}),
      (Titles{"Home", "Second", "A", "Guide"}));
  EXPECT_EQ(book_->book().title, "Lights");
  EXPECT_EQ(book_->book().pages.at(1).chapters, Titles{"Guide"});
  EXPECT_EQ(links_of(0), (Titles{"Second", "A", "Guide", "Home"}));
}

TEST_F(BookFolder, ADamagedTableOfContentsIsPassedOver) {
  EXPECT_EQ(titles({{"mkdocs.yml", "nav: [\n"}, {"docs/a.md", "# A\n\ntext"}}), (Titles{"A"}));
  EXPECT_TRUE(warns("mkdocs.yml cannot be read"));
}

TEST_F(BookFolder, AliasesOfATableOfContentsAreBounded) {
  std::string config = "n0: &n0 [[], []]\n";
  for (int i = 1; i < 30; ++i) {
    config += "n" + std::to_string(i) + ": &n" + std::to_string(i) + " [";
    for (int k = 0; k < 10; ++k) config += "*n" + std::to_string(i - 1) + (k < 9 ? ", " : "]\n");
  }
  EXPECT_EQ(titles({{"mkdocs.yml", config + "nav: [*n29, a.md]\n"}, {"docs/a.md", "# A\n\ntext"}}), (Titles{"A"}));
}

TEST_F(BookFolder, PositionsAndCategoriesOfDocusaurusGiveTheOrder) {
  EXPECT_EQ(titles({{"docs/z.md", "---\nsidebar_position: 1\nslug: /zinc\n---\n# Z\n\ntext"},
                    {"docs/b.md", "---\ntitle: Bee\n---\n\n[z](/zinc) [i](./in/)"},
                    {"docs/a/_category_.json", "{\"label\": \"Last things\", \"position\": 9}"},
                    {"docs/a/c.md", "# Notes\n\ntext"},
                    {"docs/in/_category_.json", "{\"position\": 2}"},
                    {"docs/in/d.md", "# Notes\n\ntext"},
                    {"docs/in/README.md", "text"}}),
            (Titles{"Z", "in", "Notes (in)", "Notes (Last things)", "Bee"}));
  EXPECT_EQ(links_of(4), (Titles{"Z", "in"}));
}

TEST_F(BookFolder, WithoutAnOrderTheIndexIsFirstAndAPageIsInFrontOfItsFolder) {
  EXPECT_EQ(titles({{"hello.md", "# H\n\ntext"},
                    {"hello/x.md", "# X\n\n[up](../) and [other](../hello.html#part)"},
                    {"abc.md", "# Abc\n\ntext"},
                    {"zz.markdown", "# Zz\n\ntext"},
                    {"README.md", "# Start\n\ntext"},
                    {"old.html", "<h1>Old</h1><p>text"},
                    {"LICENSE", "MIT License\n\nPermission"},
                    {"license-keys.md", "# Keys\n\ntext"}}),
            (Titles{"Start", "Abc", "H", "X", "Keys", "Old", "Zz"}));
  EXPECT_EQ(links_of(3), (Titles{"Start", "H"}));
  EXPECT_EQ(book_->book().licence, "MIT License");
}

TEST_F(BookFolder, HeadingsOfMarkdownHaveTheIdsOfTheirSites) {
  titles({{"a.md",
           "# A\n\ntext\n\n## What's new?\n\ntext\n\n## Größe & form\n\ntext\n\n## What's new?\n\ntext\n\n"
           "## Old {#x}\n\ntext"}});
  Titles anchors;
  for (const auto& section : pages_.at(0).document->sections) anchors.push_back(section.anchor);
  EXPECT_EQ(anchors, (Titles{"a.md", "a.md#whats-new", "a.md#größe--form", "a.md#whats-new-1", "a.md#x"}));
}

TEST_F(BookFolder, APageThatIsTheWholeBookOnceMoreIsLeftOut) {
  const std::string text = "<p>Some words about this part of the harbour and its lights.</p>";
  std::vector<std::pair<std::string, std::string>> files;
  std::string whole = "<h1>Harbours</h1>";
  for (const char* name : {"Towers", "Lenses", "Sails", "Ropes"}) {
    files.emplace_back(std::string(name) + ".html", std::string("<h1>") + name + "</h1>" + text);
    whole += std::string("<h2>1. ") + name + "</h2>" + text;
  }
  files.emplace_back("index.html", "<h1>Harbours</h1><p>Contents of the book, which are listed here at length</p>");
  files.emplace_back("print.html", whole);
  EXPECT_EQ(titles(files), (Titles{"Harbours", "Lenses", "Ropes", "Sails", "Towers"}));
  EXPECT_TRUE(warns("print.html was left out, since its sections are the other pages of its folder"));
}

TEST_F(BookFolder, NumbersOfTitlesTellWhatIsPartOfWhat) {
  EXPECT_EQ(titles({{"accounts.html", "<h1>Chapter 8. Accounts</h1><p>text</p>"},
                    {"disks.html", "<h1>Chapter 10. Disks</h1><p>text</p>"},
                    {"files.html", "<h1>8.5. Files</h1><p>text</p>"},
                    {"about.html", "<h1>About</h1><p>text</p>"},
                    {"users.html",
                     "<h1>8.4. Users</h1><p>text</p><h2>8.4.1. Names</h2><p>text</p><h2>8.4.2. 007</h2><p>text"}}),
            (Titles{"About", "Accounts", "Users", "Files", "Disks"}));
  EXPECT_EQ(book_->book().pages.at(2).chapters, Titles{"Accounts"});
  EXPECT_EQ(book_->book().pages.at(1).opens, "Accounts");
  EXPECT_EQ(pages_.at(2).document->sections.at(1).heading.text, "Names");
  EXPECT_EQ(pages_.at(2).document->sections.at(2).heading.text, "8.4.2. 007")
      << "no heading is left without the number";
}

TEST_F(BookFolder, TheLanguageIsThatOfMostPages) {
  titles({{"a.html", "<html lang='de-DE'><h1>A</h1><p>text"},
          {"b.html", "<html><body><div><div lang='de-DE'><h1>B</h1><p>text</div></div>"},
          {"c.html", "<html xml:lang='en'><h1>C</h1><p>text"},
          {"d.html", "<html><h1>D</h1><p>text <em lang='ja'>text</em>"}});
  EXPECT_EQ(book_->language(), "de-DE");
}

TEST_F(BookFolder, UsualLicencesHaveTheirNames) {
  const std::string mit = "Copyright 2020 Ada\n\nPermission is hereby granted, free\nof charge, to any person";
  titles({{"a.md", "# A\n\ntext"}, {"LICENSE-MIT", mit}});
  EXPECT_EQ(book_->book().licence, "MIT");
  titles({{"LICENSE-APACHE", "      Apache License\n      Version 2.0, January 2004"}});
  EXPECT_EQ(book_->book().licence, "Apache-2.0 (LICENSE-APACHE), MIT (LICENSE-MIT)");
}

TEST_F(BookFolder, EntriesOfALooseListHaveThePartsAbove) {
  titles({{"SUMMARY.md",
           "# Summary\n\n- [A](a.md)\n    - [B](b.md)\n        - [C](c.md)\n\n- [D](d.md)\n    - [E](e.md)\n"},
          {"a.md", "# A\n\ntext"},
          {"b.md", "# B\n\ntext"},
          {"c.md", "# C\n\ntext"},
          {"d.md", "# D\n\ntext"},
          {"e.md", "# E\n\ntext"}});
  EXPECT_EQ(book_->book().pages.at(2).chapters, (Titles{"A", "B"}));
  EXPECT_EQ(book_->book().pages.at(3).chapters, Titles{});
  EXPECT_EQ(book_->book().pages.at(4).chapters, Titles{"D"});
  EXPECT_EQ(book_->book().pages.at(0).opens, "A") << "its entry has entries below it";
}

TEST_F(BookFolder, NamespacesOfDokuWikiAreFolders) {
  EXPECT_EQ(
      titles({{"data/pages/guide/start.txt", "====== Guide ======\n[[parts]] [[.more:x]] [[..:top]] [[:top#a|up]]"},
              {"data/pages/guide/parts.txt", "Only text."},
              {"data/pages/guide/more/x.txt", "===== X =====\n[[guide:]] [[guide:parts]] [[gone]]"},
              {"data/pages/top.txt", "====== Top ======\ntext"},
              {"data/robots.txt", "User-agent: *"}}),
      (Titles{"Guide", "X", "parts", "Top"}));
  EXPECT_EQ(links_of(0), (Titles{"parts", "X", "Top", "Top"}));
  EXPECT_EQ(links_of(1), (Titles{"Guide", "parts"}));
  EXPECT_EQ(pages_.at(0).head.model, "dokuwiki");
}

TEST_F(BookFolder, TextFilesWithoutAPageOfDokuWikiAreNoPages) {
  EXPECT_EQ(titles({{"pages/a.md", "# A\n\ntext"}, {"pages/b.txt", "Only text."}}), (Titles{"A"}));
}

TEST_F(BookFolder, PagesWithoutATitleAreCalledByTheirFileOrFolder) {
  EXPECT_EQ(titles({{"team/index.md", "text"}, {"team/goals.md", "text"}}), (Titles{"team", "goals"}));
}

TEST_F(BookFolder, WhatToolsKeepBesidePagesIsNotRead) {
  EXPECT_EQ(titles({{"a.md", "# A\n\ntext"},
                    {"_downloads/b.html", "<h1>B</h1>"},
                    {"node_modules/c/README.md", "# C\n"},
                    {"x/__MACOSX/d.md", "# D\n"}}),
            (Titles{"A"}));
}

TEST_F(BookFolder, ListsOfLinksAreText) {
  titles({{"a.md", "# A\n\n- [B one](b.md)\n- [B two](b.md)\n- [B three](b.md)\n"}, {"b.md", "# B\n\ntext"}});
  EXPECT_EQ(pages_.at(0).document->blocks.size(), 3U);
}

TEST_F(BookFolder, AnIndexGivesTermsToThePagesThatItLeadsTo) {
  titles({{"a.html", "<h1>Fuel</h1><p>Wood burns.</p>"},
          {"b.html", "<h1>Clay</h1><p>Red.</p>"},
          {"z.html",
           "<div role=\"doc-index\"><h1>Register</h1><ul><li><a href=\"a.html\">ash</a></li><li>wood, <a "
           "href=\"a.html#w\">"
           "1</a>, <a href=\"#x\">2</a>, <a href=\"https://example.org/\">3</a></li></ul></div>"}});
  std::vector<std::string> terms;
  for (const auto& link : pages_.at(0).document->other_links) terms.push_back(link.target.text);
  EXPECT_EQ(terms, (Titles{"ash", "wood"}));
  EXPECT_TRUE(pages_.at(1).document->other_links.empty());
  EXPECT_EQ(pages_.at(2).head.page_tags, (Titles{"index"}));
}

}  // namespace
}  // namespace touchstone::extractors::textbook
