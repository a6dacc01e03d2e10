#include "pipeline/judging/lexical/passage_words.hpp"

#include "common/unicode.hpp"
#include "pipeline/judging/lexical/compared_words.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

namespace touchstone::pipeline::judging::lexical {
namespace {

/// Sentences at the beginning of a section of the own article that speak of its subject.
constexpr std::size_t kFirstSentences = 2;
/// Words on each side of a member's name that speak of it. Lists without full stops are sentences of hundreds of words.
constexpr std::size_t kWindow = 15;
/// A word that every passage holds still counts a little.
constexpr double kLeastWeight = 0.1;

/// In place of each word of the list's own name and of code. Another's article that says "part of: List of shrines in
/// Aki" says so of itself; the own article says so of the member.
constexpr std::string_view kListName = "-";
/// In place of words that are said of the page's subject, and not of the member.
constexpr std::string_view kOfSubject = "-";
/// Words directly in front of a name that speak of it: "of the island of Great Ostra".
constexpr std::ptrdiff_t kApposition = 4;

/// Lines of programs and of their settings ("Categories=Games;"), whose words say nothing of a subject.
/// \return for each code point of `text`, whether it stands in one
std::vector<bool> lines_of_code(std::string_view text) {
  std::vector<bool> code;
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    const auto name_end = std::find_if(line.begin(), line.end(), [](char c) {
      const auto byte = static_cast<unsigned char>(c);
      return std::isalnum(byte) == 0 && c != '_' && c != '.' && c != '-' && c != '$' && c != '{' && c != '}' &&
             c != '[' && c != ']';
    });
    auto sign = std::find_if(name_end, line.end(), [](char c) { return c != ' '; });
    if (sign != line.end() && (*sign == '+' || *sign == ':')) ++sign;
    const bool is_code = name_end != line.begin() && sign != line.end() && *sign == '=';
    const auto taken = std::min(text.size(), line.size() + 1);
    code.insert(code.end(), count_code_points(text.substr(0, taken)), is_code);
    text.remove_prefix(taken);
  }
  return code;
}

/// Marks the words of `terms` that are an occurrence of `name`.
void mark_name(const std::vector<corpus::Term>& terms, const std::vector<corpus::Term>& name,
               std::vector<bool>& marked) {
  if (name.empty()) return;
  for (std::size_t i = 0; i + name.size() <= terms.size(); ++i) {
    const bool here = std::equal(name.begin(), name.end(), terms.begin() + static_cast<std::ptrdiff_t>(i),
                                 [](const corpus::Term& a, const corpus::Term& b) { return a.stem == b.stem; });
    if (here) std::fill_n(marked.begin() + static_cast<std::ptrdiff_t>(i), name.size(), true);
  }
}

/// "Mercury (planet)" is called "Mercury" in running text.
std::string without_qualifier(const std::string& title) {
  const auto open = title.rfind(" (");
  return open != std::string::npos && title.back() == ')' ? title.substr(0, open) : title;
}

void mark_member(const JudgeRequest& request, const std::vector<corpus::Term>& terms, corpus::TermSplitter& splitter,
                 Endings endings, std::vector<bool>& is_name) {
  mark_name(terms, compared_words(splitter, request.member, endings), is_name);
  mark_name(terms, compared_words(splitter, without_qualifier(request.member), endings), is_name);
  for (const auto& alias : request.aliases) mark_name(terms, compared_words(splitter, alias, endings), is_name);
  for (const auto& [begin, end] : request.mentions) {
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (terms[i].begin < end && terms[i].end > begin) is_name[i] = true;
    }
  }
}

bool holds(const StemPhrase& text, const StemPhrase& phrase) {
  return std::search(text.begin(), text.end(), phrase.begin(), phrase.end()) != text.end();
}

}  // namespace

