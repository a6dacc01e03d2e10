#include "pipeline/judging/lexical/corpus_statistics.hpp"

#include "pipeline/corpus/text_results.hpp"
#include "pipeline/judging/lexical/compared_words.hpp"

#include <cmath>
#include <string_view>

#include <fmt/format.h>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>

namespace touchstone::pipeline::judging::lexical {
namespace {

/// Raised when the same passage gives other words.
constexpr int kWordsVersion = 1;

corpus::HashedWords words_of(std::string_view text, text::TermSplitter& splitter, const std::string& stemmer) {
  corpus::HashedWords words;
  corpus::add_words(compared_words(splitter, text, endings_for(stemmer)), true, words);
  corpus::keep_distinct(words);
  return words;
}

}  // namespace

void CorpusStatistics::add_passage(const std::vector<text::Term>& terms) {
  corpus::HashedWords words;
  corpus::add_words(terms, true, words);
  corpus::keep_distinct(words);
  add_passage(words);
}

void CorpusStatistics::add_passage(const corpus::HashedWords& words) {
  ++passages_;
  for (const auto word : words) {
    const auto found = frequencies_.find(corpus::hash_of_word(word));
    if (found == frequencies_.end()) continue;
    ++found->second.passages;
    found->second.in_lower_case += corpus::is_in_lower_case(word) ? 1 : 0;
  }
}

void CorpusStatistics::merge(const CorpusStatistics& other) {
  passages_ += other.passages_;
  for (const auto& [stem, count] : other.frequencies_) {
    auto& mine = frequencies_[stem];
    mine.passages += count.passages;
    mine.in_lower_case += count.in_lower_case;
  }
}

std::uint64_t CorpusStatistics::frequency(const std::string& stem) const {
  const auto found = frequencies_.find(corpus::hash_of_stem(stem));
  return found == frequencies_.end() ? 0 : found->second.passages;
}

bool CorpusStatistics::is_name(const std::string& stem) const {
  const auto found = frequencies_.find(corpus::hash_of_stem(stem));
  return found == frequencies_.end() || found->second.passages == 0 ||
         2 * found->second.in_lower_case < found->second.passages;
}

double CorpusStatistics::idf(const std::string& stem) const {
  const auto n = static_cast<double>(frequency(stem));
  return std::log(1 + (static_cast<double>(passages_) - n + 0.5) / (n + 0.5));
}

CorpusStatistics count_corpus(const passages::PassageCorpus& passages, const std::string& stemmer,
                              const CorpusStatistics& watched, const corpus::ResultPlaces& kept, const StopFlag& stop) {
  using Results = corpus::TextResults<corpus::HashedWords>;
  const Results::Before before(kept.before);
  return tbb::parallel_deterministic_reduce(
      tbb::blocked_range<std::size_t>(0, passages.parts().size()), watched,
      [&](const tbb::blocked_range<std::size_t>& range, CorpusStatistics sum) {
        text::TermSplitter splitter(stemmer);
        for (std::size_t part = range.begin(); part != range.end(); ++part) {
          const auto& file = passages.parts()[part];
          Results words(before, kept.now.empty() ? kept.now : kept.now / file.stem(),
                        fmt::format("words {} {}", kWordsVersion, stemmer));
          passages::PassageCorpus::PartFile::for_each(file, [&](passages::PagePassages article) {
            stop.check();
            passages.drop_repeats(article);
            for (const auto& passage : article.passages)
              sum.add_passage(
                  words.of(article.page, passage.text, [&] { return words_of(passage.text, splitter, stemmer); }));
          });
          words.finish();
        }
        return sum;
      },
      [](CorpusStatistics a, const CorpusStatistics& b) {
        a.merge(b);
        return a;
      });
}

}  // namespace touchstone::pipeline::judging::lexical
