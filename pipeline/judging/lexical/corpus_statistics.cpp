#include "pipeline/judging/lexical/corpus_statistics.hpp"

#include "pipeline/judging/lexical/compared_words.hpp"

#include <cmath>
#include <set>
#include <string_view>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>

namespace touchstone::pipeline::judging::lexical {

void CorpusStatistics::add_passage(const std::vector<text::Term>& terms) {
  ++passages_;
  std::set<std::string_view> seen, seen_in_lower_case;
  for (const auto& term : terms) {
    const auto found = frequencies_.find(term.stem);
    if (found == frequencies_.end()) continue;
    if (seen.insert(term.stem).second) ++found->second.passages;
    if (!term.capital && seen_in_lower_case.insert(term.stem).second) ++found->second.in_lower_case;
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
  const auto found = frequencies_.find(stem);
  return found == frequencies_.end() ? 0 : found->second.passages;
}

bool CorpusStatistics::is_name(const std::string& stem) const {
  const auto found = frequencies_.find(stem);
  return found == frequencies_.end() || found->second.passages == 0 ||
         2 * found->second.in_lower_case < found->second.passages;
}

double CorpusStatistics::idf(const std::string& stem) const {
  const auto n = static_cast<double>(frequency(stem));
  return std::log(1 + (static_cast<double>(passages_) - n + 0.5) / (n + 0.5));
}

CorpusStatistics count_corpus(const passages::PassageCorpus& passages, const std::string& stemmer,
                              const CorpusStatistics& watched, const StopFlag& stop) {
  return tbb::parallel_deterministic_reduce(
      tbb::blocked_range<std::size_t>(0, passages.parts().size()), watched,
      [&](const tbb::blocked_range<std::size_t>& range, CorpusStatistics sum) {
        text::TermSplitter splitter(stemmer);
        for (std::size_t part = range.begin(); part != range.end(); ++part) {
          passages::PassageCorpus::PartFile::for_each(passages.parts()[part], [&](passages::PagePassages article) {
            stop.check();
            passages.drop_repeats(article);
            for (const auto& passage : article.passages)
              sum.add_passage(compared_words(splitter, passage.text, endings_for(stemmer)));
          });
        }
        return sum;
      },
      [](CorpusStatistics a, const CorpusStatistics& b) {
        a.merge(b);
        return a;
      });
}

}  // namespace touchstone::pipeline::judging::lexical