double share_of(const std::vector<ListPhrase>& phrases, const std::vector<const StemPhrase*>& text,
                const CorpusStatistics& statistics) {
  double all = 0, held = 0;
  for (const auto& phrase : phrases) {
    double of_phrase = 0, found = 0;
    for (const auto& stem : phrase.words) {
      const double weight = statistics.idf(stem) + kLeastWeight;
      of_phrase += weight;
      const bool here = std::any_of(text.begin(), text.end(), [&](const StemPhrase* words) {
        return std::find(words->begin(), words->end(), stem) != words->end();
      });
      if (here) found += weight;
    }
    const bool said =
        found < of_phrase && std::any_of(phrase.synonyms.begin(), phrase.synonyms.end(), [&](const auto& synonym) {
          return std::any_of(text.begin(), text.end(), [&](const StemPhrase* words) { return holds(*words, synonym); });
        });
    all += of_phrase;
    held += said ? of_phrase : found;
  }
  return all == 0 ? 0 : held / all;
}

PassageWords::PassageWords(const JudgeRequest& request, bool titled_list, corpus::TermSplitter& splitter,
                           Endings endings)
    : own_(request.own_article) {
  const auto terms = compared_words(splitter, request.passage_text, endings);
  for (auto& term : compared_words(splitter, request.member, endings)) name_.push_back(std::move(term.stem));
  std::vector<bool> is_name(terms.size(), false);
  mark_member(request, terms, splitter, endings, is_name);
  std::vector<bool> is_list(terms.size(), false);  // or code
  if (!own_ && titled_list) mark_name(terms, compared_words(splitter, request.page, endings), is_list);
  const auto code = lines_of_code(request.passage_text);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (terms[i].begin < code.size() && code[terms[i].begin] && !is_name[i]) is_list[i] = true;
  }
  const auto title = compared_words(splitter, without_qualifier(request.passage_title), endings);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (i == 0 || terms[i].sentence != terms[i - 1].sentence) {
      sentences_.emplace_back();
      sentences_.back().near = own_ && (request.lead || sentences_.size() <= kFirstSentences);
    }
    auto& sentence = sentences_.back();
    sentence.near |= is_name[i];
    sentence.words.push_back(is_name[i] ? std::string() : is_list[i] ? std::string(kListName) : terms[i].stem);
  }
  if (own_) return;
  for (const auto& term : title) title_.push_back(term.stem);
  const auto member = compared_words(splitter, without_qualifier(request.member), endings);
  const bool namesake = std::equal(member.begin(), member.end(), title.begin(), title.end(),
                                   [](const corpus::Term& a, const corpus::Term& b) { return a.stem == b.stem; });
  for (auto& sentence : sentences_) sentence.near &= !namesake;
  for (auto& sentence : sentences_) {
    if (sentence.near) leave_to_subject(sentence.words);
  }
  narrow();
}

/// A sentence that begins with the title of its page speaks of that page, up to the first name of the member.
void PassageWords::leave_to_subject(StemPhrase& words) const {
  constexpr std::size_t kArticle = 1;  // "The Hook Light is ..."
  const auto last = words.begin() + static_cast<std::ptrdiff_t>(std::min(words.size(), title_.size() + kArticle));
  const auto found = std::search(words.begin(), last, title_.begin(), title_.end());
  if (title_.empty() || found == last) return;
  const auto name = std::find(words.begin(), words.end(), std::string());
  const auto begin = found + static_cast<std::ptrdiff_t>(title_.size());
  if (name - begin > kApposition) std::fill(begin, name - kApposition, std::string(kOfSubject));
}

/// Cuts sentences in front of and behind the words around names.
void PassageWords::narrow() {
  std::vector<Sentence> pieces;
  for (auto& sentence : sentences_) {
    std::vector<bool> around(sentence.words.size(), false);
    for (std::size_t i = 0; i < sentence.words.size(); ++i) {
      if (!sentence.words[i].empty()) continue;
      const std::size_t first = i - std::min(i, kWindow), last = std::min(sentence.words.size(), i + kWindow + 1);
      std::fill(around.begin() + static_cast<std::ptrdiff_t>(first), around.begin() + static_cast<std::ptrdiff_t>(last),
                true);
    }
    for (std::size_t i = 0; i < sentence.words.size(); ++i) {
      if (i == 0 || around[i] != around[i - 1]) pieces.push_back({{}, around[i] && sentence.near});
      pieces.back().words.push_back(std::move(sentence.words[i]));
    }
  }
  sentences_ = std::move(pieces);
}

