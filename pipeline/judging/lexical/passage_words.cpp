#include "pipeline/judging/lexical/passage_words.hpp"

#include "common/unicode.hpp"
#include "pipeline/judging/lexical/compared_words.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
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

/// In place of each word of the list's own name, of code, and of what is denied. Another's article that says "part of:
/// List of shrines in Aki" says so of itself; the own article says so of the member.
constexpr std::string_view kListName = "-";
/// In place of words that are said of the page's subject, and not of the member.
constexpr std::string_view kOfSubject = "-";
/// Words directly in front of a name that speak of it: "of the island of Great Ostra".
constexpr std::ptrdiff_t kApposition = 4;

/// A line of a text, and the code points that it takes.
struct Line {
  std::string_view text;
  std::uint32_t begin = 0, end = 0;
};

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  std::uint32_t begin = 0;
  while (!text.empty()) {
    const auto taken =
        std::min(text.size(), text.find('\n') == std::string_view::npos ? text.size() : text.find('\n') + 1);
    auto line = text.substr(0, taken);
    const auto end = begin + static_cast<std::uint32_t>(count_code_points(line));
    while (!line.empty() && (line.back() == '\n' || line.back() == ' ')) line.remove_suffix(1);
    lines.push_back({line, begin, end});
    begin = end;
    text.remove_prefix(taken);
  }
  return lines;
}

/// Of a program or of its settings ("Categories=Games;"): its words say nothing of a subject.
bool is_code(std::string_view line) {
  const auto name_end = std::find_if(line.begin(), line.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalnum(byte) == 0 && c != '_' && c != '.' && c != '-' && c != '$' && c != '{' && c != '}' &&
           c != '[' && c != ']';
  });
  auto sign = std::find_if(name_end, line.end(), [](char c) { return c != ' '; });
  if (sign != line.end() && (*sign == '+' || *sign == ':')) ++sign;
  return name_end != line.begin() && sign != line.end() && *sign == '=';
}

/// The words that introduce lists of which the member is an item: the sentence in front of the colon at the end of a
/// line, if a line behind it begins with the member's name. The list goes on to the next line that ends with a colon.
/// \return for each term, whether it is such a word
std::vector<bool> introductions(const std::vector<text::Term>& terms, const std::vector<bool>& is_name,
                                const std::vector<Line>& lines) {
  constexpr std::size_t kItemStart = 3;  // "the Old Light (1850), ..."
  std::vector<bool> introduces(terms.size(), false);
  std::size_t begin = 0, end = 0;  // the terms of the introduction
  std::size_t passed = 0;
  for (const auto& line : lines) {
    const auto first = passed;
    while (passed < terms.size() && terms[passed].begin < line.end) ++passed;
    if (std::any_of(is_name.begin() + static_cast<std::ptrdiff_t>(first),
                    is_name.begin() + static_cast<std::ptrdiff_t>(std::min(passed, first + kItemStart)),
                    [](bool named) { return named; }))
      std::fill(introduces.begin() + static_cast<std::ptrdiff_t>(begin),
                introduces.begin() + static_cast<std::ptrdiff_t>(end), true);
    if (!line.text.ends_with(':')) continue;
    begin = end = passed;
    while (begin > first && terms[begin - 1].sentence == terms[end - 1].sentence) --begin;
  }
  return introduces;
}

/// Marks the words of `terms` that are an occurrence of `name`.
void mark_name(const std::vector<text::Term>& terms, const std::vector<text::Term>& name, std::vector<bool>& marked) {
  if (name.empty()) return;
  for (std::size_t i = 0; i + name.size() <= terms.size(); ++i) {
    const bool here = std::equal(name.begin(), name.end(), terms.begin() + static_cast<std::ptrdiff_t>(i),
                                 [](const text::Term& a, const text::Term& b) { return a.stem == b.stem; });
    if (here) std::fill_n(marked.begin() + static_cast<std::ptrdiff_t>(i), name.size(), true);
  }
}

/// "Mercury (planet)" is called "Mercury" in running text.
std::string without_qualifier(const std::string& title) {
  const auto open = title.rfind(" (");
  return open != std::string::npos && title.back() == ')' ? title.substr(0, open) : title;
}

