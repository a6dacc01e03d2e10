#include "extractors/wikitext/tokens/html_tags.hpp"

#include "extractors/scan/first_letters.hpp"
#include "extractors/scan/text_scan.hpp"

#include <algorithm>
#include <optional>

namespace touchstone::extractors::wikitext::tokens {
using namespace scan;
namespace {

struct NamedTag {
  std::string_view name;
  TagInfo info;
};

// The elements that MediaWiki's sanitizer lets through (mediawiki.org Help:HTML in wikitext, read 2025-01).
constexpr NamedTag kTags[] = {
    {"blockquote", {Tag::kBlockquote}},
    {"br", {Tag::kBreak, true, true}},
    {"caption", {Tag::kCaption}},
    {"center", {Tag::kCenter}},
    {"dd", {Tag::kDd, false, true}},
    {"div", {Tag::kDiv}},
    {"dl", {Tag::kDl}},
    {"dt", {Tag::kDt, false, true}},
    {"h1", {Tag::kH1}},
    {"h2", {Tag::kH2}},
    {"h3", {Tag::kH3}},
    {"h4", {Tag::kH4}},
    {"h5", {Tag::kH5}},
    {"h6", {Tag::kH6}},
    {"hr", {Tag::kRule, true, true}},
    {"li", {Tag::kLi, false, true}},
    {"link", {Tag::kInline, true, true, true}},
    {"meta", {Tag::kInline, true, true, true}},
    {"ol", {Tag::kOl}},
    {"p", {Tag::kParagraph}},
    {"pre", {Tag::kPre}},
    {"table", {Tag::kTable}},
    {"td", {Tag::kTd}},
    {"th", {Tag::kTh}},
    {"tr", {Tag::kTr}},
    {"ul", {Tag::kUl}},
    {"wbr", {Tag::kInline, true, true}},
};

struct InlineTag {
  std::string_view name;
};

/// Those that only format their text.
constexpr InlineTag kInlineTags[] = {{"abbr"}, {"b"},    {"bdi"},  {"bdo"},   {"big"},  {"cite"},   {"code"},
                                     {"data"}, {"del"},  {"dfn"},  {"em"},    {"font"}, {"i"},      {"ins"},
                                     {"kbd"},  {"mark"}, {"q"},    {"rb"},    {"rp"},   {"rt"},     {"rtc"},
                                     {"ruby"}, {"s"},    {"samp"}, {"small"}, {"span"}, {"strike"}, {"strong"},
                                     {"sub"},  {"sup"},  {"time"}, {"tt"},    {"u"},    {"var"}};

constexpr auto kFirstTags = make_first_letters(kTags);
constexpr auto kFirstInlineTags = make_first_letters(kInlineTags);

bool is_blank(char c) noexcept {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '/';
}

struct Attribute {
  std::string_view name, value;
};

/// Takes the next attribute off the front of `text`.
std::optional<Attribute> next_attribute(std::string_view& text) noexcept {
  std::size_t i = 0;
  while (i < text.size() && is_blank(text[i])) ++i;
  if (i == text.size()) return std::nullopt;
  const std::size_t name_begin = i;
  while (i < text.size() && !is_blank(text[i]) && text[i] != '=') ++i;
  Attribute attribute{text.substr(name_begin, i - name_begin), {}};
  if (i == name_begin) ++i;  // a stray '='
  std::size_t equals = i;
  while (equals < text.size() && is_blank(text[equals]) && text[equals] != '/') ++equals;
  if (i > name_begin && equals < text.size() && text[equals] == '=' && !attribute.name.empty()) {
    i = equals + 1;
    while (i < text.size() && is_blank(text[i]) && text[i] != '/') ++i;
    if (i < text.size() && (text[i] == '"' || text[i] == '\'')) {
      const std::size_t close = text.find(text[i], i + 1);
      const std::size_t end = close == std::string_view::npos ? text.size() : close;
      attribute.value = text.substr(i + 1, end - i - 1);
      i = end == text.size() ? end : end + 1;
    } else {
      const std::size_t begin = i;
      while (i < text.size() && !(is_blank(text[i]) && text[i] != '/')) ++i;
      attribute.value = text.substr(begin, i - begin);
    }
  }
  text.remove_prefix(i);
  return attribute;
}

std::optional<Attribute> find_attribute(std::string_view attributes, std::string_view name) noexcept {
  std::optional<Attribute> found;
  if (attributes.empty()) return found;
  while (auto attribute = next_attribute(attributes)) {
    if (equals_ignoring_case(attribute->name, name)) found = attribute;  // the last one counts
  }
  return found;
}

}  // namespace

TagInfo find_tag(std::string_view name) noexcept {
  if (find_by_name(kInlineTags, kFirstInlineTags, name) != nullptr) return {Tag::kInline};
  const NamedTag* found = find_by_name(kTags, kFirstTags, name);
  return found == nullptr ? TagInfo() : found->info;
}

std::string_view attribute_value(std::string_view attributes, std::string_view name) noexcept {
  const auto found = find_attribute(attributes, name);
  return found ? found->value : std::string_view();
}

bool has_attribute(std::string_view attributes, std::string_view name) noexcept {
  return find_attribute(attributes, name).has_value();
}

bool read_attributes(std::string_view attributes, std::span<const std::string_view> known,
                     std::span<std::string_view> values) noexcept {
  const auto is_name = [](char c) {
    return is_alphanumeric(c) || c == '_' || c == ':' || static_cast<unsigned char>(c) >= 0x80;
  };
  const auto parts_names = [](char c) { return is_blank(c) || c == '"' || c == '\''; };
  const char* begin = attributes.data();
  bool all_known = true;
  while (auto attribute = next_attribute(attributes)) {
    const std::string_view name = attribute->name;
    const auto found =
        std::find_if(known.begin(), known.end(), [&](std::string_view one) { return equals_ignoring_case(name, one); });
    if (found != known.end()) {
      values[static_cast<std::size_t>(found - known.begin())] = attribute->value;  // the last one counts
      continue;
    }
    // Names begin behind a blank or a quoted value; what else is there is skipped.
    if (name.empty() || !is_name(name.front()) || (name.data() > begin && !parts_names(name.data()[-1]))) continue;
    const bool is_whole =
        std::all_of(name.begin(), name.end(), [&](char c) { return is_name(c) || c == '.' || c == '-'; });
    all_known = all_known && !is_whole;
  }
  return all_known;
}

}  // namespace touchstone::extractors::wikitext::tokens
