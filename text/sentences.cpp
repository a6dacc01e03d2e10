#include "text/sentences.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include <unicode/brkiter.h>
#include <unicode/utext.h>

namespace touchstone::text {
namespace {

constexpr std::size_t kLeastLetters = 4;  // of the word in front of a full stop: most abbreviations are shorter

/// True for a short word that ends a sentence although it is as short as an abbreviation: it is in small letters, and a
/// capital or the end of the text follows.
bool is_short_word(std::string_view word, std::string_view next) noexcept {
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  return word.size() >= 2 && std::all_of(word.begin(), word.end(), is_small) &&
         (next.empty() || (next.front() >= 'A' && next.front() <= 'Z'));
}

/// Size of a mark at byte `at` that ends a sentence, with the blanks behind it; 0 if none ends there.
std::size_t sentence_end(std::string_view text, std::size_t at, std::size_t word) noexcept {
  for (const std::string_view mark : {"。", "！", "？"}) {
    if (text.substr(at).starts_with(mark)) return mark.size();
  }
  if (std::string_view(".!?").find(text[at]) == std::string_view::npos) return 0;
  std::size_t end = at + 1;
  while (end < text.size() && (text[end] == ')' || text[end] == '"' || text[end] == '\'')) ++end;
  if (end < text.size() && text[end] != ' ' && text[end] != '\n') return 0;
  while (end < text.size() && (text[end] == ' ' || text[end] == '\n')) ++end;
  if (at - word < kLeastLetters && !is_short_word(text.substr(word, at - word), text.substr(end))) return 0;
  return end - at;
}

}  // namespace

void for_each_sentence(std::string_view text, const std::function<void(std::string_view sentence)>& use) {
  std::size_t begin = 0, word = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == ' ' || text[at] == '\n') word = at + 1;
    const auto byte = static_cast<unsigned char>(text[at]);
    const bool may_end = byte >= 0x80 || text[at] == '.' || text[at] == '!' || text[at] == '?';
    const std::size_t size = may_end ? sentence_end(text, at, word) : 0;
    at += std::max<std::size_t>(1, size);
    if (size == 0) continue;
    use(text.substr(begin, at - begin));
    begin = word = at;
  }
  if (begin < text.size()) use(text.substr(begin));
}

std::size_t size_without_last_sentence(std::string_view text) {
  std::size_t last = 0;
  for_each_sentence(text,
                    [&](std::string_view sentence) { last = static_cast<std::size_t>(sentence.data() - text.data()); });
  while (last > 0 && (text[last - 1] == ' ' || text[last - 1] == '\n')) --last;
  return last;
}

std::vector<std::size_t> sentence_ends(std::string_view text) {
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<icu::BreakIterator> sentences(
      icu::BreakIterator::createSentenceInstance(icu::Locale::getRoot(), status));
  const std::unique_ptr<UText, decltype(&utext_close)> bytes(
      utext_openUTF8(nullptr, text.data(), static_cast<std::int64_t>(text.size()), &status), utext_close);
  if (U_SUCCESS(status)) sentences->setText(bytes.get(), status);
  if (U_FAILURE(status)) throw Error(std::string("ICU cannot find sentence boundaries: ") + u_errorName(status));
  std::vector<std::size_t> ends;
  for (auto end = sentences->next(); end != icu::BreakIterator::DONE; end = sentences->next())
    ends.push_back(static_cast<std::size_t>(end));
  return ends;
}

}  // namespace touchstone::text
