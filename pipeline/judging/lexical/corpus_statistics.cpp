#include "pipeline/judging/lexical/corpus_statistics.hpp"

#include "pipeline/judging/lexical/compared_words.hpp"
#include "storage/keys.hpp"

#include <cmath>
#include <set>
#include <string_view>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>

namespace touchstone::pipeline::judging::lexical {
namespace {

constexpr std::size_t kPagesPerTask = 512;

}  // namespace

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

CorpusStatistics count_corpus(const storage::Store& store, const corpus::PassageComposer& composer,
                              const std::string& stemmer, const CorpusStatistics& watched, const StopFlag& stop) {
  CorpusStatistics total = watched;
  std::vector<PageId> pages;
  const auto count_pages = [&] {
    total.merge(tbb::parallel_deterministic_reduce(
        tbb::blocked_range<std::size_t>(0, pages.size(), 64), CorpusStatistics{},
        [&](const tbb::blocked_range<std::size_t>& range, CorpusStatistics) {
          CorpusStatistics part = watched;
          text::TermSplitter splitter(stemmer);
          for (std::size_t i = range.begin(); i != range.end(); ++i) {
            for (const auto& passage : composer.corpus_passages(pages[i]))
              part.add_passage(compared_words(splitter, passage.text, endings_for(stemmer)));
          }
          return part;
        },
        [](CorpusStatistics a, const CorpusStatistics& b) {
          a.merge(b);
          return a;
        }));
    pages.clear();
  };
  for (auto cursor = store.cursor(storage::Family::kOutline); cursor.valid(); cursor.next()) {
    if (const auto id = storage::read_page_key(cursor.key())) pages.push_back(*id);
    if (pages.size() == kPagesPerTask) {
      stop.check();
      count_pages();
    }
  }
  count_pages();
  return total;
}

}  // namespace touchstone::pipeline::judging::lexical
