#include "extractors/internal/renderers.hpp"

#include "common/unicode.hpp"
#include "extractors/internal/text_scan.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace touchstone::extractors::internal {

void append_value(const RenderCall& call, std::string_view argument, ExpandedText& out) {
  ExpandedText value;
  if (call.arguments.expand(argument, value)) append_trimmed(value, out);
}

void append_joined(const RenderCall& call, const std::vector<std::string>& names, std::string_view before,
                   std::string_view between, ExpandedText& out) {
  bool first = true;
  for (const std::string& name : names) {
    if (!first) out.text.append(between);
    out.text.append(before);
    append_value(call, name, out);
    first = false;
  }
}

/// Names of the positional arguments that are not empty, in order.
std::vector<std::string> positional(const RenderCall& call) {
  std::vector<std::string> names;
  for (int i = 1; call.arguments.has(std::to_string(i)); ++i) {
    if (!call.get(i).empty()) names.push_back(std::to_string(i));
  }
  return names;
}

namespace {

/// {{ubl|a|b}}, {{flatlist}}: items one by one. A single argument that holds a list already is shown as it is.
bool render_list(const RenderCall& call, ExpandedText& out) {
  const auto names = positional(call);
  if (names.empty()) return true;
  const std::string only = names.size() == 1 ? call.get(names[0]) : std::string();
  if (!only.empty() && (only[0] == '*' || only[0] == '#')) {
    out.text.push_back('\n');
    append_value(call, names[0], out);
    out.text.push_back('\n');
    return true;
  }
  append_joined(call, names, "", "<br />", out);
  return true;
}

/// {{hlist|a|b}}.
bool render_row(const RenderCall& call, ExpandedText& out) {
  append_joined(call, positional(call), "", " \xC2\xB7 ", out);
  return true;
}

/// {{sortname|First|Last|Article|sort key}}.
bool render_sortname(const RenderCall& call, ExpandedText& out) {
  const std::string shown = std::string(trim(call.get(1) + " " + call.get(2)));
  if (shown.empty()) return false;
  if (!call.get("nolink").empty()) {
    out.text.append(shown);
    return true;
  }
  std::string target = call.get(3);
  if (target.empty()) target = shown;
  if (const std::string dab = call.get("dab"); !dab.empty()) target += " (" + dab + ")";
  append_link(target, shown, out);
  return true;
}

/// What stands in front of item `i` of a list: "A", "A and B", "A, B, and C".
std::string_view list_separator(std::size_t i, std::size_t count) noexcept {
  if (i == 0) return {};
  return i + 1 < count ? ", " : count > 2 ? ", and " : " and ";
}

/// One of the pages that a note leads to. False when it has no title.
bool append_hatnote_link(const RenderCall& call, const std::string& name, ExpandedText& out) {
  std::string target = call.get(name);
  std::string text = call.get("l" + name);
  if (text.empty()) text = call.get("label " + name);
  ExpandedText item;
  if (target.find("[[") != std::string::npos) {
    append_value(call, name, item);
  } else {
    if (const std::size_t bar = target.find('|'); bar != std::string::npos) {
      if (text.empty()) text = target.substr(bar + 1);
      target.resize(bar);
    }
    if (target.empty()) return false;
    if (target.front() == ':') target.erase(0, 1);
    append_link(":" + target, text.empty() ? target : text, item);
  }
  append_trimmed(item, out);
  return true;
}

/// {{main|A|B{{!}}b|l1=shown}}, {{see also|A}}, {{further|A}}: the notes above a section.
bool render_hatnote(const RenderCall& call, ExpandedText& out) {
  const std::vector<std::string> names = positional(call);
  if (names.empty()) return false;
  const std::string_view label = call.name.starts_with("Main")  ? (names.size() > 1 ? "Main articles" : "Main article")
                                 : call.name.starts_with("See") ? "See also"
                                                                : "Further information";
  const std::size_t text_before = out.text.size();
  const std::size_t made_before = out.made.size();
  out.text.append("\n<div>").append(label).append(": ");
  for (std::size_t i = 0; i < names.size(); ++i) {
    out.text.append(list_separator(i, names.size()));
    if (append_hatnote_link(call, names[i], out)) continue;
    out.text.resize(text_before);
    out.made.resize(made_before);
    return false;
  }
  out.text.append("</div>\n");
  return true;
}

/// {{URL|https://example.org/|text}}: the text, or the address without its protocol and last stroke.
bool render_url(const RenderCall& call, ExpandedText& out) {
  if (!call.get(2).empty()) {
    append_value(call, "2", out);
    return true;
  }
  std::string address = call.get(1);
  for (const std::string_view protocol : {"https://", "http://", "//"}) {
    if (address.starts_with(protocol)) address.erase(0, protocol.size());
  }
  if (address.ends_with('/')) address.pop_back();
  const bool markup = address.find_first_of(" []{}<>|\n") != std::string::npos ||
                      address.find("''") != std::string::npos || address.find("__") != std::string::npos;
  if (address.empty() || markup) return false;
  out.text.append(address);
  return true;
}

/// {{harv|Smith|Jones|2000|p=5}}: what it shows in running text.
bool render_harvard(const RenderCall& call, ExpandedText& out) {
  std::vector<std::string> parts;
  for (const std::string& name : positional(call)) parts.push_back(call.get(name));
  constexpr std::size_t kMostParts = 5;
  if (parts.empty() || parts.size() > kMostParts || !call.get("ps").empty()) return false;
  std::string year;
  if (parts.size() > 1) {
    year = parts.back();
    if (year.find_first_of("0123456789") == std::string::npos) return false;
    parts.pop_back();
  }
  std::string authors = parts[0];
  constexpr std::size_t kMostNamed = 3;
  if (parts.size() > kMostNamed) {
    authors += " et al.";
  } else {
    for (std::size_t i = 1; i < parts.size(); ++i) authors += (i + 1 < parts.size() ? ", " : " & ") + parts[i];
  }
  std::string page = call.get("p").empty() ? call.get("page") : call.get("p");
  if (!page.empty()) page = ", p. " + page;
  std::string pages = call.get("pp").empty() ? call.get("pages") : call.get("pp");
  if (const std::size_t hyphen = pages.find('-'); hyphen != std::string::npos) pages.replace(hyphen, 1, "\u2013");
  if (!pages.empty()) page = ", pp. " + pages;
  if (const std::string place = call.get("loc"); !place.empty()) {
    if (place.find("[[") != std::string::npos) return false;
    page += ", " + place;
  }
  if (call.name != "Harvtxt" && !year.empty()) year.insert(0, " ");
  if (call.name == "Harvtxt") {
    if (year.empty()) return false;
    out.text.append(authors).append(" (").append(year).append(page).append(")");
  } else if (call.name == "Harv") {
    out.text.append("(").append(authors).append(year).append(page).append(")");
  } else {
    out.text.append(authors).append(year).append(page);
  }
  return true;
}

/// {{ship|HMS|Hood|51|6}}, {{HMS|Hood|51}}: the link leads to the article that prefix, name and number make; the last
/// argument asks for a part of it only.
bool render_ship(const RenderCall& call, ExpandedText& out) {
  const int first = call.name == "Ship" ? 1 : 0;
  const std::string prefix = first == 0 ? std::string(call.name) : call.get(1);
  const std::string name = call.get(first + 1);
  const std::string number = call.get(first + 2);
  const std::string part = call.get(first + 3);
  if (name.empty() || !call.get(first + 4).empty()) return false;
  for (const char* refused : {"up", "low", "sp", "unlink"}) {
    if (!call.get(refused).empty()) return false;
  }
  const std::string with_prefix = prefix.empty() ? name : prefix + " " + name;
  const std::string behind = number.empty() ? std::string() : " (" + number + ")";
  if (part.empty() || part == "0") {
    append_link(with_prefix + behind, with_prefix + behind, out);
  } else if (part == "2") {
    append_link(with_prefix + behind, name, out);
  } else if (part == "3") {
    append_link(with_prefix + behind, name + behind, out);
  } else if (part == "6") {
    append_link(with_prefix + behind, with_prefix, out);
  } else {
    return false;
  }
  return true;
}

/// {{species list|Puma concolor|(Linnaeus, 1771)|...}}: names and authorities, one pair a line.
bool render_species_list(const RenderCall& call, ExpandedText& out) {
  const auto names = positional(call);
  if (names.empty() || names.size() % 2 != 0 || call.get(static_cast<int>(names.size())).empty()) return false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    out.text.append(i % 2 == 0 ? "\n* " : " ");
    append_value(call, names[i], out);
  }
  out.text.push_back('\n');
  return true;
}

