#include "pipeline/entities/linker_accuracy.hpp"

#include "collection/automatic/ordered_batches.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"
#include "common/unicode.hpp"
#include "formats/car/ids.hpp"
#include "linking/phrases.hpp"
#include "pipeline/entities/dictionary_build.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <oneapi/tbb/task_arena.h>

namespace touchstone::pipeline::entities {
namespace {

using linking::Agreement;
using linking::Annotation;
using linking::Dictionary;
using linking::Disambiguation;
using linking::Linker;
using linking::LinkerOptions;
using linking::NamedPhrase;

constexpr std::size_t kPagesPerCheck = 64;

/// The linker and its baseline.
struct Contestant {
  std::string name;
  LinkerOptions options;
};

std::vector<Contestant> contestants(const LinkerOptions& options) {
  auto prior = options;
  prior.disambiguation = Disambiguation::kPrior;
  if (options.disambiguation == Disambiguation::kPrior) return {{"prior only", prior}};
  return {{"voting", options}, {"prior only", prior}};
}

std::vector<LinkerRow> empty_rows(const std::vector<Contestant>& linkers) {
  std::vector<LinkerRow> rows;
  for (const auto& linker : linkers) rows.push_back({linker.name, {}});
  return rows;
}

/// What one page adds.
struct PageComparison {
  std::uint64_t links = 0, reachable = 0;
  std::vector<linking::PageAgreement> agreements;  ///< by contestant
};

bool knows(const Dictionary& dictionary, const NamedPhrase& link, const std::string& text) {
  ByteCounter bytes(text);
  const auto begin = bytes.at_code_point(link.begin), end = bytes.at_code_point(link.end);
  const auto phrase = linking::phrase_of(std::string_view(text).substr(begin, end - begin));
  if (phrase.number == 0) return false;
  const auto anchor = dictionary.find(phrase.number).anchor;
  return anchor && std::any_of(anchor->meanings.begin(), anchor->meanings.end(),
                               [&](const auto& meaning) { return dictionary.title(meaning.entity) == link.title; });
}

std::vector<NamedPhrase> phrases_of(const std::vector<Annotation>& annotations, const Dictionary& dictionary) {
  std::vector<NamedPhrase> phrases;
  for (const auto& found : annotations)
    phrases.push_back({found.text, found.begin, found.end, std::string(dictionary.title(found.entity))});
  return phrases;
}

PageComparison compare_page(const LinkedPages& pages, const Dictionary& dictionary,
                            const std::vector<Contestant>& linkers, PageId id) {
  const auto page = pages.read(id);
  const bool with_missing = dictionary.fact(kMissingPagesFact) == "yes";
  std::vector<NamedPhrase> links;
  PageComparison comparison;
  for (const auto& link : page.links) {
    const bool missing = link.page.value == 0;
    if (link.page == id || (missing && (!with_missing || link.target.ns != kNamespaceMain))) continue;
    NamedPhrase phrase{link.text, link.begin, link.end, missing ? link.target.text : pages.title_of(link.page)};
    comparison.reachable += knows(dictionary, phrase, page.texts[link.text]) ? 1 : 0;
    links.push_back(std::move(phrase));
  }
  comparison.links = links.size();
  for (const auto& linker : linkers) {
    const auto found = Linker(dictionary, linker.options).link(page.texts);
    comparison.agreements.push_back(compare_with_editors(phrases_of(found, dictionary), links, page.title));
  }
  return comparison;
}

/// A paragraph of a benchmark.
struct BenchmarkLine {
  std::string page, text;
  std::vector<std::string> truth, acceptable;
};

class BenchmarkReader {
 public:
  explicit BenchmarkReader(const std::filesystem::path& file) : file_(file) {}

  BenchmarkLine read(std::string_view text, std::uint64_t number) const {
    const auto json = parse_json_or_discard(text);
    BenchmarkLine line;
    try {
      line.page = json.at("query_id").get<std::string>();
      for (const auto& body : json.at("text_only_paragraph").at("para_body"))
        line.text += body.at("text").get<std::string>();
      line.truth = json.at("true_label_page_ids").get<std::vector<std::string>>();
      line.acceptable = json.at("acceptable_label_page_ids").get<std::vector<std::string>>();
    } catch (const nlohmann::json::exception&) {
      throw FormatError(
          fmt::format("{} line {}: is no paragraph of a benchmark of entity linking; give the file "
                      "...-entity-linking.jsonl.gz of an automatic collection",
                      file_.string(), number));
    }
    return line;
  }

