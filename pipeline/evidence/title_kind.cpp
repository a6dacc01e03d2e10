#include "pipeline/evidence/title_kind.hpp"

#include "common/unicode.hpp"
#include "pipeline/corpus/wiki_language.hpp"
#include "pipeline/evidence/section_wording.hpp"
#include "pipeline/evidence/subject_noun.hpp"
#include "pipeline/evidence/wording/function_words.hpp"
#include "storage/keys.hpp"
#include "storage/records.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace touchstone::pipeline::evidence {
namespace {

constexpr std::size_t kMostMembers = 20, kLeadBytes = 600;

std::string lead_of(const storage::Store& store, PageId page) {
  std::string bytes, text;
  if (!store.get(storage::Family::kParagraph, storage::page_part_key(page, 0), bytes)) return text;
  for (const auto& paragraph : storage::decode_section_text(bytes).paragraphs) {
    if (text.size() > kLeadBytes) break;
    text += paragraph.text + "\n";
  }
  return text;
}

/// The word of a term, in lower case.
std::string word_of(std::string_view text, const text::Term& term) {
  ByteCounter positions(text);
  const auto begin = positions.at_code_point(term.begin);
  return lower_case(text.substr(begin, positions.at_code_point(term.end) - begin));
}

class LeadOfMember {
 public:
  LeadOfMember(text::TermSplitter& splitter, std::string text, bool stemmed)
      : text_(std::move(text)), terms_(splitter.split(text_)), stemmed_(stemmed) {}

  /// The noun in another form than `word`.
  bool has_other_form(const std::string& stem, const std::string& word) const {
    return std::any_of(terms_.begin(), terms_.end(), [&](const text::Term& term) {
      return is_same_noun(term.stem, stem, stemmed_) && word_of(text_, term) != word;
    });
  }

  bool has_phrase(const std::vector<text::Term>& phrase) const {
    return std::search(terms_.begin(), terms_.end(), phrase.begin(), phrase.end(), [&](const auto& a, const auto& b) {
             return is_same_noun(a.stem, b.stem, stemmed_);
           }) != terms_.end();
  }

 private:
  std::string text_;
  std::vector<text::Term> terms_;
  bool stemmed_;
};

/// Japanese: the kind is what comes behind the last "の", if there is one.
bool names_kind_behind_particle(const storage::Store& store, const std::string& title, const Group& group) {
  constexpr std::string_view kParticle = "の";
  const auto at = title.rfind(kParticle);
  if (at == 0 || (at != std::string::npos && at + kParticle.size() == title.size())) return false;
  const auto kind = at == std::string::npos ? title : title.substr(at + kParticle.size());
  std::size_t told = 0, named = 0, asked = 0;
  for (std::size_t i = 0; i < std::min(kMostMembers, group.members.size()); ++i, ++asked) {
    const auto lead = lead_of(store, group.members[i].page);
    told += lead.find(kind) != std::string::npos ? 1 : 0;
    named += kind.size() < title.size() && lead.find(title) != std::string::npos ? 1 : 0;
  }
  return 2 * told >= asked && 3 * named < asked;
}

}  // namespace

bool names_kind(const storage::Store& store, text::TermSplitter& splitter, std::string_view language,
                const std::string& title, const Group& group) {
  if (language == "simple" || language.starts_with("en")) return names_things(title);
  const auto phrase = splitter.split(title);
  if (std::any_of(phrase.begin(), phrase.end(), [](const auto& term) { return term.letter; }))
    return names_kind_behind_particle(store, title, group);
  const auto preposition = std::find_if(phrase.begin(), phrase.end(), [&](const auto& term) {
    return wording::is_preposition(language, word_of(title, term));
  });
  std::vector<std::pair<std::string, std::string>> nouns;  // stem and word of what may be the title's noun
  for (auto term = phrase.begin(); term != preposition; ++term) {
    auto word = word_of(title, *term);
    if (!wording::is_function_word(language, word)) nouns.emplace_back(term->stem, std::move(word));
  }
  const bool stemmed = !corpus::stemmer_name(language).empty();
  std::size_t told = 0, named = 0, asked = 0;
  for (std::size_t i = 0; i < std::min(kMostMembers, group.members.size()); ++i, ++asked) {
    const LeadOfMember lead(splitter, lead_of(store, group.members[i].page), stemmed);
    told += std::any_of(nouns.begin(), nouns.end(),
                        [&](const auto& noun) { return lead.has_other_form(noun.first, noun.second); })
                ? 1
                : 0;
    // "Burg in Hessen" has the words of "Burgen in Hessen"; without a preposition, they are a name.
    named += phrase.size() > 1 && preposition == phrase.end() && lead.has_phrase(phrase) ? 1 : 0;
  }
  return 2 * told >= asked && 3 * named < asked;
}

}  // namespace touchstone::pipeline::evidence
