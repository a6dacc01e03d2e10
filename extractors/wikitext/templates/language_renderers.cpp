#include "common/unicode.hpp"
#include "extractors/data/data_table.hpp"
#include "extractors/scan/text_scan.hpp"
#include "extractors/wikitext/templates/renderers.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace touchstone::extractors::wikitext::templates::internal {
using preprocessor::ArgumentName;
using preprocessor::ExpandedText;
using scan::starts_with_ignoring_case;

/// {{nihongo|English|kanji|romaji|extra|extra2}} and its sisters: one text in front, the others in brackets. Marks of
/// italics are left out, since the arguments may bring their own.
bool render_nihongo(const RenderCall& call, ExpandedText& out) {
  std::vector<std::pair<ArgumentName, std::string_view>> parts;  // argument, label
  const bool lead = call.get("lead") == "yes";
  const auto add = [&](const ArgumentName& argument, std::string_view label = {}) {
    if (call.shows(argument)) parts.emplace_back(argument, label);
  };
  const std::string_view japanese = lead ? call.word("japanese") : "";
  const std::string_view hepburn = lead ? call.word("hepburn") : "";
  if (call.name == "Nihongo3") {  // begins with the romanisation
    add(3);
    add(2, japanese);
    add(1);
  } else if (call.name == "Nihongo krt") {
    add(2);
    add(3);
    add(1);
  } else if (call.shows(1)) {
    add(1);
    if (call.name != "Nihongo foot") {
      add(2, japanese);
      add(3, hepburn);
    }
  } else {
    add(3);
    add(2, japanese);
  }
  if (parts.empty()) return false;
  if (call.name != "Nihongo foot") {
    add(4);
    add("extra");
  }
  append_value(call, parts[0].first, out);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    out.text.append(i == 1 ? " (" : ", ").append(parts[i].second);
    append_value(call, parts[i].first, out);
  }
  if (parts.size() > 1) out.text.push_back(')');
  for (const ArgumentName& extra : {ArgumentName(5), ArgumentName("extra2")}) {
    if (call.name == "Nihongo foot" || !call.shows(extra)) continue;
    out.text.push_back(' ');
    append_value(call, extra, out);
  }
  return true;
}

/// Name of the language with this code, or null.
static const std::string* language_name(const RenderCall& call, std::string_view code) {
  const auto found = call.rules.languages.find(lower_case(code));
  return found == call.rules.languages.end() ? nullptr : &found->second;
}

/// {{lang-fr|texte|translit|translation}} and {{langx|fr|texte|...}}: the name of the language, the text, its
/// romanisation and its literal translation.
bool render_language(const RenderCall& call, ExpandedText& out) {
  const std::size_t dash = call.name.find('-');
  const int first = dash == std::string_view::npos ? 1 : 0;
  const std::string* language = language_name(call, first == 1 ? call.get(1) : call.name.substr(dash + 1));
  if (language == nullptr || !call.shows(first + 1)) return false;
  const std::string_view label = call.get("label");
  if (label != "none") {
    if (!label.empty()) {
      out.text.append(label);
    } else if (call.get("link") == "no") {
      out.text.append(*language);
    } else {
      append_link(phrase(call.word("language-article"), {*language}), *language, out);
    }
    out.text.append(": ");
  }
  append_value(call, first + 1, out);
  // Arguments are appended as they are, not as text: links that a rule made in them stay marked as such.
  const auto add = [&](const char* name, int position, std::string_view before, const char* wording) {
    const ArgumentName argument = call.shows(name) ? ArgumentName(name) : ArgumentName(position);
    if (!call.shows(argument)) return;
    out.text.append(before);
    append_phrase(call, wording == nullptr ? "{1}" : call.word(wording), argument, out);
  };
  add("translit", first + 2, ", ", label == "none" ? nullptr : "romanized");
  add("lit", first + 3, ", ", "literally");
  return true;
}

/// {{native name|fr|texte}}: "texte (French)".
bool render_native_name(const RenderCall& call, ExpandedText& out) {
  const std::string* language = language_name(call, call.get(1));
  const std::string_view paren = call.get("paren");
  const bool omit = paren == "omit" || paren == "off" || paren == "no";
  if ((language == nullptr && !omit) || !call.shows(2) || !call.get(3).empty()) return false;
  append_value(call, 2, out);
  if (!omit) {
    out.text.append(" (");
    append_link(phrase(call.word("language-article"), {*language}), *language, out);
    out.text.append(")");
  }
  return true;
}

