#include "extractors/wikitext/templates/renderers.hpp"

#include "common/named_values.hpp"
#include "common/unicode.hpp"
#include "extractors/scan/text_scan.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace touchstone::extractors::wikitext::templates::internal {
using preprocessor::ArgumentName;
using preprocessor::ExpandedText;
using scan::trim;

std::string phrase(std::string_view wording, std::initializer_list<std::string_view> values) {
  std::string out;
  for (std::size_t i = 0; i < wording.size(); ++i) {
    const auto number = wording[i] == '{' && i + 2 < wording.size() && wording[i + 2] == '}'
                            ? static_cast<std::size_t>(wording[i + 1] - '1')
                            : values.size();
    if (number < values.size()) {
      out.append(values.begin()[number]);
      i += 2;
    } else {
      out.push_back(wording[i]);
    }
  }
  return out;
}

void append_phrase(const RenderCall& call, std::string_view wording, const ArgumentName& argument, ExpandedText& out) {
  constexpr std::string_view kPlace = "{1}";
  const std::size_t place = std::min(wording.find(kPlace), wording.size());
  out.text.append(wording.substr(0, place));
  append_value(call, argument, out);
  if (place < wording.size()) out.text.append(wording.substr(place + kPlace.size()));
}

void append_joined(const RenderCall& call, const std::vector<int>& positions, std::string_view before,
                   std::string_view between, ExpandedText& out) {
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (i > 0) out.text.append(between);
    out.text.append(before);
    append_value(call, positions[i], out);
  }
}

std::vector<int> shown_positions(const RenderCall& call) {
  constexpr std::size_t kUsual = 8;
  std::vector<int> positions;
  positions.reserve(kUsual);
  for (int i = 1; call.arguments.find(i) != nullptr; ++i) {
    if (call.arguments.find_filled(i) != nullptr) positions.push_back(i);
  }
  return positions;
}

std::vector<int> positional(const RenderCall& call) {
  std::vector<int> positions = shown_positions(call);
  std::size_t next = 0;
  for (int i = 1; call.arguments.find(i) != nullptr; ++i) {
    if (next < positions.size() && positions[next] == i) {
      ++next;
    } else if (call.arguments.is_unknown(i)) {
      call.certain = false;
    }
  }
  return positions;
}

std::string_view list_separator(const RenderCall& call, std::size_t i, std::size_t count) {
  if (i == 0) return {};
  return call.word(i + 1 < count ? "list-comma" : count > 2 ? "list-last" : "list-and");
}