 private:
  const std::filesystem::path& file_;
};

/// Compares the paragraphs of one page.
class BenchmarkComparison {
 public:
  BenchmarkComparison(const Dictionary& dictionary, const LinkerOptions& options)
      : dictionary_(dictionary), wiki_(dictionary.fact("wiki")), linkers_(contestants(options)) {
    result_.rows = empty_rows(linkers_);
  }

  void add(BenchmarkLine line) {
    if (!paragraphs_.empty() && paragraphs_.front().page != line.page) compare();
    paragraphs_.push_back(std::move(line));
  }

  EditorsComparison take() {
    compare();
    for (std::uint32_t i = 0; i < dictionary_.entities(); ++i) {
      const auto label = labels_.find(formats::car::page_id(wiki_, dictionary_.title(i)));
      if (label != labels_.end()) result_.reachable += label->second;
    }
    return std::move(result_);
  }

 private:
  void compare() {
    if (paragraphs_.empty()) return;
    ++result_.pages;
    std::vector<std::string> texts, truth;
    for (const auto& paragraph : paragraphs_) {
      texts.push_back(paragraph.text);
      result_.links += paragraph.truth.size();
      for (const auto& label : paragraph.truth) ++labels_[label];
      truth.insert(truth.end(), paragraph.truth.begin(), paragraph.truth.end());
    }
    for (std::size_t i = 0; i < linkers_.size(); ++i) {
      std::vector<std::vector<std::string>> found(texts.size());
      std::vector<std::string> all;
      for (const auto& annotation : Linker(dictionary_, linkers_[i].options).link(texts)) {
        all.push_back(formats::car::page_id(wiki_, dictionary_.title(annotation.entity)));
        found[annotation.text].push_back(all.back());
      }
      auto& row = result_.rows[i].pages;
      for (std::size_t j = 0; j < texts.size(); ++j)
        row.mentions += linking::compare_labels(found[j], paragraphs_[j].truth, paragraphs_[j].acceptable);
      row.entities += linking::compare_labels(all, truth, {paragraphs_.front().page});
    }
    paragraphs_.clear();
  }

  const Dictionary& dictionary_;
  std::string wiki_;
  std::vector<Contestant> linkers_;
  std::vector<BenchmarkLine> paragraphs_;
  std::unordered_map<std::string, std::uint64_t> labels_;  // true ones, with numbers of paragraphs
  EditorsComparison result_;
};

}  // namespace

EditorsComparison compare_with_pages(const LinkedPages& pages, const Dictionary& dictionary,
                                     const LinkerOptions& options, const std::function<bool(PageId)>& chosen,
                                     int threads, const StopFlag& stop) {
  const auto linkers = contestants(options);
  EditorsComparison sum;
  sum.rows = empty_rows(linkers);
  tbb::task_arena arena(threads);
  arena.execute([&] {
    collection::automatic::OrderedBatches<PageId, PageComparison> batches(
        kPagesPerCheck, [&](PageId& page) { return compare_page(pages, dictionary, linkers, page); },
        [&](const PageComparison& page) {
          ++sum.pages;
          sum.links += page.links;
          sum.reachable += page.reachable;
          for (std::size_t i = 0; i < linkers.size(); ++i) {
            sum.rows[i].pages.mentions += page.agreements[i].mentions;
            sum.rows[i].pages.entities += page.agreements[i].entities;
          }
        });
    for (const auto page : pages.articles()) {
      stop.check();
      if (chosen(page)) batches.add(page);
    }
    batches.finish();
  });
  return sum;
}

EditorsComparison compare_with_benchmark(const std::filesystem::path& benchmark, const Dictionary& dictionary,
                                         const LinkerOptions& options, const StopFlag& stop) {
  const BenchmarkReader reader(benchmark);
  BenchmarkComparison comparison(dictionary, options);
  const std::string site = dictionary.fact("wiki") + ":";
  for_each_line(benchmark, [&](std::string_view text, std::uint64_t number) {
    stop.check();
    if (text.empty()) return true;
    auto line = reader.read(text, number);
    if (!line.page.starts_with(site))
      throw FormatError(
          fmt::format("{} line {}: the page {} is not of the wiki \"{}\" that the dictionary was made "
                      "from; make a dictionary of the benchmark's wiki",
                      benchmark.string(), number, line.page, dictionary.fact("wiki")));
    comparison.add(std::move(line));
    return true;
  });
  return comparison.take();
}

}  // namespace touchstone::pipeline::entities