void mark_member(const JudgeRequest& request, const std::vector<text::Term>& terms, text::TermSplitter& splitter,
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

PassageWords::PassageWords(const JudgeRequest& request, bool titled_list, text::TermSplitter& splitter, Endings endings,
                           const Denials& denials)
    : own_(request.own_article) {
  const auto terms = compared_words(splitter, request.passage_text, endings);
  for (auto& term : compared_words(splitter, request.member, endings)) name_.push_back(std::move(term.stem));
  std::vector<bool> is_name(terms.size(), false);
  mark_member(request, terms, splitter, endings, is_name);
  std::vector<bool> is_list(terms.size(), false);  // or code, or denied
  if (!own_ && titled_list) mark_name(terms, compared_words(splitter, request.page, endings), is_list);
  const auto lines = lines_of(request.passage_text);
  std::vector<bool> starts(terms.size(), false);  // a line that says something of its own
  std::size_t passed = 0;
  bool is_heading = true;  // what the line before names is what this one tells about
  for (const auto& line : lines) {
    const bool code = is_code(line.text);
    if (passed < terms.size()) starts[passed] = !own_ && !is_heading;
    is_heading = true;
    for (; passed < terms.size() && terms[passed].begin < line.end; ++passed) {
      is_heading = is_heading && is_name[passed];
      is_list[passed] = is_list[passed] || (code && !is_name[passed]);
    }
  }
  const auto denied = denials.denied(terms, request.passage_text);
  std::transform(is_list.begin(), is_list.end(), denied.begin(), is_list.begin(), std::logical_or<>());
  const auto introduces = introductions(terms, is_name, lines);
  const auto title = compared_words(splitter, without_qualifier(request.passage_title), endings);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (i == 0 || starts[i] || terms[i].sentence != terms[i - 1].sentence) {
      sentences_.emplace_back();
      sentences_.back().near = own_ && (request.lead || sentences_.size() <= kFirstSentences);
    }
    auto& sentence = sentences_.back();
    sentence.near |= is_name[i] || introduces[i];
    sentence.introduces.push_back(introduces[i]);
    sentence.capital.push_back(terms[i].capital);
    sentence.words.push_back(is_name[i] ? std::string() : is_list[i] ? std::string(kListName) : terms[i].stem);
  }
  if (own_) return;
  for (const auto& term : title) title_.push_back(term.stem);
  const auto member = compared_words(splitter, without_qualifier(request.member), endings);
  const bool namesake = std::equal(member.begin(), member.end(), title.begin(), title.end(),
                                   [](const text::Term& a, const text::Term& b) { return a.stem == b.stem; });
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
    auto around = std::move(sentence.introduces);
    for (std::size_t i = 0; i < sentence.words.size(); ++i) {
      if (!sentence.words[i].empty()) continue;
      const std::size_t first = i - std::min(i, kWindow), last = std::min(sentence.words.size(), i + kWindow + 1);
      std::fill(around.begin() + static_cast<std::ptrdiff_t>(first), around.begin() + static_cast<std::ptrdiff_t>(last),
                true);
    }
    for (std::size_t i = 0; i < sentence.words.size(); ++i) {
      if (i == 0 || around[i] != around[i - 1]) pieces.push_back({{}, around[i] && sentence.near, {}, {}});
      pieces.back().words.push_back(std::move(sentence.words[i]));
      pieces.back().capital.push_back(sentence.capital[i]);
    }
  }
  sentences_ = std::move(pieces);
}

void PassageWords::leave_out_names(const ListWords& list) {
  if (own_) return;
  const auto has = [&](const std::vector<ListPhrase>& part, const auto& condition) {
    return std::any_of(part.begin(), part.end(), condition);
  };
  for (auto& sentence : sentences_) {
    for (std::size_t i = sentence.words.size(); i-- > 2;) {  // the first word of a sentence always has a capital
      auto& word = sentence.words[i];
      const auto& before = sentence.words[i - 1];
      const auto said = [&](const ListPhrase& phrase) { return phrase.words.contains(before); };
      const bool of_list = before.empty() || has(list.head, said) || has(list.scope, said) || has(list.section, said);
      if (sentence.capital[i - 1] && !of_list &&
          has(list.head, [&](const ListPhrase& phrase) { return phrase.noun == word; }))
        word = kOfSubject;
    }
  }
}