namespace {

/// {{ubl|a|b}}, {{flatlist}}: items one by one. A single argument that holds a list already is shown as it is.
bool render_list(const RenderCall& call, ExpandedText& out) {
  const auto items = shown_positions(call);
  const std::string_view only = items.size() == 1 ? call.arguments.trimmed(items[0]) : std::string_view();
  if (only.starts_with('*') || only.starts_with('#')) {
    out.text.push_back('\n');
    append_value(call, items[0], out);
    out.text.push_back('\n');
    return true;
  }
  append_joined(call, items, "", "<br />", out);
  return true;
}

/// {{hlist|a|b}}.
bool render_row(const RenderCall& call, ExpandedText& out) {
  append_joined(call, shown_positions(call), "", " \xC2\xB7 ", out);
  return true;
}

/// "a b", or the one of them that is not empty.
std::string with_blank(std::string_view a, std::string_view b) {
  std::string out(a);
  if (!a.empty() && !b.empty()) out += ' ';
  return out.append(b);
}

/// {{sortname|First|Last|Article|sort key}}.
bool render_sortname(const RenderCall& call, ExpandedText& out) {
  const std::string shown = with_blank(call.get(1), call.get(2));
  if (shown.empty()) return false;
  if (!call.get("nolink").empty()) {
    out.text.append(shown);
    return true;
  }
  std::string target(call.get(3));
  if (target.empty()) target = shown;
  if (const std::string_view dab = call.get("dab"); !dab.empty()) target.append(" (").append(dab).append(")");
  append_link(target, shown, out);
  return true;
}

/// "l1=" or "label 1=": what a note shows for the page it leads to at this position.
std::string_view hatnote_label(const RenderCall& call, int position) {
  if (!call.arguments.has_named()) return {};
  std::string name = "l" + std::to_string(position);
  const std::string_view label = call.get(name);
  return label.empty() ? call.get(name.insert(1, "abel ")) : label;
}

/// One of the pages that a note leads to. False when it has no title.
bool append_hatnote_link(const RenderCall& call, int position, ExpandedText& out) {
  if (call.arguments.trimmed(position).find("[[") != std::string_view::npos) {
    append_value(call, position, out);
    return true;
  }
  std::string_view target = call.get(position);
  std::string_view text = hatnote_label(call, position);
  if (const std::size_t bar = target.find('|'); bar != std::string_view::npos) {
    if (text.empty()) text = target.substr(bar + 1);
    target = target.substr(0, bar);
  }
  if (target.empty()) return false;
  if (target.front() == ':') target.remove_prefix(1);
  append_link(":", target, text.empty() ? target : text, out);
  return true;
}

/// {{main|A|B{{!}}b|l1=shown}}, {{see also|A}}, {{further|A}}: the notes above a section.
bool render_hatnote(const RenderCall& call, ExpandedText& out) {
  const std::vector<int> positions = positional(call);
  if (positions.empty()) return false;
  const std::string_view label =
      call.word(call.name.starts_with("Main")  ? (positions.size() > 1 ? "main-articles" : "main-article")
                : call.name.starts_with("See") ? "see-also"
                                               : "further");
  out.text.append("\n<div class=\"hatnote\">").append(label);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    out.text.append(list_separator(call, i, positions.size()));
    if (!append_hatnote_link(call, positions[i], out)) return false;
  }
  out.text.append("</div>\n");
  return true;
}

/// {{URL|https://example.org/|text}}: the text, or the address without its protocol and last stroke.
bool render_url(const RenderCall& call, ExpandedText& out) {
  if (call.shows(2)) {
    append_value(call, 2, out);
    return true;
  }
  std::string_view address = call.get(1);
  for (const std::string_view protocol : {"https://", "http://", "//"}) {
    if (address.starts_with(protocol)) address.remove_prefix(protocol.size());
  }
  if (address.ends_with('/')) address.remove_suffix(1);
  const bool markup = address.find_first_of(" []{}<>|\n") != std::string_view::npos ||
                      address.find("''") != std::string_view::npos || address.find("__") != std::string_view::npos;
  if (address.empty() || markup) return false;
  out.text.append(address);
  return true;
}

/// The first of two arguments that is not empty.
std::string_view either(const RenderCall& call, const ArgumentName& one, const ArgumentName& other) {
  const std::string_view value = call.get(one);
  return value.empty() ? call.get(other) : value;
}

/// ", p. 5", ", pp. 5-7" and the like behind a year. Nothing when it is not known how it is shown.
std::optional<std::string> harvard_place(const RenderCall& call) {
  std::string place;
  if (std::string_view pages = either(call, "pp", "pages"); !pages.empty()) {
    const std::size_t hyphen = std::min(pages.find('-'), pages.size());
    place.append(call.word("cited-pages")).append(pages.substr(0, hyphen));
    if (hyphen < pages.size()) place.append("\u2013").append(pages.substr(hyphen + 1));
  } else if (const std::string_view page = either(call, "p", "page"); !page.empty()) {
    place.append(call.word("cited-page")).append(page);
  }
  if (const std::string_view words = call.get("loc"); !words.empty()) {
    if (words.find("[[") != std::string_view::npos) return std::nullopt;
    place.append(", ").append(words);
  }
  return place;
}

