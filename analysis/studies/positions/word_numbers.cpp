#include "analysis/studies/positions/word_numbers.hpp"

#include "common/error.hpp"
#include "common/unicode.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/quote.hpp"
#include "formats/trec/qrels.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace touchstone::analysis::studies::positions {
namespace {

constexpr std::uint32_t kHighestPosition = 1'000'000;

/// UTF-16 code units.
std::uint32_t length_of(std::string_view text) {
  std::uint32_t length = 0;
  for (const char32_t c : to_utf32(text)) length += c > 0xFFFF ? 2 : 1;
  return length;
}

/// The words of the texts, each text cut once.
class SnippetWords {
 public:
  explicit SnippetWords(const Texts& texts) : texts_(texts) {}

  const std::vector<CharacterRange>& of(const Judgment& judgment, const std::string& file) {
    const auto& text = texts_.at(judgment.docid);
    const auto [at, is_new] = words_.try_emplace(judgment.docid);
    if (is_new) at->second = {words_of(text), length_of(text)};
    if (!judgment.ranges.empty() && judgment.ranges.back().last >= at->second.length) {
      throw FormatError(fmt::format(
          "{}:{}: the range {}-{} ends behind the {} characters of the text of {}; give the texts that were judged",
          file, judgment.line, judgment.ranges.back().first, judgment.ranges.back().last, at->second.length,
          formats::fields::quote_for_message(judgment.docid)));
    }
    return at->second.words;
  }

 private:
  struct Snippet {
    std::vector<CharacterRange> words;
    std::uint32_t length = 0;  ///< UTF-16 code units
  };

  const Texts& texts_;
  std::unordered_map<std::string, Snippet> words_;
};

std::size_t tenth_of(std::size_t word, std::size_t words) {
  return word * kTenths / words;
}

/// One group while it is counted.
struct GroupCounter {
  WordGroup group;
  std::vector<double> percents;

  void add(const std::vector<bool>& selected, bool rotated) {
    const auto words = selected.size();
    const auto chosen = static_cast<std::uint64_t>(std::count(selected.begin(), selected.end(), true));
    for (std::size_t i = 0; i < words; ++i) {
      ++group.words[tenth_of(i, words)];
      if (!selected[i]) continue;
      ++group.selected[tenth_of(i, words)];
      // The second half is shown first.
      ++group.shown[tenth_of(rotated ? (i + words - words / 2) % words : i, words)];
    }
    ++group.judgments;
    percents.push_back(100 * static_cast<double>(chosen) / static_cast<double>(words));
  }

  WordGroup finished() {
    const auto n = static_cast<double>(percents.size());
    group.mean_percent = std::accumulate(percents.begin(), percents.end(), 0.0) / n;
    double squares = 0;
    for (const double p : percents) squares += (p - group.mean_percent) * (p - group.mean_percent);
    group.sd_percent = percents.size() < 2 ? std::nan("") : std::sqrt(squares / (n - 1));
    group.mean_selected = static_cast<double>(group.selected_words()) / n;
    return group;
  }
};

/// What people said about a snippet for a topic.
struct JudgedPair {
  std::map<int, std::size_t> votes;
  std::vector<const Judgment*> judgments;

  int grade() const {
    int winner = 0;
    std::size_t most = 0;
    for (const auto& [grade, count] : votes) {  // ascending, so that the highest of those that tie wins
      if (count < most) continue;
      winner = grade;
      most = count;
    }
    return winner;
  }
};

std::vector<bool> relevant_words(const JudgedPair& pair, int min_grade, SnippetWords& words, const std::string& file) {
  const auto& all = words.of(*pair.judgments.front(), file);
  std::vector<std::size_t> votes(all.size());
  std::size_t voters = 0;
  for (const auto* judgment : pair.judgments) {
    const auto selected = selected_words(words.of(*judgment, file), judgment->ranges);
    if (judgment->grade < min_grade || judgment->ranges.empty()) continue;
    ++voters;
    for (std::size_t i = 0; i < selected.size(); ++i) votes[i] += selected[i] ? 1 : 0;
  }
  std::vector<bool> relevant(all.size());
  if (voters == 0 || pair.grade() < min_grade) return relevant;
  for (std::size_t i = 0; i < votes.size(); ++i) relevant[i] = votes[i] > 0 && 2 * votes[i] >= voters;
  return relevant;
}

void add_counts(SpanCounts& counts, const std::vector<bool>& relevant, const std::vector<bool>& selected) {
  for (std::size_t i = 0; i < relevant.size(); ++i) {
    counts.hit += relevant[i] && selected[i] ? 1 : 0;
    counts.wrong += !relevant[i] && selected[i] ? 1 : 0;
    counts.missed += relevant[i] && !selected[i] ? 1 : 0;
  }
}

}  // namespace

SnippetPlace place_of(const std::string& docid, const std::string& file, std::uint64_t line) {
  SnippetPlace place;
  const auto separator = docid.rfind('_');
  if (separator == std::string::npos || separator == 0 ||
      !formats::fields::parse_integer(std::string_view(docid).substr(separator + 1), std::uint32_t{0}, kHighestPosition,
                                      place.position)) {
    throw FormatError(
        fmt::format("{}:{}: the docid {} does not end with _ and a position from 0; name snippets "
                    "DOCUMENT_0, DOCUMENT_1 and so on",
                    file, line, formats::fields::quote_for_message(docid)));
  }
  place.document = docid.substr(0, separator);
  return place;
}

std::uint64_t PositionCounts::of_grade(int grade) const {
  const auto found = by_grade.find(grade);
  return found == by_grade.end() ? 0 : found->second;
}

