// Reads each article of a real dump of Wikimedia Enterprise twice, from its HTML and from the wikitext that the same
// line holds, and compares what was read. What only templates show is taken out of the HTML, since the reader of
// wikitext has no rules for the templates of this wiki.
#include "extractors/dump/byte_source.hpp"
#include "extractors/enterprise/article_html.hpp"
#include "extractors/enterprise/enterprise_source.hpp"
#include "extractors/html/xml_tree.hpp"
#include "extractors/wikitext/wikitext_parser.hpp"
#include "tests/unit/analysis/shared_data.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <libxml/HTMLtree.h>
#include <simdjson.h>

namespace touchstone::extractors::enterprise {
namespace {

using Texts = std::vector<std::string>;

void find_transclusions(xmlNode* node, std::set<std::string>& abouts, std::vector<xmlNode*>& found) {
  for (auto* child = node->children; child != nullptr; child = child->next) {
    const bool begins = html::has_word(child, "typeof", "mw:Transclusion");
    if (begins) abouts.insert(html::attribute(child, "about"));
    if (begins || abouts.contains(html::attribute(child, "about"))) {
      found.push_back(child);
    } else {
      find_transclusions(child, abouts, found);
    }
  }
}

/// The HTML without what templates show. \param count  grows by the elements
std::string without_transclusions(std::string_view html, std::size_t& count) {
  const auto tree = html::parse_html(html);
  std::set<std::string> abouts = {};
  std::vector<xmlNode*> found;
  find_transclusions(xmlDocGetRootElement(tree.get()), abouts, found);
  for (auto* node : found) {
    xmlUnlinkNode(node);
    xmlFreeNode(node);
  }
  count += found.size();
  xmlChar* bytes = nullptr;
  int size = 0;
  htmlDocDumpMemory(tree.get(), &bytes, &size);
  std::string text(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  xmlFree(bytes);
  return text;
}

/// What is compared, by kind; each ascending.
std::map<std::string, Texts> parts_of(const site::SiteInfo& site, const Document& document) {
  std::map<std::string, Texts> parts;
  const auto add_links = [&](const std::vector<Link>& links) {
    for (const auto& link : links) {
      if (link.target.ns != kNamespaceFile) parts["links"].push_back(site.prefixed(link.target));
    }
  };
  for (const auto& section : document.sections) {
    if (section.level > 0) parts["headings"].push_back(section.heading.text);
    add_links(section.heading.links);
  }
  for (const auto& block : document.blocks) {
    parts[block.list_marker.empty() ? "paragraphs" : "items"].push_back(block.content.text);
    add_links(block.content.links);
  }
  for (const auto& table : document.tables) {
    std::string text;
    for (const auto& row : table.cells) {
      for (const auto& cell : row) {
        text += "|" + cell.content.text;
        if (!cell.repeated) add_links(cell.content.links);
      }
    }
    parts["tables"].push_back(text);
  }
  for (const auto& image : document.images) parts["images"].push_back(image.file);
  add_links(document.other_links);
  for (auto& [kind, texts] : parts) std::sort(texts.begin(), texts.end());
  return parts;
}

Texts missing_in(const Texts& all, const Texts& other) {
  Texts missing;
  std::set_difference(all.begin(), all.end(), other.begin(), other.end(), std::back_inserter(missing));
  return missing;
}

/// The text without blanks, signs and the numbers of links that have no text.
std::string letters_of(std::string text) {
  for (const std::string number : {"[1]", "[2]"}) {
    if (text.starts_with(number)) text.erase(0, number.size());
  }
  std::erase_if(text, [](char c) { return static_cast<unsigned char>(c) < '0' || (c > '9' && c < 'A') || c == '|'; });
  return text;
}

/// True if all words of `text` are in `whole`.
bool has_words(std::string text, const std::string& whole) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '|' || c == ',' || c == '.' || c == '(' || c == ')'; }, ' ');
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find(' ', at), text.size());
    if (whole.find(text.substr(at, end - at)) == std::string::npos) return false;
    at = end + 1;
  }
  return true;
}

