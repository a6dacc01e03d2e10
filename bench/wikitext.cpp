// Speed of the wikitext reader alone, everything extracted: on the articles of a dump, and on hostile texts of 1 MB.
//
//   bench_wikitext DUMP [--benchmark_format=json] [--benchmark_filter=...]
//   wikitext/rules, wikitext/drop   the articles of the dump, by template mode
//   hostile/worst                   each hostile text once in each mode; its label names the slowest
//   hostile/NAME, MODE, LANGUAGE    one of them
#include "extractors/dump/byte_source.hpp"
#include "extractors/dump/dump_reader.hpp"
#include "extractors/wikitext/wikitext_parser.hpp"
#include "tests/unit/extractors/wikitext/hostile_variants.hpp"
#include "tests/unit/extractors/wikitext/hostile_wikitext.hpp"

#include <ctime>
#include <exception>
#include <iostream>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

namespace {

using namespace touchstone::extractors;
using touchstone::kNamespaceMain;
using touchstone::Title;
using touchstone::extractors::dump::DumpReader;
using touchstone::extractors::dump::open_byte_source;
using touchstone::extractors::dump::parse_page;
using touchstone::extractors::site::SiteInfo;
using touchstone::extractors::wikitext::parse_wikitext;
using touchstone::extractors::wikitext::TemplateMode;
using touchstone::extractors::wikitext::TemplateRules;
using touchstone::extractors::wikitext::WikitextOptions;
namespace testing = wikitext::testing;
using testing::HostileText;

struct Page {
  Title title;
  std::string wikitext;
};

std::vector<Page> read_articles(DumpReader& reader) {
  const SiteInfo& site = reader.site_info();
  std::vector<Page> pages;
  while (const auto batch = reader.next()) {
    for (const auto& record : batch->records) {
      auto page = parse_page(std::string_view(batch->bytes).substr(record.begin, record.size));
      if (!page || page->ns != kNamespaceMain || page->model != "wikitext") continue;
      if (const auto title = site.parse_title(page->title)) pages.push_back({title->title, std::move(page->text)});
    }
  }
  return pages;
}

void parse_pages(benchmark::State& state, const SiteInfo& site, const TemplateRules& rules,
                 const std::vector<Page>& pages, TemplateMode mode) {
  WikitextOptions options;
  options.templates = mode;
  std::int64_t bytes = 0;
  for (const Page& page : pages) bytes += static_cast<std::int64_t>(page.wikitext.size());
  for (auto _ : state) {
    for (const Page& page : pages)
      benchmark::DoNotOptimize(parse_wikitext(site, rules, page.title, page.wikitext, options));
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * bytes);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * pages.size()));
}

constexpr std::size_t kHostileBytes = 1'000'000;

/// Pieces of real pages, cut at random places and repeated.
std::vector<HostileText> cut_pages(const std::vector<Page>& pages, std::size_t bytes) {
  constexpr int kTexts = 40;
  std::mt19937 random(20250101);
  std::vector<HostileText> texts;
  for (int i = 0; i < kTexts; ++i) {
    const std::string& page = pages[random() % pages.size()].wikitext;
    if (page.empty()) continue;
    const std::size_t begin = random() % page.size();
    const std::size_t size = 1 + random() % (page.size() - begin);
    texts.push_back({"cut page " + std::to_string(i), testing::repeat(page.substr(begin, size), bytes)});
  }
  return texts;
}

