#include "pipeline/passages/sentences.hpp"

#include "common/unicode.hpp"
#include "text/sentences.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <unicode/uchar.h>

namespace touchstone::pipeline::passages {
using collection::health::find_damage;
using collection::health::TextDamage;

std::string_view without_blanks(std::string_view text) noexcept {
  return text::trimmed(text, " \n");
}

std::string beginning_of(std::string_view text) {
  constexpr std::size_t kBytes = 160;
  if (text.size() <= kBytes) return std::string(text);
  std::size_t end = kBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end)) + "...";
}

void strip_sentences(
    storage::ParagraphRecord& paragraph,
    const std::function<bool(std::string_view sentence, std::uint32_t begin, std::uint32_t end)>& goes) {
  struct Cut {
    std::uint32_t begin, end;  // code points
  };
  std::vector<Cut> cuts;
  std::string kept;
  CodePointCounter points(paragraph.text);
  std::uint32_t begin = 0;
  const std::string_view text = paragraph.text;
  text::for_each_sentence(text, [&](std::string_view sentence) {
    const std::uint32_t end = points.at_byte(static_cast<std::size_t>(sentence.data() - text.data()) + sentence.size());
    if (goes(sentence, begin, end)) {
      cuts.push_back({begin, end});
    } else {
      kept.append(sentence);
    }
    begin = end;
  });
  if (cuts.empty()) return;
  // A sentence takes the blanks behind it along. Those in front of the last one would be left.
  while (!kept.empty() && kept.back() == ' ') kept.pop_back();
  auto cut = cuts.begin();
  std::uint32_t removed = 0;
  std::erase_if(paragraph.links, [&](storage::TextLink& link) {
    for (; cut != cuts.end() && cut->end <= link.begin; ++cut) removed += cut->end - cut->begin;
    if (cut != cuts.end() && cut->begin < link.end) return true;
    link.begin -= removed;
    link.end -= removed;
    return false;
  });
  paragraph.text = std::move(kept);
}

namespace {

/// Code points of a link in front of a paragraph that leads to another wiki or a translation and is not a part of its
/// first sentence: "Translation:en/Manual" with a capital letter or nothing behind it. 0 for none.
std::uint32_t leading_address(const storage::ParagraphRecord& paragraph) {
  if (paragraph.links.empty() || paragraph.links.front().begin != 0) return 0;
  const std::uint32_t end = paragraph.links.front().end;
  const std::string_view text = paragraph.text;
  const std::size_t bytes = ByteCounter(text).at_code_point(end);
  const std::string_view anchor = text.substr(0, bytes);
  const std::size_t colon = anchor.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == anchor.size() || anchor.find(' ') < colon ||
      anchor[colon + 1] == ' ')
    return 0;
  if (bytes == text.size()) return end;
  std::size_t at = bytes + 1;
  if (text[bytes] != ' ' || at >= text.size()) return 0;
  return u_isUUppercase(static_cast<UChar32>(next_code_point(text, at))) ? end + 1 : 0;
}

void strip_leading_address(storage::ParagraphRecord& paragraph) {
  const std::uint32_t end = leading_address(paragraph);
  if (end == 0) return;
  paragraph.text.erase(0, ByteCounter(paragraph.text).at_code_point(end));
  paragraph.links.erase(paragraph.links.begin());
  for (auto& link : paragraph.links) {
    link.begin -= std::min(link.begin, end);
    link.end -= std::min(link.end, end);
  }
  std::erase_if(paragraph.gaps, [&](std::uint32_t gap) { return gap < end; });
  for (auto& gap : paragraph.gaps) gap -= end;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> links_in(const storage::ParagraphRecord& paragraph) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> links;
  for (const auto& link : paragraph.links) links.emplace_back(link.begin, link.end);
  return links;
}

/// A line of links that leads through the wiki, "Basil | Ostra", or of addresses alone. Items of lists are their
/// members, and stay.
bool is_row_of_links(const storage::ParagraphRecord& paragraph, std::optional<TextDamage> damage) {
  return damage == TextDamage::kLinkList && paragraph.kind == storage::ParagraphKind::kParagraph &&
         paragraph.links.size() != 1;
}

constexpr std::pair<std::string_view, std::string_view> kArrows[] = {{"«", "»"}, {"‹", "›"}, {"←", "→"}, {"<<", ">>"},
                                                                     {"◀", "▶"}, {"◄", "►"}, {"⇐", "⇒"}};

bool holds_arrow(const storage::ParagraphRecord& paragraph) {
  const auto is_held = [&](const auto& arrow) {
    return paragraph.text.find(arrow.first) != std::string::npos ||
           paragraph.text.find(arrow.second) != std::string::npos;
  };
  return !paragraph.links.empty() && std::any_of(std::begin(kArrows), std::end(kArrows), is_held);
}

/// A sentence that leads to the page before or behind: it begins or ends with an arrow, "Next: Buying a plane »".
bool leads_on(std::string_view sentence) {
  sentence = without_blanks(sentence);
  return std::any_of(std::begin(kArrows), std::end(kArrows), [&](const auto& arrow) {
    const auto& [back, on] = arrow;
    const bool quoted = (back == "«" || back == "‹") && sentence.find(back) != std::string_view::npos &&
                        sentence.find(on) != std::string_view::npos;
    return !quoted && (sentence.starts_with(back) || sentence.ends_with(on));
  });
}

}  // namespace