std::size_t times(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// An article as both readers see it.
struct Comparison {
  std::string_view html, wikitext;
  std::string all_text;                     ///< of the HTML
  std::map<std::string, Texts> with_calls;  ///< of the HTML with what templates show
};

/// Why one reader has a text that the other one lacks; empty if it is not known.
std::string reason_of(const Comparison& article, const std::string& kind, const std::string& text,
                      const Texts& of_other, bool in_wikitext) {
  if (article.wikitext.starts_with("#REDIRECT")) return "HTML and wikitext are of different revisions";
  const auto letters = letters_of(text);
  if (kind == "tables" && letters.empty()) return "table without text";
  const bool alike =
      std::any_of(of_other.begin(), of_other.end(), [&](const auto& other) { return letters_of(other) == letters; });
  if (kind == "tables" && alike && times(article.wikitext, "{|") > times(article.wikitext, "|}")) {
    return "table that is not closed";
  }
  const bool numbered = text.find("[1]") != std::string::npos || text.find("[2]") != std::string::npos;
  const auto is_numbered = [](const auto& other) { return other.starts_with("[1]") || other.starts_with("[2]"); };
  if (alike && (numbered || std::any_of(of_other.begin(), of_other.end(), is_numbered))) return "number of a link";
  const bool has_calls = article.html.find("mw:Transclusion") != std::string_view::npos;
  if (alike && has_calls) return "signs and rows around a template";
  if (article.wikitext.find("<mapframe") != std::string_view::npos) return "map";
  if (kind == "links" && in_wikitext && article.with_calls.contains(kind)) {
    const auto& links = article.with_calls.at(kind);
    if (std::find(links.begin(), links.end(), text) != links.end()) return "inside of a template";
  }
  if (has_calls && in_wikitext && has_words(text, article.all_text)) return "inside of a template";
  return {};
}

std::string text_of(std::string_view html) {
  const auto tree = html::parse_html(html);
  return html::text_below(html::find_element(xmlDocGetRootElement(tree.get()), "body"));
}

TEST(EnterpriseAgainstWikitext, WhatOneReaderLacksHasAReason) {
  const auto path = touchstone::testing::shared_data() / "html" / "crwiki-NS0-20220301-ENTERPRISE-HTML.json.tar.gz";
  TS_NEED_DATA(path);
  dump::ByteSourceOptions bytes;
  bytes.tar_members = {".ndjson"};
  EnterpriseSource source(dump::open_byte_source(path, bytes), {});
  const auto site = *source.site_info();
  const auto rules = wikitext::TemplateRules::built_in(site.language);
  simdjson::dom::parser parser;
  std::map<std::string, std::size_t> same, reasons;
  std::size_t calls = 0, articles = 0, equal_articles = 0;
  while (auto batch = source.next()) {
    for (const auto& record : batch->records) {
      const simdjson::padded_string line(batch->bytes.substr(record.begin, record.size));
      const auto root = parser.parse(line);
      const std::string_view name = root["name"];
      const auto title = site.parse_title(name)->title;
      Comparison article{root["article_body"]["html"], root["article_body"]["wikitext"], "", {}};
      article.all_text = text_of(article.html);
      article.with_calls = parts_of(site, *read_article_html(site, title, article.html));
      auto from_html = parts_of(site, *read_article_html(site, title, without_transclusions(article.html, calls)));
      auto from_text = parts_of(site, wikitext::parse_wikitext(site, rules, title, article.wikitext, {}));
      ++articles;
      bool equal = true;
      for (const std::string kind : {"headings", "paragraphs", "items", "links", "tables", "images"}) {
        const auto only_html = missing_in(from_html[kind], from_text[kind]);
        const auto only_text = missing_in(from_text[kind], from_html[kind]);
        same[kind] += from_html[kind].size() - only_html.size();
        equal = equal && only_html.empty() && only_text.empty();
        const auto explain = [&](const Texts& texts, const Texts& of_other, bool in_wikitext) {
          for (const auto& text : texts) {
            const auto reason = reason_of(article, kind, text, of_other, in_wikitext);
            EXPECT_FALSE(reason.empty()) << name << ", " << kind << (in_wikitext ? " of wikitext: " : " of HTML: ")
                                         << text;
            ++reasons[reason];
          }
        };
        explain(only_html, only_text, false);
        explain(only_text, only_html, true);
      }
      equal_articles += equal ? 1 : 0;
    }
  }
  using Counts = std::map<std::string, std::size_t>;
  EXPECT_EQ(
      same,
      (Counts{{"headings", 33}, {"images", 266}, {"items", 113}, {"links", 301}, {"paragraphs", 203}, {"tables", 8}}));
  EXPECT_EQ(reasons, (Counts{{"HTML and wikitext are of different revisions", 3},
                             {"inside of a template", 7},
                             {"map", 2},
                             {"number of a link", 8},
                             {"signs and rows around a template", 50},
                             {"table that is not closed", 2},
                             {"table without text", 2}}));
  EXPECT_EQ(articles, 180U);
  EXPECT_EQ(equal_articles, 143U);
}

}  // namespace
}  // namespace touchstone::extractors::enterprise