/// Each hostile text in each of the modes. The texts are made when the first of them is parsed.
class Hostile {
 public:
  /// \param pages  are used until the last parse
  explicit Hostile(const std::vector<Page>& pages) : pages_(pages) {
    constexpr std::size_t kNamingBytes = 1'000;  // the names are the same at every size
    const Kinds kinds = make_texts(kNamingBytes, texts_);
    const auto add = [&](std::size_t text, TemplateMode mode, const SiteInfo& site) {
      cases_.push_back({text, mode, site, label(texts_[text], mode, site)});
    };
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      if (i < kinds.all_modes_end) {
        for (const TemplateMode mode : {TemplateMode::kRules, TemplateMode::kDrop, TemplateMode::kExpand})
          add(i, mode, english_);
      } else if (i < kinds.templates_end) {
        add(i, TemplateMode::kExpand, english_);
      } else {
        add(i, TemplateMode::kRules, chinese_);
        add(i, TemplateMode::kRules, serbian_);
      }
    }
    texts_.clear();
  }

  void register_all() {
    benchmark::RegisterBenchmark("hostile/worst", [this](benchmark::State& state) { find_worst(state); })
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1);
    for (const Case& one : cases_) {
      benchmark::RegisterBenchmark(("hostile/" + one.label).c_str(), [this, &one](benchmark::State& state) {
        need_texts();
        for (auto _ : state) parse(one);
      })->Unit(benchmark::kMillisecond);
    }
  }

 private:
  struct Case {
    std::size_t text;
    TemplateMode mode;
    const SiteInfo& site;
    std::string label;
  };
  /// Where texts of one kind end: first those for all modes, then those to expand, then those with forms for several
  /// scripts.
  struct Kinds {
    std::size_t all_modes_end, templates_end;
  };

  Kinds make_texts(std::size_t bytes, std::vector<HostileText>& texts) const {
    texts = testing::hostile_texts(bytes);
    for (HostileText& text : cut_pages(pages_, bytes)) texts.push_back(std::move(text));
    Kinds kinds{};
    kinds.all_modes_end = texts.size();
    for (HostileText& text : testing::TemplateBombs::texts(bytes)) texts.push_back(std::move(text));
    kinds.templates_end = texts.size();
    for (HostileText& text : testing::hostile_variant_texts(bytes)) texts.push_back(std::move(text));
    return kinds;
  }

  void need_texts() {
    if (texts_.empty()) make_texts(kHostileBytes, texts_);
  }

  static std::string_view name_of(TemplateMode mode) {
    switch (mode) {
      case TemplateMode::kDrop:
        return "drop";
      case TemplateMode::kRules:
        return "rules";
      case TemplateMode::kExpand:
        return "expand";
    }
    return {};
  }

  /// Its name on one line and not too long, the mode, and the language of the wiki.
  static std::string label(const HostileText& text, TemplateMode mode, const SiteInfo& site) {
    constexpr std::size_t kMaxBytes = 40;
    std::string name = text.name.substr(0, kMaxBytes);
    for (char& c : name) c = c < 0x20 || c == 0x7F ? '~' : c;
    return name.append(", ").append(name_of(mode)).append(", ").append(site.language);
  }

  void parse(const Case& one) const {
    WikitextOptions options;
    options.templates = one.mode;
    options.loader = &bombs_;
    options.collect_text = true;
    benchmark::DoNotOptimize(
        parse_wikitext(one.site, rules_, {kNamespaceMain, "Page"}, texts_[one.text].wikitext, options));
  }

  void find_worst(benchmark::State& state) {
    need_texts();
    double worst_ms = 0;
    for (auto _ : state) {
      for (const Case& one : cases_) {
        const std::clock_t begin = std::clock();  // processor time
        parse(one);
        const double ms = 1000.0 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        if (ms <= worst_ms) continue;
        worst_ms = ms;
        state.SetLabel(one.label);
      }
    }
    state.counters["worst_ms"] = worst_ms;
    state.counters["texts"] = static_cast<double>(cases_.size());
  }

  SiteInfo english_ = SiteInfo::make_default("en");
  SiteInfo chinese_ = SiteInfo::make_default("zh"), serbian_ = SiteInfo::make_default("sr");
  TemplateRules rules_ = TemplateRules::built_in("en");
  testing::TemplateBombs bombs_;
  const std::vector<Page>& pages_;
  std::vector<HostileText> texts_;
  std::vector<Case> cases_;
};

}  // namespace

int main(int argc, char** argv) try {
  benchmark::Initialize(&argc, argv);
  if (argc != 2) {
    std::cerr << "usage: bench_wikitext DUMP [--benchmark_...]\n";
    return 2;
  }
  DumpReader reader(open_byte_source(argv[1]));
  const SiteInfo& site = reader.site_info();
  const TemplateRules rules = TemplateRules::built_in(site.language);
  const std::vector<Page> pages = read_articles(reader);
  if (pages.empty()) {
    std::cerr << argv[1] << ": the dump holds no articles\n";
    return 1;
  }
  for (const auto& [name, mode] :
       {std::pair{"wikitext/rules", TemplateMode::kRules}, std::pair{"wikitext/drop", TemplateMode::kDrop}}) {
    benchmark::RegisterBenchmark(name, [&, mode = mode](benchmark::State& state) {
      parse_pages(state, site, rules, pages, mode);
    })->Unit(benchmark::kMillisecond);
  }
  Hostile hostile(pages);
  hostile.register_all();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
} catch (const std::exception& error) {
  std::cerr << "error: " << error.what() << '\n';
  return 1;
}
