#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace touchstone::testing {

/// Text as XML holds it.
inline std::string xml_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out.push_back(c);
    }
  }
  return out;
}

/// One `<revision>` of an export-0.11 dump.
inline std::string revision_xml(std::uint64_t revision, std::string_view wikitext,
                                std::string_view timestamp = "2025-01-01T00:00:00Z") {
  return "    <revision>\n      <id>" + std::to_string(revision) + "</id>\n      <timestamp>" + std::string(timestamp) +
         "</timestamp>\n      <contributor><username>Somebody</username><id>9</id></contributor>\n"
         "      <model>wikitext</model>\n      <format>text/x-wiki</format>\n      <text xml:space=\"preserve\">" +
         xml_escaped(wikitext) + "</text>\n    </revision>\n";
}

/// One `<page>` with the given revisions; `redirect` is the target of `<redirect title="..">`, empty for none.
inline std::string page_xml(std::uint32_t id, std::string_view title, std::string_view revisions,
                            std::string_view redirect = {}, int ns = 0) {
  std::string out = "  <page>\n    <title>" + xml_escaped(title) + "</title>\n    <ns>" + std::to_string(ns) +
                    "</ns>\n    <id>" + std::to_string(id) + "</id>\n";
  if (!redirect.empty()) out += "    <redirect title=\"" + xml_escaped(redirect) + "\" />\n";
  return out + std::string(revisions) + "  </page>\n";
}

/// A page with one revision, numbered 1000 + id.
inline std::string simple_page(std::uint32_t id, std::string_view title, std::string_view wikitext,
                               std::string_view redirect = {}) {
  return page_xml(id, title, revision_xml(1000 + id, wikitext), redirect);
}

inline constexpr std::string_view kDumpRoot =
    "<mediawiki xmlns=\"http://www.mediawiki.org/xml/export-0.11/\" version=\"0.11\" xml:lang=\"en\">\n";

/// `<siteinfo>` of a wiki named Tinywiki.
inline std::string site_info_xml(std::string_view db_name = "tinywiki") {
  return "  <siteinfo>\n    <sitename>Tinywiki</sitename>\n    <dbname>" + std::string(db_name) +
         "</dbname>\n    <base>https://tiny.example/wiki/Main_Page</base>\n    <generator>MediaWiki 1.43</generator>\n"
         "    <case>first-letter</case>\n    <namespaces>\n"
         "      <namespace key=\"0\" case=\"first-letter\" />\n"
         "      <namespace key=\"10\" case=\"first-letter\">Template</namespace>\n"
         "      <namespace key=\"14\" case=\"first-letter\">Category</namespace>\n"
         "    </namespaces>\n  </siteinfo>\n";
}

/// A whole dump around the given `<page>` elements.
inline std::string dump_xml(std::string_view pages, std::string_view db_name = "tinywiki") {
  return std::string(kDumpRoot) + site_info_xml(db_name) + std::string(pages) + "</mediawiki>\n";
}

}  // namespace touchstone::testing
