#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace touchstone::collection::health {

/// Why a text is not what a person would read on the page, or would want to read alone.
enum class TextDamage : std::uint8_t {
  kMarkup,         ///< wikitext or HTML that a reader of the wiki does not see
  kLostWords,      ///< it begins without its subject, or a number or name is missing: "is a shrine", "about km", "( )",
                   ///< "1900 -"
  kCutBeforeList,  ///< it announces what does not follow: it ends with a colon
  kCode,           ///< nothing but code, commands or what a program prints
  kLinkList,       ///< most of its letters are in links or addresses, and no sentence holds them
  kComment,        ///< a signed comment of a discussion
};
inline constexpr std::size_t kTextDamages = 6;

/// Whether a sentence ends in a text: a full stop, question or exclamation mark behind a letter and in front of a blank
/// or the end.
bool has_sentence(std::string_view text);

/// The same for preformatted text, where sentences in comments of programs do not count.
bool has_prose(std::string_view text);

/// "markup", "lost words", ...
std::string_view to_string(TextDamage damage) noexcept;

/// The damage of a released text, by its form alone; nothing if it looks whole. Thread-safe. Cheap enough for every
/// text of a collection.
///
/// \param text   of a passage; may have several lines
/// \param links  code points [begin, end) of anchor texts, ascending; without them, only lists of addresses are link
/// lists
std::optional<TextDamage> find_damage(std::string_view text,
                                      std::span<const std::pair<std::uint32_t, std::uint32_t>> links = {});

/// Whether find_damage may give kLinkList: quicker, since no other damage is looked for.
bool may_be_link_list(std::string_view text, std::span<const std::pair<std::uint32_t, std::uint32_t>> links);

}  // namespace touchstone::collection::health