constexpr std::pair<std::string_view, Renderer> kRenderers[] = {
    {"age", render_age},
    {"age-date", render_age_date},
    {"as-of", render_as_of},
    {"chinese", render_chinese},
    {"convert", render_convert},
    {"coordinates", render_coordinates},
    {"country", render_country},
    {"country-icon", render_country_icon},
    {"country-name", render_country_name},
    {"date", render_date},
    {"date-list", render_date_list},
    {"fraction", render_fraction},
    {"harvard", render_harvard},
    {"hatnote", render_hatnote},
    {"in-language", render_in_language},
    {"ipa", render_ipa},
    {"ipa-english", render_ipa_english},
    {"iso-date", render_iso_date},
    {"language", render_language},
    {"list", render_list},
    {"national-team", render_national_team},
    {"native-name", render_native_name},
    {"nihongo", render_nihongo},
    {"number", render_number},
    {"row", render_row},
    {"ship", render_ship},
    {"sortname", render_sortname},
    {"species-list", render_species_list},
    {"url", render_url},
    {"value", render_value},
    {"years", render_years},
};

}  // namespace

std::string RenderCall::get(std::string_view argument) const {
  const auto value = arguments.get(argument);
  return value ? std::string(trim(*value)) : std::string();
}

Renderer find_renderer(std::string_view name) noexcept {
  for (const auto& [known, renderer] : kRenderers) {
    if (known == name) return renderer;
  }
  return nullptr;
}

bool has_renderer(std::string_view name) noexcept {
  return find_renderer(name) != nullptr;
}

std::string renderer_names() {
  std::string names;
  for (const auto& [name, renderer] : kRenderers) {
    if (!names.empty()) names += ", ";
    names += name;
  }
  return names;
}

void append_link(std::string_view target, std::string_view text, ExpandedText& out) {
  const std::size_t begin = out.text.size();
  // A link cannot stand in a link's text: the inner one is shown. What cannot be a title is no target.
  constexpr std::string_view kNoTitle = "[]{}<>\n";
  if (text.find("[[") != std::string_view::npos || target.find_first_of(kNoTitle) != std::string_view::npos) {
    out.text.append(text);
  } else {
    out.text.append("[[").append(target).append("|").append(text).append("]]");
  }
  out.made.push_back({begin, out.text.size()});
}

}  // namespace touchstone::extractors::internal
