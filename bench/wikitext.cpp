// Speed of the wikitext reader alone, everything extracted, on the pages of a dump.
//
//   bench_wikitext PAGES.jsonl [--benchmark_format=json]     PAGES: JSON lines {title, wikitext}
#include "extractors/wikitext_parser.hpp"

#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <nlohmann/json.hpp>

namespace {

using namespace touchstone::extractors;

struct Page {
  Title title;
  std::string wikitext;
};

std::vector<Page> read_pages(const SiteInfo& site, const char* file) {
  std::vector<Page> pages;
  std::ifstream in(file, std::ios::binary);
  std::string line;
  while (std::getline(in, line)) {
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object()) continue;
    const auto title = site.parse_title(json.value("title", std::string()));
    if (title) pages.push_back({title->title, json.value("wikitext", std::string())});
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

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc != 2) {
    std::cerr << "usage: bench_wikitext PAGES.jsonl [--benchmark_...]\n";
    return 2;
  }
  const SiteInfo site = SiteInfo::make_default("en");
  const TemplateRules rules = TemplateRules::built_in("en");
  const std::vector<Page> pages = read_pages(site, argv[1]);
  if (pages.empty()) {
    std::cerr << argv[1] << ": no pages; give JSON lines {\"title\", \"wikitext\"}\n";
    return 1;
  }
  for (const auto& [name, mode] :
       {std::pair{"wikitext/rules", TemplateMode::kRules}, std::pair{"wikitext/drop", TemplateMode::kDrop}}) {
    benchmark::RegisterBenchmark(name, [&, mode = mode](benchmark::State& state) {
      parse_pages(state, site, rules, pages, mode);
    })->Unit(benchmark::kMillisecond);
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
