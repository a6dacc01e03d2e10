#include "pipeline/corpus/boilerplate.hpp"

#include "common/digest.hpp"
#include "common/unicode.hpp"

#include <algorithm>
#include <vector>

namespace touchstone::pipeline::corpus {
namespace {

constexpr std::size_t kLeastLetters = 4;  // of the word in front of a full stop: most abbreviations are shorter

std::string_view without_blanks(std::string_view text) noexcept {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\n')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n')) text.remove_suffix(1);
  return text;
}

/// Size of a mark at byte `at` that ends a sentence, with the blanks behind it; 0 if none ends there.
std::size_t sentence_end(std::string_view text, std::size_t at, std::size_t word) noexcept {
  for (const std::string_view mark : {"。", "！", "？"}) {
    if (text.substr(at).starts_with(mark)) return mark.size();
  }
  if (std::string_view(".!?").find(text[at]) == std::string_view::npos || at - word < kLeastLetters) return 0;
  std::size_t end = at + 1;
  while (end < text.size() && (text[end] == ')' || text[end] == '"' || text[end] == '\'')) ++end;
  if (end < text.size() && text[end] != ' ' && text[end] != '\n') return 0;
  while (end < text.size() && (text[end] == ' ' || text[end] == '\n')) ++end;
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

std::uint64_t sentence_hash(std::string_view sentence) {
  return xxh3_64(without_blanks(sentence));
}

void strip_boilerplate(const Boilerplate& boilerplate, storage::ParagraphRecord& paragraph,
                       const std::function<void(std::string_view sentence)>& taken) {
  if (boilerplate.empty()) return;
  struct Cut {
    std::uint32_t begin, end;  // code points
  };
  std::vector<Cut> cuts;
  std::string kept;
  CodePointCounter points(paragraph.text);
  const std::string_view text = paragraph.text;
  for_each_sentence(text, [&](std::string_view sentence) {
    if (!boilerplate.contains(sentence_hash(sentence))) {
      kept.append(sentence);
      return;
    }
    const auto from = static_cast<std::size_t>(sentence.data() - text.data());
    const std::uint32_t begin = points.at_byte(from);
    cuts.push_back({begin, points.at_byte(from + sentence.size())});
    taken(without_blanks(sentence));
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

}  // namespace touchstone::pipeline::corpus
