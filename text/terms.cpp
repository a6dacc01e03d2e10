#include "text/terms.hpp"

#include "common/error.hpp"
#include "common/unicode.hpp"
#include "text/characters.hpp"
#include "text/words.hpp"

#include <memory>
#include <unordered_map>
#include <unordered_set>

#include <libstemmer.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

namespace touchstone::text {
namespace {

/// Words of list titles and headers that say nothing about what is listed. Only English: for other languages rarity
/// in the corpus (idf) has to do.
constexpr std::string_view kEnglishStopWords[] = {
    "a",     "an",    "and",  "are",  "as", "at",    "be",    "by",   "for",  "from",  "had",   "has",
    "have",  "he",    "her",  "his",  "in", "into",  "is",    "it",   "its",  "list",  "lists", "name",
    "names", "no",    "not",  "of",   "on", "or",    "other", "over", "she",  "that",  "the",   "their",
    "them",  "these", "they", "this", "to", "title", "under", "was",  "were", "which", "who",   "with"};

constexpr CategoryRoles kRoles{kLettersAndDigits, U_GC_MN_MASK, is_han_or_kana};

/// True if a sentence ends in what is between two words.
bool ends_sentence(std::u32string_view gap) {
  bool mark = false, blank = false;
  for (const char32_t c : gap) {
    if (c == U'.' || c == U'!' || c == U'?' || c == U'\u3002') {
      mark = true;
      blank = c == U'\u3002';
    } else if (c == U' ') {
      blank = mark;
    }
  }
  return mark && blank;
}

constexpr std::size_t kKnownWords = 1 << 15;

}  // namespace

struct TermSplitter::Impl {
  std::unique_ptr<sb_stemmer, decltype(&sb_stemmer_delete)> stemmer{nullptr, sb_stemmer_delete};
  const icu::Normalizer2* decompose = nullptr;
  std::unordered_set<std::string> stop_words;

  explicit Impl(std::string_view name) {
    UErrorCode status = U_ZERO_ERROR;
    decompose = icu::Normalizer2::getNFKDInstance(status);
    if (U_FAILURE(status)) throw Error(std::string("ICU data is missing: ") + u_errorName(status));
    if (!name.empty()) {
      stemmer.reset(sb_stemmer_new(std::string(name).c_str(), "UTF_8"));
      if (stemmer == nullptr) throw Error("Snowball has no stemmer \"" + std::string(name) + "\"");
    }
    for (const auto word : kEnglishStopWords) stop_words.insert(reduce(to_utf32(word)));
  }

  /// Valid until the next call.
  const std::string& reduce(std::u32string_view word) {
    key_.clear();
    bool ascii = true;
    for (const char32_t c : word) {
      ascii = ascii && c < 0x80;
      append_utf8(key_, c >= U'A' && c <= U'Z' ? c + 0x20 : c);
    }
    if (const auto found = known_.find(key_); found != known_.end()) return found->second;
    if (known_.size() == kKnownWords) known_.clear();
    return known_.emplace(key_, stem(ascii ? key_ : fold(word))).first->second;
  }

 private:
  std::string key_;                                     ///< the word, its ASCII letters in lower case
  std::unordered_map<std::string, std::string> known_;  ///< texts repeat their words

  std::string fold(std::u32string_view word) const {
    UErrorCode status = U_ZERO_ERROR;
    auto folded = icu::UnicodeString::fromUTF32(reinterpret_cast<const UChar32*>(word.data()),
                                                static_cast<std::int32_t>(word.size()));
    folded.foldCase();
    const icu::UnicodeString decomposed = decompose->normalize(folded, status);
    icu::UnicodeString plain;
    for (std::int32_t i = 0; i < decomposed.length(); i = decomposed.moveIndex32(i, 1)) {
      const UChar32 c = decomposed.char32At(i);
      if (u_charType(c) != U_NON_SPACING_MARK) plain.append(c);
    }
    std::string text;
    plain.toUTF8String(text);
    return text;
  }
  std::string stem(std::string word) const {
    if (stemmer == nullptr) return word;
    const auto* stem =
        sb_stemmer_stem(stemmer.get(), reinterpret_cast<const sb_symbol*>(word.data()), static_cast<int>(word.size()));
    return {reinterpret_cast<const char*>(stem), static_cast<std::size_t>(sb_stemmer_length(stemmer.get()))};
  }
};

TermSplitter::TermSplitter(std::string_view stemmer) : impl_(std::make_unique<Impl>(stemmer)) {}
TermSplitter::~TermSplitter() = default;
TermSplitter::TermSplitter(TermSplitter&&) noexcept = default;

bool TermSplitter::is_stop_word(const std::string& stem) const {
  return impl_->stop_words.contains(stem);
}

std::vector<Term> TermSplitter::split(std::string_view text) {
  const std::u32string characters = to_utf32(text);
  std::vector<Term> terms;
  std::size_t read = 0;
  std::uint32_t sentence = 0;
  for_each_word(std::u32string_view(characters), kRoles, [&](const Word& word) {
    const auto first = static_cast<UChar32>(characters[word.begin]);
    const auto gap = std::u32string_view(characters).substr(read, word.begin - read);
    if (ends_sentence(gap) && (u_isupper(first) || u_isdigit(first) || word.alone)) ++sentence;
    read = word.end;
    const std::size_t end = word.alone ? word.begin + 1 : word.end;  // marks on a letter say nothing
    terms.push_back({impl_->reduce(std::u32string_view(characters).substr(word.begin, end - word.begin)),
                     static_cast<std::uint32_t>(word.begin), static_cast<std::uint32_t>(end), sentence, word.alone,
                     u_isupper(first) != 0});
  });
  return terms;
}

}  // namespace touchstone::text
