#include "extractors/internal/renderers.hpp"

#include "common/unicode.hpp"
#include "extractors/internal/text_scan.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>
#include <vector>

namespace touchstone::extractors::internal {
namespace {

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

/// {{nihongo|English|kanji|romaji|extra|extra2}} and its sisters: one text in front, the others in brackets. Marks of
/// italics are left out, since the arguments may bring their own.
bool render_nihongo(const RenderCall& call, ExpandedText& out) {
  std::vector<std::string> parts;
  const auto add = [&](const char* argument) {
    if (!call.get(argument).empty()) parts.emplace_back(argument);
  };
  if (call.name.find('3') != std::string_view::npos) {  // nihongo3 begins with the romanisation
    add("3");
    add("2");
    add("1");
  } else {
    add("1");
    const bool english = !parts.empty();
    if (!english) add("3");
    add("2");
    if (english) add("3");
  }
  if (parts.empty()) return false;
  add("4");
  add("extra");
  append_value(call, parts[0], out);
  if (parts.size() > 1) {
    out.text.append(" (");
    append_joined(call, {parts.begin() + 1, parts.end()}, "", ", ", out);
    out.text.push_back(')');
  }
  for (const char* extra : {"5", "extra2"}) {
    if (call.get(extra).empty()) continue;
    out.text.push_back(' ');
    append_value(call, extra, out);
  }
  return true;
}

/// {{lang-fr|texte}}: the name of the language, which the template's own name tells, and the text.
bool render_language(const RenderCall& call, ExpandedText& out) {
  const std::size_t dash = call.name.find('-');
  if (dash == std::string_view::npos || call.get(1).empty()) return false;
  const auto found = call.rules.languages.find(lower_case(call.name.substr(dash + 1)));
  if (found == call.rules.languages.end()) return false;
  const std::string label = call.get("label");
  if (label != "none") {
    if (!label.empty()) {
      out.text.append(label);
    } else if (call.get("link") == "no") {
      out.text.append(found->second);
    } else {
      append_link(found->second + " language", found->second, out);
    }
    out.text.append(": ");
  }
  append_value(call, "1", out);
  if (const std::string literal = call.get("lit"); !literal.empty())
    out.text.append(", lit. '").append(literal).append("'");
  return true;
}

/// {{frac|1|2|3}} as "1 2/3", {{frac|2|3}} as "2/3", {{frac|3}} as "1/3".
bool render_fraction(const RenderCall& call, ExpandedText& out) {
  const std::string a = call.get(1), b = call.get(2), c = call.get(3);
  if (!c.empty()) {
    out.text.append(a).append(" ").append(b).append("\xE2\x81\x84").append(c);
  } else if (!b.empty()) {
    out.text.append(a).append("\xE2\x81\x84").append(b);
  } else if (!a.empty()) {
    out.text.append("1\xE2\x81\x84").append(a);
  } else {
    return false;
  }
  return true;
}

/// {{main|A|B{{!}}b|l1=shown}} and other notes above a section: the links only.
bool render_hatnote(const RenderCall& call, ExpandedText& out) {
  int shown = 0;
  for (const std::string& name : positional(call)) {
    const std::string target = call.get(name);
    if (target.find("[[") != std::string::npos || target.find('|') != std::string::npos) continue;
    std::string text = call.get("l" + name);
    if (text.empty()) text = call.get("label " + name);
    out.text.append(shown++ == 0 ? "\n<div>" : ", ");
    append_link(target.front() == ':' ? target : ":" + target, text.empty() ? target : text, out);
  }
  if (shown > 0) out.text.append("</div>\n");
  return shown > 0;
}

/// {{val|1234567|0.5|u=km}}: number, uncertainty, and units whose code is what is shown; anything else is not
/// understood.
bool render_value(const RenderCall& call, ExpandedText& out) {
  constexpr std::string_view kUnits[] = {"m",   "km",  "cm",  "mm",  "nm",  "kg",  "g",   "mg",  "s",  "ms",
                                         "K",   "Hz",  "kHz", "MHz", "GHz", "W",   "kW",  "MW",  "GW", "V",
                                         "kV",  "A",   "eV",  "keV", "MeV", "GeV", "TeV", "J",   "kJ", "Pa",
                                         "kPa", "MPa", "GPa", "N",   "mol", "bar", "pc",  "kpc", "Mpc"};
  const std::string number = call.get(1);
  const std::string uncertainty = call.get(2);
  const auto is_number = [](const std::string& text) {
    return !text.empty() &&
           text.find_first_not_of("0123456789.", text[0] == '-' || text[0] == '+' ? 1 : 0) == std::string::npos;
  };
  if (!is_number(number) || (!uncertainty.empty() && !is_number(uncertainty)) || !call.get(3).empty()) return false;
  for (const char* refused : {"e", "upl", "up", "p", "s", "fmt", "end", "errend", "long", "+errend", "-errend"}) {
    if (!call.get(refused).empty()) return false;
  }
  const std::string unit = call.get(call.get("u").empty() ? "ul" : "u");
  if (!unit.empty() && std::find(std::begin(kUnits), std::end(kUnits), unit) == std::end(kUnits)) return false;
  if (number[0] == '-') {
    out.text.append("\xE2\x88\x92").append(number, 1);
  } else {
    out.text.append(number);
  }
  if (!uncertainty.empty()) out.text.append("\xC2\xB1").append(uncertainty);
  if (!unit.empty()) out.text.append("\xC2\xA0").append(unit);
  return true;
}

/// {{in lang|ja|en}}: "(in Japanese and English)".
bool render_in_language(const RenderCall& call, ExpandedText& out) {
  std::vector<std::string> languages;
  for (const std::string& name : positional(call)) {
    const auto found = call.rules.languages.find(lower_case(call.get(name)));
    if (found == call.rules.languages.end()) return false;
    languages.push_back(found->second);
  }
  if (languages.empty()) return false;
  out.text.append("(in ");
  for (std::size_t i = 0; i < languages.size(); ++i) {
    if (i > 0) out.text.append(i + 1 < languages.size() ? ", " : languages.size() > 2 ? ", and " : " and ");
    out.text.append(languages[i]);
  }
  out.text.push_back(')');
  return true;
}

/// {{coord|35|41|22|N|139|41|30|E|...}} as degrees, minutes, seconds or as decimal degrees.
bool render_coordinates(const RenderCall& call, ExpandedText& out) {
  const std::string display = call.get("display");
  if (display == "title" || display == "t") return true;
  std::vector<std::string> numbers;
  std::string shown;
  constexpr std::array<const char*, 3> kMarks = {"\xC2\xB0", "\xE2\x80\xB2", "\xE2\x80\xB3"};
  int halves = 0;
  for (int i = 1; i <= 8 && halves < 2; ++i) {
    const std::string value = call.get(i);
    if (value.empty()) return false;
    if (value == "N" || value == "S" || value == "E" || value == "W") {
      if (numbers.empty() || numbers.size() > kMarks.size()) return false;
      if (halves++ > 0) shown += " ";
      for (std::size_t k = 0; k < numbers.size(); ++k) shown += numbers[k] + kMarks[k];
      shown += value;
      numbers.clear();
    } else if (value.find_first_not_of("0123456789.-+") == std::string::npos) {
      numbers.push_back(value);
      if (i == 2 && numbers.size() == 2 && (call.get(3).empty() || call.get(3).find(':') != std::string::npos)) {
        shown = numbers[0] + ", " + numbers[1];
        halves = 2;
      }
    } else {
      return false;
    }
  }
  if (halves != 2) return false;
  out.text.append(shown);
  return true;
}

constexpr std::pair<std::string_view, Renderer> kRenderers[] = {
    {"age-date", render_age_date}, {"as-of", render_as_of},
    {"convert", render_convert},   {"coordinates", render_coordinates},
    {"date", render_date},         {"fraction", render_fraction},
    {"hatnote", render_hatnote},   {"in-language", render_in_language},
    {"iso-date", render_iso_date}, {"language", render_language},
    {"list", render_list},         {"nihongo", render_nihongo},
    {"row", render_row},           {"sortname", render_sortname},
    {"value", render_value},
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
  // A link cannot stand in a link's text: the inner one is shown. A target over several lines is none.
  if (text.find("[[") != std::string_view::npos || target.find('\n') != std::string_view::npos) {
    out.text.append(text);
  } else {
    out.text.append("[[").append(target).append("|").append(text).append("]]");
  }
  out.made.push_back({begin, out.text.size()});
}

}  // namespace touchstone::extractors::internal
