#include "extractors/wikitext/preprocessor/markup_tags.hpp"

#include "extractors/scan/text_scan.hpp"

#include <algorithm>
#include <iterator>

namespace touchstone::extractors::wikitext::preprocessor::internal {
using scan::equals_ignoring_case;
namespace {

constexpr std::size_t kNowhere = std::string_view::npos;

bool is_blank(char c) noexcept {
  return c == ' ' || c == '\t';
}

enum class InclusionTag : unsigned char { kNone, kIncludeOnly, kNoInclude, kOnlyInclude };

InclusionTag find_inclusion_tag(std::string_view name) noexcept {
  if (equals_ignoring_case(name, "includeonly")) return InclusionTag::kIncludeOnly;
  if (equals_ignoring_case(name, "noinclude")) return InclusionTag::kNoInclude;
  if (equals_ignoring_case(name, "onlyinclude")) return InclusionTag::kOnlyInclude;
  return InclusionTag::kNone;
}

/// Tags of extensions that only mark a text: those of Translate, the tabs of Tabs, and the marks of Labeled Section
/// Transclusion.
constexpr std::string_view kMarkingTags[] = {"languages", "section", "tab", "tabs", "translate", "tvar"};

bool is_marking(std::string_view name) noexcept {
  return std::any_of(std::begin(kMarkingTags), std::end(kMarkingTags),
                     [&](std::string_view one) { return equals_ignoring_case(name, one); });
}

}  // namespace

MarkupTag MarkupTags::read(std::size_t at) {
  if (source_.substr(at, 4) == "<!--") return read_comment(at);
  constexpr std::size_t kMaxNameBytes = 19;
  MarkupTag tag;
  tag.end = at + 1;
  std::size_t name_end = at + 1;
  const std::size_t limit = std::min(source_.size(), at + 1 + kMaxNameBytes);
  if (name_end < limit && source_[name_end] == '/') ++name_end;
  while (name_end < limit && (source_[name_end] | 0x20) >= 'a' && (source_[name_end] | 0x20) <= 'z') ++name_end;
  const std::string_view name = source_.substr(at + 1, name_end - at - 1);
  if (name_end >= source_.size()) return tag;
  const char c = source_[name_end];
  if (read_variable_tag(name, name_end, tag) || name.size() < 2) return tag;
  const bool is_boundary =
      c == '>' || is_blank(c) || c == '\n' || c == '\r' || (c == '/' && source_.substr(name_end, 2) == "/>");
  if (!is_boundary || read_inclusion_tag(name, name_end, tag) || read_marking_tag(at, name, name_end, tag)) return tag;
  const ExtensionName found = find_extension(name);
  if (found.kind != ExtensionKind::kNone) read_extension(at, name_end, found, tag);
  return tag;
}

MarkupTag MarkupTags::read_comment(std::size_t at) const {
  MarkupTag tag;
  tag.kind = MarkupTag::Kind::kComment;
  const std::size_t close = source_.find("-->", at + 4);
  tag.end = close == kNowhere ? source_.size() : close + 3;
  std::size_t blank_begin = at;
  while (blank_begin > 0 && is_blank(source_[blank_begin - 1])) --blank_begin;
  if (close == kNowhere || blank_begin == 0 || source_[blank_begin - 1] != '\n') return tag;
  // Comments that follow each other with only blanks between are taken together.
  std::size_t blank_end = tag.end;
  const auto skip_blanks = [&] {
    while (blank_end < source_.size() && is_blank(source_[blank_end])) ++blank_end;
  };
  skip_blanks();
  while (source_.substr(blank_end, 4) == "<!--") {
    const std::size_t next = source_.find("-->", blank_end + 4);
    if (next == kNowhere) break;
    blank_end = next + 3;
    skip_blanks();
  }
  if (blank_end >= source_.size() || source_[blank_end] != '\n') return tag;
  tag.takes_line = true;
  tag.blanks_before = at - blank_begin;
  tag.end = blank_end + 1;
  return tag;
}

std::size_t MarkupTags::find_greater(std::size_t from) {
  const std::size_t greater = no_more_greater_ ? kNowhere : source_.find('>', from);
  no_more_greater_ = greater == kNowhere;
  return greater;
}

/// Start of `</name\s*>` at or after `from`; `close_end` is set behind it.
std::size_t MarkupTags::find_close(std::string_view name, std::size_t from, std::size_t& close_end) const {
  for (std::size_t at = source_.find('<', from); at != kNowhere; at = source_.find('<', at + 1)) {
    if (at + 2 + name.size() >= source_.size()) return kNowhere;
    if (source_[at + 1] != '/') continue;
    std::size_t end = at + 2;
    bool same = true;
    for (std::size_t k = 0; k < name.size() && same; ++k) same = (source_[end + k] | 0x20) == (name[k] | 0x20);
    if (!same) continue;
    end += name.size();
    while (end < source_.size() && (is_blank(source_[end]) || source_[end] == '\n' || source_[end] == '\r')) ++end;
    if (end < source_.size() && source_[end] == '>') {
      close_end = end + 1;
      return at;
    }
  }
  return kNowhere;
}

/// Handles includeonly, noinclude and onlyinclude. Returns false if the tag is read as text.
bool MarkupTags::read_inclusion_tag(std::string_view name, std::size_t name_end, MarkupTag& tag) {
  const bool closing = name.front() == '/';
  const InclusionTag found = find_inclusion_tag(closing ? name.substr(1) : name);
  const bool page = inclusion_ == Inclusion::kPage;
  const bool element = found == (page ? InclusionTag::kIncludeOnly : InclusionTag::kNoInclude);
  if (found == InclusionTag::kNone || (element && closing)) return false;
  if (!element && !page && found == InclusionTag::kOnlyInclude) return false;
  const std::size_t greater = find_greater(name_end);
  if (greater == kNowhere) return false;
  tag.kind = MarkupTag::Kind::kNothing;
  tag.end = greater + 1;
  if (!element || source_[greater - 1] == '/') return true;  // the tag itself goes, what it holds stays
  if (find_close(name, greater + 1, tag.end) == kNowhere) tag.end = source_.size();
  return true;
}

/// `<tvar|name>` and `</>`, the older form of a variable of Translate. Returns false for anything else.
bool MarkupTags::read_variable_tag(std::string_view name, std::size_t name_end, MarkupTag& tag) {
  if (name == "/" && source_[name_end] == '>' && open_variables_ > 0) {
    --open_variables_;
    tag.end = name_end + 1;
  } else if (source_[name_end] == '|' && equals_ignoring_case(name, "tvar")) {
    const std::size_t greater = find_greater(name_end);
    if (greater == kNowhere) return false;
    ++open_variables_;
    tag.end = greater + 1;
  } else {
    return false;
  }
  tag.kind = MarkupTag::Kind::kNothing;
  return true;
}

/// A tag that only marks a text: it goes, the text stays. Alone on its line, it goes with the line.
bool MarkupTags::read_marking_tag(std::size_t at, std::string_view name, std::size_t name_end, MarkupTag& tag) {
  if (!is_marking(name.front() == '/' ? name.substr(1) : name)) return false;
  const std::size_t greater = find_greater(name_end);
  if (greater == kNowhere) return false;
  tag.kind = MarkupTag::Kind::kNothing;
  tag.end = greater + 1;
  const bool starts_line = at == 0 || source_[at - 1] == '\n';
  if (starts_line && tag.end < source_.size() && source_[tag.end] == '\n') ++tag.end;
  return true;
}

/// An extension tag with its content; a tag that nothing closes is text.
void MarkupTags::read_extension(std::size_t at, std::size_t name_end, const ExtensionName& name, MarkupTag& tag) {
  const std::size_t greater = find_greater(name_end);
  if (greater == kNowhere) return;
  tag.end = greater + 1;
  std::size_t attributes_end = greater;
  if (source_[greater - 1] == '/') {
    attributes_end = greater - 1;
  } else {
    const std::uint32_t bit = 1U << name.number;
    std::size_t close_end = 0;
    const std::size_t close = (no_more_close_ & bit) != 0
                                  ? kNowhere
                                  : find_close(source_.substr(at + 1, name_end - at - 1), greater + 1, close_end);
    if (close == kNowhere) {
      no_more_close_ |= bit;
      return;
    }
    tag.extension.content = source_.substr(greater + 1, close - greater - 1);
    tag.end = close_end;
  }
  tag.kind = MarkupTag::Kind::kExtension;
  tag.extension.kind = name.kind;
  if (attributes_end > name_end) tag.extension.attributes = source_.substr(name_end, attributes_end - name_end);
}

}  // namespace touchstone::extractors::wikitext::preprocessor::internal
