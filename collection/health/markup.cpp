#include "collection/health/markup.hpp"

#include "common/byte_set.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace touchstone::collection::health {
namespace {

constexpr std::array<std::string_view, 15> kPieces{
    "thumb|",   "{{",       "}}",     "[[",    "]]",     "{|",     "|}", "|-",
    "colspan=", "rowspan=", "style=", "href=", "&nbsp;", "&quot;", "'''"};

/// Tags of MediaWiki and its extensions, and those of HTML that wikitext allows. Sorted.
constexpr std::array<std::string_view, 62> kTags{"abbr",
                                                 "b",
                                                 "big",
                                                 "blockquote",
                                                 "br",
                                                 "center",
                                                 "cite",
                                                 "code",
                                                 "dd",
                                                 "del",
                                                 "div",
                                                 "dl",
                                                 "dt",
                                                 "em",
                                                 "font",
                                                 "gallery",
                                                 "h1",
                                                 "h2",
                                                 "h3",
                                                 "h4",
                                                 "h5",
                                                 "h6",
                                                 "hiero",
                                                 "hr",
                                                 "i",
                                                 "imagemap",
                                                 "includeonly",
                                                 "ins",
                                                 "kbd",
                                                 "languages",
                                                 "li",
                                                 "mapframe",
                                                 "math",
                                                 "noinclude",
                                                 "nowiki",
                                                 "ol",
                                                 "onlyinclude",
                                                 "p",
                                                 "poem",
                                                 "pre",
                                                 "ref",
                                                 "references",
                                                 "s",
                                                 "score",
                                                 "section",
                                                 "small",
                                                 "source",
                                                 "span",
                                                 "strike",
                                                 "strong",
                                                 "sub",
                                                 "sup",
                                                 "syntaxhighlight",
                                                 "tabber",
                                                 "table",
                                                 "td",
                                                 "templatestyles",
                                                 "th",
                                                 "tr",
                                                 "translate",
                                                 "tvar",
                                                 "ul"};

bool is_ascii_alphanumeric(char c) noexcept {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

char to_lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// The tag that starts at `at`, which is a '<': "<ref", "</div".
std::optional<std::string_view> tag_at(std::string_view text, std::size_t at) {
  std::size_t begin = at + 1;
  if (begin < text.size() && text[begin] == '/') ++begin;
  std::size_t end = begin;
  std::array<char, 16> name{};
  while (end < text.size() && end - begin < name.size() && is_ascii_alphanumeric(text[end])) {
    name[end - begin] = to_lower(text[end]);
    ++end;
  }
  if (end == begin || end == text.size()) return std::nullopt;
  if (text[end] != '>' && text[end] != '/' && text[end] != ' ' && text[end] != '|') return std::nullopt;
  const std::string_view lower(name.data(), end - begin);
  return std::binary_search(kTags.begin(), kTags.end(), lower) ? std::optional(text.substr(at, end - at))
                                                               : std::nullopt;
}

/// Size of the whole link "[[title]]" or "[[title|text]]" at `at`, which a text about wikitext shows; 0 if there is
/// none, and for a file with options, "[[File:A.jpg|thumb|text]]".
std::size_t whole_link(std::string_view text, std::size_t at) {
  constexpr std::size_t kMostBytes = 300;
  if (text.substr(at, 2) != "[[") return 0;
  const std::size_t end = text.find_first_of("[]{}<>", at + 2);
  const bool closed = end != std::string_view::npos && end > at + 2 && end - at < kMostBytes;
  if (!closed || text.substr(end, 2) != "]]") return 0;
  const std::string_view inside = text.substr(at + 2, end - at - 2);
  const std::size_t bar = inside.find('|');
  constexpr std::size_t kMostSuffix = 5;  // ".jpeg"
  const std::string_view target = inside.substr(0, bar);
  const std::size_t dot = target.rfind('.');
  const bool file = bar != std::string_view::npos && dot != std::string_view::npos && target.find(':') < dot &&
                    bar - dot <= kMostSuffix;
  return file || inside.ends_with('|') ? 0 : end + 2 - at;
}

/// "__NOTOC__" at `at`.
std::optional<std::string_view> switch_at(std::string_view text, std::size_t at) {
  std::size_t end = at + 2;
  while (end < text.size() && text[end] >= 'A' && text[end] <= 'Z') ++end;
  const bool closed = end >= at + 5 && text.substr(end, 2) == "__";
  return closed ? std::optional(text.substr(at, end + 2 - at)) : std::nullopt;
}

/// "&#160;" at `at`, which is an '&'.
bool is_numeric_reference(std::string_view text, std::size_t at) {
  std::size_t end = at + 2;
  while (end < text.size() && end < at + 9 && is_ascii_alphanumeric(text[end])) ++end;
  return text.substr(at, 2) == "&#" && end > at + 2 && end < text.size() && text[end] == ';';
}

/// What is left of a parser function that was not called, "#if:", at `at`, which is a '#'.
bool is_function_at(std::string_view text, std::size_t at) {
  constexpr std::string_view kFunctions[] = {"if",      "ifeq",       "ifexist",     "ifexpr",   "switch", "expr",
                                             "seo",     "set",        "ask",         "show",     "invoke", "tag",
                                             "time",    "vardefine",  "var",         "lst",      "dpl",    "explode",
                                             "replace", "titleparts", "cargo_query", "subobject"};
  const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", at + 1);
  const bool begins = at == 0 || !is_ascii_alphanumeric(text[at - 1]);
  return begins && end != std::string_view::npos && text[end] == ':' &&
         std::find(std::begin(kFunctions), std::end(kFunctions), text.substr(at + 1, end - at - 1)) !=
             std::end(kFunctions);
}

/// Size of the "name=value" that begins at `at`; 0 if none does. The value ends at a bar or a line end.
std::size_t argument_at(std::string_view text, std::size_t at) {
  constexpr std::size_t kMostName = 16;
  std::size_t end = at;
  while (end < text.size() && end - at <= kMostName && is_ascii_alphanumeric(text[end])) ++end;
  if (end == at || end == text.size() || text[end] != '=') return 0;
  return std::min(text.find_first_of("|\n=", end + 1), text.size()) - at;
}

/// The arguments of a template or file behind the bar at `at`: "|2=ja|3=神社", "|ja|神社", "|300px|", and the bar in
/// "Gate.jpg|The gate".
bool are_arguments_at(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at + 1);
  if (const std::size_t size = argument_at(rest, 0); size > 0) {
    if (size < rest.size() && rest[size] == '|' && argument_at(rest, size + 1) > 0) return true;
  }
  const auto letter = [](char c) { return is_ascii_alphanumeric(c) && (c < '0' || c > '9') && c == to_lower(c); };
  if (rest.size() > 3 && letter(rest[0]) && letter(rest[1]) && rest[2] == '|' && (rest[3] & 0x80) != 0) return true;
  const std::size_t pixels = rest.find_first_not_of("0123456789");
  if (pixels != std::string_view::npos && pixels > 0 && rest.substr(pixels).starts_with("px|")) return true;
  const std::string_view before = text.substr(0, at);
  return !rest.empty() && (is_ascii_alphanumeric(rest.front()) || (rest.front() & 0x80) != 0) &&
         (before.ends_with(".jpg") || before.ends_with(".JPG") || before.ends_with(".jpeg") ||
          before.ends_with(".svg"));
}

/// What is left of templates and functions that were not expanded, and what failed ones show.
std::optional<std::string_view> rest_of_call(std::string_view text) {
  constexpr std::string_view kRests[] = {
      "SHORTDESC:", "DISPLAYTITLE:", "DEFAULTSORT:", "Lua error in ", "Expression error: ", "| --- |"};
  for (const auto rest : kRests) {
    if (const auto at = text.find(rest); at != std::string_view::npos) return text.substr(at, rest.size());
  }
  static constexpr ByteSet kBegins("#|");
  for (auto at = kBegins.find_in(text); at != std::string_view::npos; at = kBegins.find_in(text, at + 1)) {
    if (text[at] == '#' ? is_function_at(text, at) : are_arguments_at(text, at)) return text.substr(at, 1);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string_view> leftover_markup(std::string_view text) {
  // The first bytes of kPieces and of what follows here.
  static constexpr ByteSet kBegins("{}[]|chrst&'<_");
  const std::size_t last_tag_end = text.rfind('>');
  for (std::size_t at = kBegins.find_in(text); at != std::string_view::npos; at = kBegins.find_in(text, at + 1)) {
    if (const auto link = whole_link(text, at)) {
      at += link - 1;
      continue;
    }
    for (const auto piece : kPieces) {
      const bool inside_word = at > 0 && is_ascii_alphanumeric(piece.front()) && is_ascii_alphanumeric(text[at - 1]);
      if (text[at] == piece.front() && text.substr(at, piece.size()) == piece && !inside_word)
        return text.substr(at, piece.size());
    }
    if (text[at] == '<' && last_tag_end != std::string_view::npos && at < last_tag_end) {
      if (const auto tag = tag_at(text, at)) return tag;
    } else if (text[at] == '_' && text.substr(at, 2) == "__") {
      if (const auto behaviour = switch_at(text, at)) return behaviour;
    } else if (text[at] == '&' && is_numeric_reference(text, at)) {
      return text.substr(at, 2);
    }
  }
  return rest_of_call(text);
}

}  // namespace touchstone::collection::health