/// {{zh|c=..|s=..|t=..|p=..}}: "simplified Chinese: ..; traditional Chinese: ..; pinyin: ..".
bool render_chinese(const RenderCall& call, ExpandedText& out) {
  using Form = std::pair<std::string_view, std::string_view>;  // argument, key of its label
  constexpr std::string_view kLiterally = "literally";
  constexpr Form kKorean[] = {{"hangul", "ko-hangul"}, {"hanja", "ko-hanja"}, {"rr", "ko-rr"},
                              {"mr", "ko-mr"},         {"l", kLiterally},     {"lit", kLiterally}};
  constexpr Form kChinese[] = {{"c", "zh-c"},     {"s", "zh-s"},     {"t", "zh-t"},    {"p", "zh-p"},
                               {"tp", "zh-tp"},   {"w", "zh-w"},     {"j", "zh-j"},    {"cy", "zh-cy"},
                               {"poj", "zh-poj"}, {"zhu", "zh-zhu"}, {"l", kLiterally}};
  std::vector<Form> forms(std::begin(kChinese), std::end(kChinese));
  if (call.name == "Korean") forms.assign(std::begin(kKorean), std::end(kKorean));
  for (const auto& argument : call.arguments.all()) {
    const std::string_view name = argument.name.text();
    if (!argument.named || !call.shows(argument.name)) continue;
    const bool known = std::any_of(forms.begin(), forms.end(), [&](const Form& form) { return form.first == name; });
    constexpr std::array<std::string_view, 5> kAsked = {"first", "labels", "links", "scase", "out"};
    if (!known && std::find(kAsked.begin(), kAsked.end(), name) == kAsked.end()) return false;
  }
  if (!call.get("scase").empty() || !call.get("out").empty()) return false;
  const bool labels = call.get("labels") != "no";
  const bool traditional_first = call.get("first").find('t') != std::string::npos;
  if (!traditional_first && !call.get("first").empty()) return false;
  const bool same = call.shows("s") && call.arguments.trimmed("s") == call.arguments.trimmed("t");
  if (traditional_first) std::swap(forms[1], forms[2]);
  bool any = false;
  for (auto [name, label] : forms) {
    if (!call.shows(name) || (same && name == "t")) continue;
    if (same && name == "s") label = "zh-c";
    if (any) out.text.append("; ");
    any = true;
    if (label == kLiterally) {
      append_phrase(call, call.word(label), name, out);
      continue;
    }
    if (labels) out.text.append(call.word(label)).append(": ");
    append_value(call, name, out);
  }
  return any;
}

/// What {{IPA-fr|..|x}} puts in front by its second argument.
static std::optional<std::string> ipa_lead(const RenderCall& call, std::string_view asked,
                                           const std::string* language) {
  if (asked.empty() || asked == "lang") {
    if (language == nullptr) return std::nullopt;
    return asked.empty() ? phrase(call.word("pronunciation"), {*language}) : *language + ": ";
  }
  if (asked != "local" && asked != "pron" && asked != "also") return std::nullopt;
  return std::string(call.word("ipa-" + std::string(asked)));
}

/// {{IPA-fr|texte|lang}} and {{IPA|fr|texte}}: pronunciation in square brackets; {{IPA|/texte/}} as it is.
bool render_ipa(const RenderCall& call, ExpandedText& out) {
  const std::size_t dash = call.name.find('-');
  if (dash == std::string_view::npos) {
    if (!call.shows(2)) {
      append_value(call, 1, out);
      return call.shows(1);
    }
    const std::string* language = language_name(call, call.get(1));
    const std::string_view label = call.get("label");
    const auto lead = label.empty() ? ipa_lead(call, call.get(3).empty() ? "lang" : call.get(3), language)
                                    : std::optional(std::string(label) + " ");
    if (!lead) return false;
    out.text.append(*lead).append("[");
    append_value(call, 2, out);
    out.text.append("]");
    return true;
  }
  if (!call.shows(1)) return false;
  std::string lead;
  if (call.name != "IPA-all") {
    const auto found = ipa_lead(call, call.get(2), language_name(call, call.name.substr(dash + 1)));
    if (!found) return false;
    lead = *found;
  }
  out.text.append(lead).append("[");
  append_value(call, 1, out);
  out.text.append("]");
  return true;
}

/// The sign for one argument of {{IPAc-en}}; empty for what is not a letter of the alphabet for English.
static std::string_view english_sound(std::string_view code) {
  static const auto sounds = [] {
    std::unordered_map<std::string_view, std::string_view> table;
    data::for_each_row<2>(data::data_table("english_sounds"),
                          [&](const data::DataRow<2>& row) { table.emplace(row[1], row[0]); });
    return table;
  }();
  const auto found = sounds.find(code);
  return found == sounds.end() ? std::string_view() : found->second;
}

/// {{IPAc-en|lang|ˈ|w|ɪ|k|i}}: sounds one by one.
bool render_ipa_english(const RenderCall& call, ExpandedText& out) {
  constexpr std::pair<std::string_view, std::string_view> kLeads[] = {{"lang", "ipa-en"},   {"pron", "ipa-pron"},
                                                                      {"uk", "ipa-uk"},     {"us", "ipa-us"},
                                                                      {"also", "ipa-also"}, {"local", "ipa-local"}};
  std::string_view lead;
  std::string sounds;
  for (const int position : positional(call)) {
    const std::string_view code = call.get(position);
    if (sounds.empty()) {
      const auto* const found = std::find_if(std::begin(kLeads), std::end(kLeads), [&](const auto& l) {
        return code.size() == l.first.size() && starts_with_ignoring_case(code, l.first);
      });
      if (found != std::end(kLeads)) {
        if (!lead.empty()) return false;
        lead = call.word(found->second);
        continue;
      }
    }
    const std::string_view sound = english_sound(code);
    if (sound.empty()) return false;
    sounds += sound;
  }
  if (sounds.empty()) return false;
  out.text.append(lead).append("/").append(sounds).append("/");
  return true;
}

/// {{in lang|ja|en}}: "(in Japanese and English)".
bool render_in_language(const RenderCall& call, ExpandedText& out) {
  std::vector<std::string_view> languages;
  for (const int position : positional(call)) {
    const std::string* language = language_name(call, call.get(position));
    if (language == nullptr) return false;
    languages.push_back(*language);
  }
  if (languages.empty()) return false;
  std::string list;
  for (std::size_t i = 0; i < languages.size(); ++i)
    list.append(list_separator(call, i, languages.size())).append(languages[i]);
  out.text.append(phrase(call.word("in-languages"), {list}));
  return true;
}

}  // namespace touchstone::extractors::wikitext::templates::internal