/// {{harv|Smith|Jones|2000|p=5}}: what it shows in running text.
bool render_harvard(const RenderCall& call, ExpandedText& out) {
  std::vector<int> parts = positional(call);
  constexpr std::size_t kMostParts = 5;
  if (parts.empty() || parts.size() > kMostParts || !call.get("ps").empty()) return false;
  std::string_view year;
  if (parts.size() > 1) {
    year = call.get(parts.back());
    if (year.find_first_of("0123456789") == std::string_view::npos) return false;
    parts.pop_back();
  }
  const auto place = harvard_place(call);
  const bool in_text = call.name == "Harvtxt";
  if (!place || (in_text && year.empty())) return false;
  if (call.name == "Harv") out.text.append("(");
  out.text.append(call.get(parts[0]));
  constexpr std::size_t kMostNamed = 3;
  if (parts.size() > kMostNamed) {
    out.text.append(call.word("and-others"));
  } else {
    for (std::size_t i = 1; i < parts.size(); ++i)
      out.text.append(i + 1 < parts.size() ? ", " : " & ").append(call.get(parts[i]));
  }
  if (!year.empty()) out.text.append(in_text ? " (" : " ").append(year);
  out.text.append(*place);
  if (in_text || call.name == "Harv") out.text.append(")");
  return true;
}

/// {{ship|HMS|Hood|51|6}}, {{HMS|Hood|51}}: the link leads to the article that prefix, name and number make; the last
/// argument asks for a part of it only.
bool render_ship(const RenderCall& call, ExpandedText& out) {
  const int first = call.name == "Ship" ? 1 : 0;
  const std::string_view prefix = first == 0 ? call.name : call.get(1);
  const std::string_view name = call.get(first + 1);
  const std::string_view number = call.get(first + 2);
  const std::string_view part = call.get(first + 3);
  if (name.empty() || !call.get(first + 4).empty()) return false;
  for (const char* refused : {"up", "low", "sp", "unlink"}) {
    if (!call.get(refused).empty()) return false;
  }
  const std::string with_prefix = with_blank(prefix, name);
  const std::string behind = number.empty() ? std::string() : " (" + std::string(number) + ")";
  const std::string target = with_prefix + behind;
  if (part.empty() || part == "0") {
    append_link(target, target, out);
  } else if (part == "2") {
    append_link(target, name, out);
  } else if (part == "3") {
    append_link(target, std::string(name) + behind, out);
  } else if (part == "6") {
    append_link(target, with_prefix, out);
  } else {
    return false;
  }
  return true;
}

/// {{species list|Puma concolor|(Linnaeus, 1771)|...}}: names and authorities, one pair a line.
bool render_species_list(const RenderCall& call, ExpandedText& out) {
  const auto parts = positional(call);
  if (parts.empty() || parts.size() % 2 != 0 || !call.shows(static_cast<int>(parts.size()))) return false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    out.text.append(i % 2 == 0 ? "\n* " : " ");
    append_value(call, parts[i], out);
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

Renderer find_renderer(std::string_view name) noexcept {
  const Renderer* found = find_value(kRenderers, name);
  return found == nullptr ? nullptr : *found;
}

std::string renderer_names() {
  std::string names;
  for (const auto& [name, renderer] : kRenderers) {
    if (!names.empty()) names += ", ";
    names += name;
  }
  return names;
}

/// Bytes that no title holds.
static constexpr auto kNoTitle = [] {
  std::array<bool, 256> bytes{};
  for (const char c : {'[', ']', '{', '}', '<', '>', '\n'}) bytes[static_cast<unsigned char>(c)] = true;
  return bytes;
}();

void append_link(std::string_view lead, std::string_view target, std::string_view text, ExpandedText& out) {
  const std::size_t begin = out.text.size();
  const auto ends_title = [](char c) { return kNoTitle[static_cast<unsigned char>(c)]; };
  // A link cannot be in a link's text: the inner one is shown. What cannot be a title is not a target.
  if (text.find("[[") != std::string_view::npos || std::any_of(target.begin(), target.end(), ends_title)) {
    out.text.append(trim(text));
  } else {
    out.text.append("[[").append(lead).append(target).append("|").append(text).append("]]");
  }
  out.made.push_back({begin, out.text.size()});
}

}  // namespace touchstone::extractors::wikitext::templates::internal
