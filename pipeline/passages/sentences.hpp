#pragma once

#include "collection/health/damage.hpp"
#include "storage/records.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace touchstone::pipeline::passages {

/// `text` without the blanks at its ends.
std::string_view without_blanks(std::string_view text) noexcept;

/// The first 160 bytes of a text, for samples.
std::string beginning_of(std::string_view text);

/// Takes the sentences for which `goes` is true out of a paragraph. Links in them go, those behind them move up.
/// \param goes  gets a sentence with the blanks behind it, and its code points [begin, end)
void strip_sentences(
    storage::ParagraphRecord& paragraph,
    const std::function<bool(std::string_view sentence, std::uint32_t begin, std::uint32_t end)>& goes);

/// Takes out of a paragraph what a reader of the wiki does not see like that: all of it if it is a signed comment, a
/// line of links or holds markup, else the sentences that lack words, by the gaps that the reader of the page noted or
/// by their form, and those that lead to the next page by an arrow. So does a link to a translation in front of the
/// text, which names a page and says nothing. Other damage stays, since it is one of whole passages. The gaps are gone
/// then. \param taken  called with each text that goes, without blanks around it
void strip_damage(storage::ParagraphRecord& paragraph,
                  const std::function<void(collection::health::TextDamage damage, std::string_view text)>& taken);

/// True for a text that announces what has to follow: it ends with a colon.
bool announces(std::string_view text) noexcept;

/// True for a text that begins with a small letter, in brackets or not, in scripts that have them, and no name such as
/// "iPod".
bool begins_in_lower_case(std::string_view text) noexcept;

/// True for a text that breaks off with a letter, in scripts that have small ones.
bool ends_in_letter(std::string_view text) noexcept;

/// Takes out the last sentence of each paragraph that announces a list or code that does not follow in its section.
/// Where list items are no text, what breaks off in front of them goes too, and what goes on behind them in lower case.
/// \param lists  whether list items are text of passages
void strip_announcements(storage::SectionTextRecord& section, bool lists);

}  // namespace touchstone::pipeline::passages
