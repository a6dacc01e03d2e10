// Values that are not known: where they leave a mark in expanded text, and where they do not.
#include "extractors/site/language_words.hpp"
#include "extractors/wikitext/preprocessor/expander.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace touchstone::extractors::wikitext::preprocessor {
using site::ImageOption;
using site::LanguageWords;
namespace {

constexpr std::size_t kMaxTargetBytes = 300;  // of an open link that is looked at; titles have 255 at most

/// True if `option` begins as the option of an image that names a target ("link=").
bool begins_link_option(const LanguageWords& words, std::string_view option) {
  return std::any_of(words.image_words_with_value.begin(), words.image_words_with_value.end(),
                     [&](const LanguageWords::ImageWord& word) {
                       return word.option == ImageOption::kLink && option.starts_with(word.text);
                     });
}

}  // namespace

/// True if `text` ends in the target of a link that is open: behind "[[Title", or behind "link=" in an image.
bool Expander::in_link_target(std::string_view text) const {
  if (text.empty() || text.back() == '\n') return false;
  const std::string_view near = text.substr(text.size() - std::min(text.size(), kMaxTargetBytes));
  const void* found = ::memrchr(near.data(), '[', near.size());  // on the path of each call
  if (found == nullptr || found == near.data()) return false;
  const auto bracket = static_cast<std::size_t>(static_cast<const char*>(found) - near.data());
  if (near[bracket - 1] != '[') return false;
  const std::string_view inside = near.substr(bracket + 1);
  if (inside.find(']') != std::string_view::npos || inside.find('\n') != std::string_view::npos) return false;
  const std::size_t bar = inside.rfind('|');
  // No title holds braces and angle brackets.
  if (bar == std::string_view::npos) return inside.find_first_of("{}<>") == std::string_view::npos;
  return begins_link_option(context_.site.words(), inside.substr(bar + 1));
}

void Expander::note_hole(ExpandedText& out, bool loses_text) const {
  // Without templates, text is compared with that of a wiki whose templates show nothing either.
  if (values_ == 0 && context_.options.templates != TemplateMode::kDrop) out.add_hole(loses_text);
}

void Expander::give_unknown(UnknownCause cause, ExpandedText& out, bool aside) {
  note_hole(out, !aside);
  if (values_ == 0) return;
  has_marks_ = true;
  out.text.append(unknown_mark(cause));
}

void Expander::withhold(UnknownCause cause, ExpandedText& out) {
  ++context_.counters.unknown[static_cast<std::size_t>(cause)];
  give_unknown(cause, out);
}

void Expander::give_error(const std::string& message, ExpandedText& out) {
  ++context_.counters.call_errors;
  if (context_.options.count_templates) ++context_.call_errors[message];
  if (values_ == 0) return;
  has_marks_ = true;
  out.text.append(error_mark());
}

void Expander::remove_marks(std::size_t from, ExpandedText& out) const {
  std::size_t read = find_mark(out.text, from);
  if (read == out.text.size()) return;
  std::string kept = out.text.substr(0, read);
  std::vector<std::size_t> removed;  // where they stood, ascending
  while (read < out.text.size()) {
    if (in_link_target(kept)) {
      kept.append(out.text, read, kMarkerSize);
    } else {
      removed.push_back(read);
    }
    read += kMarkerSize;
    const std::size_t next = find_mark(out.text, read);
    kept.append(out.text, read, next - read);
    read = next;
  }
  out.text = std::move(kept);
  if (removed.empty()) return;
  const auto moved = [&](std::size_t at) {
    const auto before = std::lower_bound(removed.begin(), removed.end(), at) - removed.begin();
    return at - static_cast<std::size_t>(before) * kMarkerSize;
  };
  for (MadeRange& range : out.made) range = {moved(range.begin), moved(range.end)};
  std::erase_if(out.made, [](const MadeRange& range) { return range.begin >= range.end; });
  for (Hole& hole : out.holes) hole.at = moved(hole.at);
  if (values_ == 0 && context_.options.templates != TemplateMode::kDrop) {
    for (const std::size_t at : removed) out.holes.push_back({moved(at)});
  }
}

}  // namespace touchstone::extractors::wikitext::preprocessor
