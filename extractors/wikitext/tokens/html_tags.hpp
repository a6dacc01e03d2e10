#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace touchstone::extractors::wikitext::tokens {

/// Elements that wikitext may hold, grouped by what they mean for a reader's text.
enum class Tag : std::uint8_t {
  kNone,    ///< no element that is allowed
  kInline,  ///< formatting that leaves the text as it is: b, span, font, small, ...
  kBreak,   ///< br
  kRule,    ///< hr
  kParagraph,
  kDiv,  ///< div
  kCenter,
  kBlockquote,
  kPre,
  kH1,
  kH2,
  kH3,
  kH4,
  kH5,
  kH6,
  kUl,
  kOl,
  kDl,
  kLi,
  kDt,
  kDd,
  kTable,
  kCaption,
  kTr,
  kTd,
  kTh,
  kFigure,      ///< made by images, never written
  kReferences,  ///< a footnote: its text is not part of the page's
};

constexpr bool is_heading(Tag tag) noexcept {
  return tag >= Tag::kH1 && tag <= Tag::kH6;
}
constexpr bool is_list(Tag tag) noexcept {
  return tag >= Tag::kUl && tag <= Tag::kDl;
}
constexpr bool is_list_item(Tag tag) noexcept {
  return tag >= Tag::kLi && tag <= Tag::kDd;
}
constexpr bool is_table_part(Tag tag) noexcept {
  return tag >= Tag::kTable && tag <= Tag::kTh;
}
constexpr bool is_cell(Tag tag) noexcept {
  return tag == Tag::kTd || tag == Tag::kTh;
}
constexpr Tag heading_tag(int level) noexcept {
  return static_cast<Tag>(static_cast<int>(Tag::kH1) + level - 1);
}
constexpr int heading_level(Tag tag) noexcept {
  return static_cast<int>(tag) - static_cast<int>(Tag::kH1) + 1;
}

struct TagInfo {
  Tag tag = Tag::kNone;
  bool empty_element = false;     ///< has no content: br, wbr, hr
  bool self_closing = false;      ///< `<li/>` means an empty element
  bool needs_attributes = false;  ///< meta and link: allowed only with microdata attributes
};

/// The element `name` (any case). `tag` is kNone for names that wikitext does not allow; such tags are shown as text.
TagInfo find_tag(std::string_view name) noexcept;

/// Value of attribute `name` (lower case) in the attribute text of a tag; empty if it is absent. Quotation marks are
/// removed, character references stay.
std::string_view attribute_value(std::string_view attributes, std::string_view name) noexcept;

/// True if the attribute text has attribute `name`, with or without a value.
bool has_attribute(std::string_view attributes, std::string_view name) noexcept;

/// Reads the values of the attributes `known` (lower case) at once. Returns false if there are other attributes.
///
/// \param values  of the known attributes, in their order; as `attribute_value` gives them
bool read_attributes(std::string_view attributes, std::span<const std::string_view> known,
                     std::span<std::string_view> values) noexcept;

}  // namespace touchstone::extractors::wikitext::tokens
