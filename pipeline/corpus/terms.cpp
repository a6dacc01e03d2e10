#include "pipeline/corpus/terms.hpp"

#include "common/error.hpp"
#include "common/unicode.hpp"

#include <unordered_set>

#include <libstemmer.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>

namespace touchstone::pipeline::corpus {
namespace {

/// Words of list titles and headers that say nothing about what is listed. Only English: for other languages rarity
/// in the corpus (idf) has to do.
constexpr std::string_view kEnglishStopWords[] = {
    "a",     "an",    "and",  "are",  "as", "at",    "be",    "by",   "for",  "from",  "had",   "has",
    "have",  "he",    "her",  "his",  "in", "into",  "is",    "it",   "its",  "list",  "lists", "name",
    "names", "no",    "not",  "of",   "on", "or",    "other", "over", "she",  "that",  "the",   "their",
    "them",  "these", "they", "this", "to", "title", "under", "was",  "were", "which", "who",   "with"};

bool is_word_of_its_own(UChar32 c) {
  UErrorCode status = U_ZERO_ERROR;
  const auto script = uscript_getScript(c, &status);
  return script == USCRIPT_HAN || script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA;
}

}  // namespace

struct TermSplitter::Impl {
  sb_stemmer* stemmer = nullptr;
  const icu::Normalizer2* decompose = nullptr;
  std::unordered_set<std::string> stop_words;

  explicit Impl(std::string_view name) {
    UErrorCode status = U_ZERO_ERROR;
    decompose = icu::Normalizer2::getNFKDInstance(status);
    if (U_FAILURE(status)) throw Error(std::string("ICU data is missing: ") + u_errorName(status));
    if (!name.empty()) {
      stemmer = sb_stemmer_new(std::string(name).c_str(), "UTF_8");
      if (stemmer == nullptr) throw Error("Snowball has no stemmer \"" + std::string(name) + "\"");
    }
    for (const auto word : kEnglishStopWords) stop_words.insert(reduce(icu::UnicodeString::fromUTF8(word)));
  }
  ~Impl() {
    if (stemmer != nullptr) sb_stemmer_delete(stemmer);
  }

  std::string reduce(const icu::UnicodeString& word) const {
    UErrorCode status = U_ZERO_ERROR;
    icu::UnicodeString folded = word;
    folded.foldCase();
    const icu::UnicodeString decomposed = decompose->normalize(folded, status);
    icu::UnicodeString plain;
    for (std::int32_t i = 0; i < decomposed.length(); i = decomposed.moveIndex32(i, 1)) {
      const UChar32 c = decomposed.char32At(i);
      if (u_charType(c) != U_NON_SPACING_MARK) plain.append(c);
    }
    std::string text;
    plain.toUTF8String(text);
    if (stemmer == nullptr) return text;
    const auto* stem =
        sb_stemmer_stem(stemmer, reinterpret_cast<const sb_symbol*>(text.data()), static_cast<int>(text.size()));
    return {reinterpret_cast<const char*>(stem), static_cast<std::size_t>(sb_stemmer_length(stemmer))};
  }
};

TermSplitter::TermSplitter(std::string_view stemmer) : impl_(std::make_unique<Impl>(stemmer)) {}
TermSplitter::~TermSplitter() = default;
TermSplitter::TermSplitter(TermSplitter&&) noexcept = default;

bool TermSplitter::is_stop_word(const std::string& stem) const {
  return impl_->stop_words.contains(stem);
}

std::vector<Term> TermSplitter::split(std::string_view text) {
  std::vector<Term> terms;
  icu::UnicodeString word;
  std::uint32_t word_begin = 0, position = 0, sentence = 0;
  bool sentence_mark = false, blank_after_mark = false;
  const auto flush = [&](bool letter = false) {
    if (word.isEmpty()) return;
    const bool capital = u_isupper(word.char32At(0)) != 0;
    terms.push_back({impl_->reduce(word), word_begin, position, sentence, letter, capital});
    word.remove();
  };
  for (std::size_t byte = 0; byte < text.size(); ++position) {
    const auto c = static_cast<UChar32>(next_code_point(text, byte));
    const bool letter = u_isalnum(c) || (u_charType(c) == U_NON_SPACING_MARK && !word.isEmpty());
    if (!letter) {
      flush();
      if (c == '.' || c == '!' || c == '?' || c == 0x3002) {
        sentence_mark = true;
        blank_after_mark = c == 0x3002;
      } else if (c == ' ') {
        blank_after_mark = sentence_mark;
      }
      continue;
    }
    if (sentence_mark && blank_after_mark && word.isEmpty() && (u_isupper(c) || u_isdigit(c) || is_word_of_its_own(c)))
      ++sentence;
    sentence_mark = blank_after_mark = false;
    if (is_word_of_its_own(c)) {
      flush();
      word_begin = position;
      word.append(c);
      ++position;
      flush(true);
      --position;
      continue;
    }
    if (word.isEmpty()) word_begin = position;
    word.append(c);
  }
  flush();
  return terms;
}

}  // namespace touchstone::pipeline::corpus