std::vector<const StemPhrase*> PassageWords::sentences(bool near_only) const {
  std::vector<const StemPhrase*> chosen;
  for (const auto& sentence : sentences_) {
    if (sentence.near || !near_only) chosen.push_back(&sentence.words);
  }
  return chosen;
}

double PassageWords::near(const std::vector<ListPhrase>& phrases, const CorpusStatistics& statistics) const {
  return share_of(phrases, sentences(true), statistics);
}

double PassageWords::first(const std::vector<ListPhrase>& phrases, const CorpusStatistics& statistics) const {
  return sentences_.empty() ? 0 : share_of(phrases, {&sentences_.front().words}, statistics);
}

bool PassageWords::has_noun(const std::vector<ListPhrase>& phrases, bool first) const {
  const auto count = first ? std::min(kFirstSentences, sentences_.size()) : sentences_.size();
  return std::any_of(
      sentences_.begin(), sentences_.begin() + static_cast<std::ptrdiff_t>(count), [&](const Sentence& sentence) {
        return sentence.near && std::any_of(phrases.begin(), phrases.end(), [&](const auto& phrase) {
                 return std::find(sentence.words.begin(), sentence.words.end(), phrase.noun) != sentence.words.end();
               });
      });
}

bool PassageWords::is_compound(const std::vector<ListPhrase>& scope, const std::vector<ListPhrase>& heads,
                               const CorpusStatistics& statistics) const {
  constexpr std::size_t kWords = 4;  // in front of the noun
  constexpr double kShare = 0.5;
  for (const auto& [words, near] : sentences_) {
    if (!near) continue;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const bool is_noun =
          std::any_of(heads.begin(), heads.end(), [&](const auto& phrase) { return phrase.noun == words[i]; });
      if (!is_noun) continue;
      const auto at = words.begin() + static_cast<std::ptrdiff_t>(i);
      const StemPhrase before(at - static_cast<std::ptrdiff_t>(std::min(i, kWords)), at);
      if (share_of(scope, {&before}, statistics) >= kShare) return true;
    }
  }
  return false;
}

bool PassageWords::name_has_word(const std::vector<ListPhrase>& phrases) const {
  return std::any_of(name_.begin(), name_.end(), [&](const auto& stem) {
    return std::any_of(phrases.begin(), phrases.end(), [&](const auto& phrase) { return phrase.words.contains(stem); });
  });
}

double PassageWords::anywhere(const std::vector<ListPhrase>& phrases, const CorpusStatistics& statistics) const {
  auto all = sentences(false);
  all.push_back(&title_);
  return share_of(phrases, all, statistics);
}

double PassageWords::distance(const std::vector<ListPhrase>& phrases) const {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [words, near] : sentences_) {
    if (!near) continue;
    std::vector<std::size_t> wanted, names;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i].empty()) names.push_back(i);
      for (const auto& phrase : phrases) {
        const bool starts = std::any_of(phrase.synonyms.begin(), phrase.synonyms.end(), [&](const auto& synonym) {
          return words.size() - i >= synonym.size() &&
                 std::equal(synonym.begin(), synonym.end(), words.begin() + static_cast<std::ptrdiff_t>(i));
        });
        if (starts || phrase.words.contains(words[i])) wanted.push_back(i);
      }
    }
    for (const auto i : wanted) {
      if (names.empty() && own_) least = std::min(least, static_cast<double>(i));
      for (const auto j : names) least = std::min(least, std::abs(static_cast<double>(i) - static_cast<double>(j)) - 1);
    }
  }
  return least;
}

}  // namespace touchstone::pipeline::judging::lexical