PositionNumbers count_positions(const std::filesystem::path& snippets, const std::filesystem::path& documents) {
  std::map<std::pair<std::string, std::string>, int> document_grade;
  for (const auto& qrel : formats::trec::read_qrels(documents)) document_grade[{qrel.topic, qrel.docid}] = qrel.grade;
  PositionNumbers numbers;
  std::set<int> grades;
  std::set<std::pair<std::string, std::string>> seen;
  formats::trec::for_each_qrel(snippets, [&](const formats::trec::QrelRecord& qrel, std::uint64_t line) {
    const auto place = place_of(qrel.docid, snippets.string(), line);
    if (!seen.emplace(qrel.topic, qrel.docid).second) {
      throw FormatError(fmt::format("{}:{}: the snippet {} is judged twice for topic {}; keep one of the lines",
                                    snippets.string(), line, formats::fields::quote_for_message(qrel.docid),
                                    formats::fields::quote_for_message(qrel.topic)));
    }
    ++numbers.snippets;
    grades.insert(qrel.grade);
    const auto document = document_grade.find({qrel.topic, place.document});
    if (document == document_grade.end()) {
      ++numbers.without_document;
      return;
    }
    auto& counts = numbers.by_document_grade[document->second][place.position];
    ++counts.snippets;
    ++counts.by_grade[qrel.grade];
  });
  numbers.snippet_grades.assign(grades.begin(), grades.end());
  return numbers;
}

std::uint64_t WordGroup::selected_words() const {
  return std::accumulate(selected.begin(), selected.end(), std::uint64_t{0});
}

double SpanCounts::precision() const {
  return hit + wrong == 0 ? std::nan("") : static_cast<double>(hit) / static_cast<double>(hit + wrong);
}

double SpanCounts::recall() const {
  return hit + missed == 0 ? std::nan("") : static_cast<double>(hit) / static_cast<double>(hit + missed);
}

std::vector<CharacterRange> words_of(std::string_view text) {
  std::vector<CharacterRange> words;
  std::uint32_t unit = 0;
  std::size_t read = 0;
  text::for_each_word(text, text::between_spaces, [&](const text::Word& word) {
    const auto first = unit + length_of(text.substr(read, word.begin - read));
    unit = first + length_of(word.of(text));
    words.push_back({first, unit - 1});
    read = word.end;
  });
  return words;
}

std::vector<bool> selected_words(const std::vector<CharacterRange>& words, const std::vector<CharacterRange>& ranges) {
  std::vector<bool> selected(words.size());
  auto range = ranges.begin();
  for (std::size_t i = 0; i < words.size(); ++i) {
    while (range != ranges.end() && range->last < words[i].first) ++range;
    selected[i] = range != ranges.end() && range->first <= words[i].last;
  }
  return selected;
}

WordNumbers count_words_by_place(const std::vector<Judgment>& judgments, const Texts& texts, int min_grade,
                                 const std::string& file) {
  WordNumbers numbers;
  SnippetWords words(texts);
  std::array<GroupCounter, 3> counters;
  constexpr std::array<const char*, 3> kNames = {"all", "unchanged", "rotated"};
  numbers.judgments = judgments.size();
  for (const auto& judgment : judgments) {
    const auto selected = selected_words(words.of(judgment, file), judgment.ranges);
    if (judgment.grade < min_grade) continue;
    ++numbers.relevant;
    if (std::find(selected.begin(), selected.end(), true) == selected.end()) {
      ++numbers.without_ranges;
      continue;
    }
    const bool rotated = judgment.rotated.value_or(false);
    counters[0].add(selected, rotated);
    if (judgment.rotated) counters[rotated ? 2 : 1].add(selected, rotated);
  }
  for (std::size_t i = 0; i < counters.size(); ++i) {
    if (counters[i].group.judgments == 0) continue;
    counters[i].group.name = kNames[i];
    numbers.groups.push_back(counters[i].finished());
  }
  return numbers;
}

SpanNumbers compare_spans(const std::vector<Judgment>& judges, const std::string& judges_file,
                          const std::vector<Judgment>& system, const std::string& system_file, const Texts& texts,
                          int min_grade) {
  SnippetWords words(texts);
  std::map<std::pair<std::string, std::string>, JudgedPair> pairs;
  for (const auto& judgment : judges) {
    auto& pair = pairs[{judgment.topic, judgment.docid}];
    ++pair.votes[judgment.grade];
    pair.judgments.push_back(&judgment);
  }
  std::map<std::pair<std::string, std::string>, const Judgment*> spans;
  for (const auto& line : system) {
    if (!spans.emplace(std::pair{line.topic, line.docid}, &line).second) {
      throw FormatError(fmt::format("{}:{}: the snippet {} comes twice for topic {}; join the ranges of both lines",
                                    system_file, line.line, formats::fields::quote_for_message(line.docid),
                                    formats::fields::quote_for_message(line.topic)));
    }
  }
  SpanNumbers numbers;
  numbers.snippets = pairs.size();
  for (const auto& [key, pair] : pairs) {
    const auto& first = *pair.judgments.front();
    const auto position = place_of(first.docid, judges_file, first.line).position;
    const auto relevant = relevant_words(pair, min_grade, words, judges_file);
    numbers.relevant += pair.grade() >= min_grade ? 1 : 0;
    std::vector<bool> selected(relevant.size());
    if (const auto found = spans.find(key); found != spans.end())
      selected = selected_words(words.of(*found->second, system_file), found->second->ranges);
    add_counts(numbers.by_position[position], relevant, selected);
    add_counts(numbers.all, relevant, selected);
  }
  for (const auto& [key, line] : spans) numbers.unjudged += pairs.contains(key) ? 0 : 1;
  return numbers;
}

}  // namespace touchstone::analysis::studies::positions