void PassageWords::join_forms(const ListWords& list) {
  constexpr std::size_t kLeastLength = 4;
  const auto is_form = [&](const std::string& word, const std::string& noun) {
    if (noun.size() < kLeastLength || word.size() <= noun.size()) return false;
    if (word.ends_with(noun)) return true;
    const auto ending = std::string_view(word).substr(noun.size());
    return word.starts_with(noun) && (ending == "in" || ending == "erin" || ending == "inn" || ending == "erinn");
  };
  for (auto& sentence : sentences_) {
    for (auto& word : sentence.words) {
      for (const auto* part : {&list.head, &list.section}) {
        for (const auto& phrase : *part) {
          if (is_form(word, phrase.noun)) word = phrase.noun;
        }
      }
    }
  }
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

double PassageWords::near_on_page(const std::vector<ListPhrase>& phrases, const std::vector<ListPhrase>& scope,
                                  const CorpusStatistics& statistics) const {
  auto words = sentences(true);
  if (!words.empty() && share_of(scope, {&title_}, statistics) >= 1) words.push_back(&title_);
  return share_of(phrases, words, statistics);
}

double PassageWords::first(const std::vector<ListPhrase>& phrases, const CorpusStatistics& statistics) const {
  return sentences_.empty() ? 0 : share_of(phrases, {&sentences_.front().words}, statistics);
}

double PassageWords::beginning(const std::vector<ListPhrase>& phrases, const CorpusStatistics& statistics) const {
  std::vector<const StemPhrase*> words;
  for (std::size_t i = 0; i < std::min(kFirstSentences, sentences_.size()); ++i) words.push_back(&sentences_[i].words);
  return share_of(phrases, words, statistics);
}

double PassageWords::in_one_sentence(const std::vector<ListPhrase>& phrases, const CorpusStatistics& statistics) const {
  double most = 0;
  for (const auto& sentence : sentences_) most = std::max(most, share_of(phrases, {&sentence.words}, statistics));
  return most;
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
  for (const auto& [words, near, introduces, capital] : sentences_) {
    if (!near) continue;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const bool is_noun = std::any_of(heads.begin(), heads.end(),
                                       [&word = words[i]](const auto& phrase) { return phrase.noun == word; });
      if (!is_noun) continue;
      const auto at = words.begin() + static_cast<std::ptrdiff_t>(i);
      const StemPhrase before(at - static_cast<std::ptrdiff_t>(std::min(i, kWords)), at);
      if (share_of(scope, {&before}, statistics) >= kShare) return true;
    }
  }
  return false;
}

bool PassageWords::is_called(const std::vector<ListPhrase>& heads) const {
  constexpr std::size_t kWords = 4;
  for (const auto& [words, near, introduces, capital] : sentences_) {
    if (!near) continue;
    for (std::size_t i = 1; i < words.size(); ++i) {
      const bool is_noun = std::any_of(heads.begin(), heads.end(),
                                       [&word = words[i]](const auto& phrase) { return phrase.noun == word; });
      if (!is_noun || capital[i]) continue;
      for (std::size_t j = i; j > 0 && i - j < kWords; --j) {
        if (words[j - 1].empty()) return true;
        if (capital[j - 1]) break;
      }
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
  for (const auto& [words, near, introduces, capital] : sentences_) {
    if (!near) continue;
    std::vector<std::size_t> wanted, names;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i].empty()) names.push_back(i);
      for (const auto& phrase : phrases) {
        const auto rest = std::span(words).subspan(i);
        const bool starts = std::any_of(phrase.synonyms.begin(), phrase.synonyms.end(), [&rest](const auto& synonym) {
          return rest.size() >= synonym.size() && std::equal(synonym.begin(), synonym.end(), rest.begin());
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