void strip_damage(storage::ParagraphRecord& paragraph,
                  const std::function<void(TextDamage damage, std::string_view text)>& taken) {
  strip_leading_address(paragraph);
  const auto damage = find_damage(paragraph.text, links_in(paragraph));
  if (damage == TextDamage::kMarkup || damage == TextDamage::kComment || is_row_of_links(paragraph, damage)) {
    taken(*damage, without_blanks(paragraph.text));
    paragraph.text.clear();
    paragraph.links.clear();
  } else if (damage == TextDamage::kLostWords || !paragraph.gaps.empty() || holds_arrow(paragraph)) {
    strip_sentences(paragraph, [&, size = static_cast<std::uint32_t>(count_code_points(paragraph.text))](
                                   std::string_view sentence, std::uint32_t begin, std::uint32_t end) {
      const auto has_gap = [&](std::uint32_t gap) {
        return gap >= begin && (gap < end || (gap == end && end == size));
      };
      const auto is_inside = [&](const auto& link) { return link.begin >= begin && link.end <= end; };
      // A later sentence that begins with a verb follows an abbreviation.
      const auto whole = [&] { return (begin == 0 ? "" : "X ") + std::string(sentence); };
      std::optional<TextDamage> found;
      if (std::any_of(paragraph.gaps.begin(), paragraph.gaps.end(), has_gap) ||
          (damage == TextDamage::kLostWords && find_damage(whole()) == TextDamage::kLostWords)) {
        found = TextDamage::kLostWords;
      } else if (leads_on(sentence) && std::any_of(paragraph.links.begin(), paragraph.links.end(), is_inside)) {
        found = TextDamage::kLinkList;
      }
      if (found) taken(*found, without_blanks(sentence));
      return found.has_value();
    });
  }
  paragraph.gaps.clear();
}

bool announces(std::string_view text) noexcept {
  text = without_blanks(text);
  return text.ends_with(':') || text.ends_with("：");
}

bool ends_in_letter(std::string_view text) noexcept {
  text = without_blanks(text);
  std::size_t at = text.size();
  while (at > 0 && (static_cast<unsigned char>(text[--at]) & 0xC0U) == 0x80U) {
  }
  const auto last = text.empty() ? 0 : static_cast<UChar32>(next_code_point(text, at));
  return u_isULowercase(last) || u_isUUppercase(last);
}

namespace {

/// A text that breaks off in front of a list: its last sentence is short and ends with a letter or a semicolon, "Trains
/// get lost because".
bool breaks_off(std::string_view text) {
  constexpr std::size_t kMostWords = 25;
  text = without_blanks(text);
  return (ends_in_letter(text) || text.ends_with(';')) &&
         text::count_words(text.substr(text::size_without_last_sentence(text))) < kMostWords;
}

void strip_first_sentence(storage::ParagraphRecord& paragraph) {
  strip_sentences(paragraph, [](std::string_view, std::uint32_t begin, std::uint32_t) { return begin == 0; });
}

void strip_last_sentence(storage::ParagraphRecord& paragraph) {
  strip_sentences(paragraph, [size = static_cast<std::uint32_t>(count_code_points(paragraph.text))](
                                 std::string_view, std::uint32_t, std::uint32_t end) { return end == size; });
}

}  // namespace

bool begins_in_lower_case(std::string_view text) noexcept {
  if (text.starts_with('(')) text.remove_prefix(1);
  std::size_t at = 0;
  const auto first = text.empty() ? 0 : static_cast<UChar32>(next_code_point(text, at));
  if (!u_isULowercase(first) || at >= text.size()) return false;
  return !u_isUUppercase(static_cast<UChar32>(next_code_point(text, at)));
}

void strip_announcements(storage::SectionTextRecord& section, bool lists) {
  using storage::ParagraphKind;
  const auto counts = [&](const storage::ParagraphRecord& paragraph) {
    return paragraph.kind != ParagraphKind::kNote && (lists || paragraph.kind != ParagraphKind::kListItem);
  };
  const auto kind_of_list = [](const storage::ParagraphRecord& item) {
    return item.list_marker.empty() ? '\0' : item.list_marker.back();
  };
  storage::ParagraphRecord* next = nullptr;
  bool list_is_left_out = false;
  for (auto paragraph = section.paragraphs.rbegin(); paragraph != section.paragraphs.rend(); ++paragraph) {
    if (is_white_space(paragraph->text)) continue;
    const bool item = paragraph->kind == ParagraphKind::kListItem;
    if (!counts(*paragraph)) {
      // What goes on with the sentence of a list has lost its beginning.
      if (item && !list_is_left_out && next != nullptr && next->kind == ParagraphKind::kParagraph &&
          begins_in_lower_case(next->text))
        strip_first_sentence(*next);
      list_is_left_out = list_is_left_out || item;
      continue;
    }
    const bool follows = next != nullptr && (next->kind == ParagraphKind::kPreformatted ||
                                             (next->kind == ParagraphKind::kListItem &&
                                              (!item || next->list_marker.size() > paragraph->list_marker.size() ||
                                               kind_of_list(*next) != kind_of_list(*paragraph))));
    if (paragraph->kind != ParagraphKind::kPreformatted &&
        ((announces(paragraph->text) && !follows) || (list_is_left_out && breaks_off(paragraph->text))))
      strip_last_sentence(*paragraph);
    if (!is_white_space(paragraph->text)) next = &*paragraph;
    list_is_left_out = false;
  }
}

}  // namespace touchstone::pipeline::passages
