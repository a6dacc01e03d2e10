#include "storage/link_graph.hpp"

#include "common/error.hpp"
#include "common/records/sorter.hpp"
#include "pipeline/corpus/links/backlinks.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sys/resource.h>

/// The backlinks of a store: bits a link, random lists, a scan of all lists. Fills a new store with the links of a
/// random graph: sources uniform, the k-th most linked page drawn with a probability proportional to 1 / k. Prints JSON
/// lines.
namespace {

using namespace touchstone;
using pipeline::corpus::links::Backlink;
using std::chrono::steady_clock;
using storage::Family;
using storage::LinkGraph;
using storage::Store;

double seconds_since(steady_clock::time_point begin) {
  return std::chrono::duration<double>(steady_clock::now() - begin).count();
}

double peak_mb() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// Draws links, the same for the same number of pages.
class Graph {
 public:
  explicit Graph(std::uint32_t pages) : pages_(pages), log_(std::log(pages + 1.0)) {
    while (std::gcd(stride_, std::uint64_t{pages}) != 1) ++stride_;
  }

  Backlink draw() {
    const auto target = 1 + (rank() - 1) * stride_ % pages_;  // ranks are spread over all ids
    return {static_cast<std::uint32_t>(target), below(pages_) + 1, below(kPlaces) + 1};
  }

 private:
  static constexpr std::uint32_t kPlaces = 40;  ///< paragraphs of a page

  double uniform() { return static_cast<double>(random_() >> 11U) * 0x1p-53; }
  std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(uniform() * end); }
  /// By rejection from the distribution with the density 1 / x.
  std::uint64_t rank() {
    while (true) {
      const double k = std::floor(std::exp(uniform() * log_));
      if (k <= pages_ && uniform() * k * std::log1p(1 / k) < std::log(2.0)) return static_cast<std::uint64_t>(k);
    }
  }

  std::uint32_t pages_;
  double log_;
  std::uint64_t stride_ = 2'654'435'761;
  std::mt19937_64 random_{1};
};

void fill(const std::filesystem::path& directory, std::uint32_t pages, std::uint64_t links) {
  const auto begin = steady_clock::now();
  const auto store = Store::open(directory, storage::Access::kReadWrite);
  records::Sorter<Backlink> sorter(directory, std::size_t{128} << 20U);
  Graph graph(pages);
  std::vector<bool> is_source(pages + std::size_t{1});
  for (std::uint64_t i = 0; i < links; ++i) {
    const auto link = graph.draw();
    is_source[link.source] = true;
    sorter.add(link);
  }
  std::vector<PageId> sources;
  for (std::uint32_t page = 0; page <= pages; ++page)
    if (is_source[page]) sources.push_back(PageId{page});
  const auto drawn = seconds_since(begin);
  storage::BulkLoader loader(*store);
  pipeline::flow::StageReport report;
  write_backlinks(sorter, storage::SourcePages(std::move(sources)), false, loader, report);
  loader.commit();
  fmt::print(
      R"({{"bench":"link_graph.write","drawn":{},"draw_seconds":{:.1f},"write_seconds":{:.1f},"peak_mb":{:.0f}}})"
      "\n",
      links, drawn, seconds_since(begin) - drawn, peak_mb());
}

/// Calls `use(target, sources)` for all lists with several threads, each with a range of targets of its own.
template <class Use>
void scan(const LinkGraph& graph, const std::vector<PageId>& bounds, const Use& use) {
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i)
    threads.emplace_back([&, i] {
      graph.for_each_list(PageId{bounds[i].value + 1}, bounds[i + 1],
                          [&](PageId target, std::span<const PageId> sources) { use(i, target, sources); });
    });
}

void measure(const std::filesystem::path& directory, std::size_t threads) {
  const auto store = Store::open(directory, storage::Access::kReadOnly);
  const LinkGraph graph(*store);
  std::vector<PageId> targets, bounds{PageId{0}};
  std::vector<std::uint64_t> links_to;  // up to each target
  graph.for_each_list(PageId{0}, PageId{UINT32_MAX}, [&](PageId target, std::span<const PageId> sources) {
    targets.push_back(target);
    links_to.push_back((links_to.empty() ? 0 : links_to.back()) + sources.size());
  });
  if (targets.empty()) throw Error(directory.string() + " holds no backlinks; run touchstone link");
  const auto links = links_to.back();
  for (std::size_t i = 1; i <= threads; ++i) {  // threads get as many links each
    const auto at = std::lower_bound(links_to.begin(), links_to.end(), links * i / threads);
    bounds.push_back(targets[static_cast<std::size_t>(at - links_to.begin())]);
  }
  const auto bits = [&](Family family) {
    return static_cast<double>(store->disk_bytes(family)) * 8 / static_cast<double>(links);
  };
  fmt::print(
      R"({{"bench":"link_graph.size","links":{},"targets":{},"bits_per_link":{:.2f},"source_bits_per_link":{:.2f},"place_bits_per_link":{:.2f}}})"
      "\n",
      links, targets.size(), bits(Family::kBacklinkList), bits(Family::kBacklinkSource), bits(Family::kBacklinkPlace));

  struct alignas(64) Sum {
    std::uint64_t of_pages = 0, links = 0;
  };
  std::vector<Sum> sums(threads);
  const auto begin = steady_clock::now();
  scan(graph, bounds, [&](std::size_t thread, PageId target, std::span<const PageId> sources) {
    std::uint64_t sum = target.value;
    for (const PageId source : sources) sum += source.value;
    sums[thread].of_pages += sum;
    sums[thread].links += sources.size();
  });
  const auto seconds = seconds_since(begin);
  Sum all;
  for (const auto& sum : sums) all = {all.of_pages + sum.of_pages, all.links + sum.links};
  fmt::print(R"({{"bench":"link_graph.scan","threads":{},"links":{},"seconds":{:.3f},"links_per_us":{:.1f},"sum":{}}})"
             "\n",
             threads, all.links, seconds, static_cast<double>(all.links) / seconds / 1e6, all.of_pages);

  std::mt19937_64 random(2);
  constexpr std::size_t kLists = 200'000;
  for (const bool warm : {false, true}) {
    std::vector<double> us;
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < kLists; ++i) {
      const PageId target = targets[random() % targets.size()];
      const auto start = steady_clock::now();
      found += graph.sources(target).size();
      us.push_back(seconds_since(start) * 1e6);
    }
    std::sort(us.begin(), us.end());
    if (!warm) continue;
    fmt::print(
        R"({{"bench":"link_graph.random","lists":{},"links":{},"p50_us":{:.2f},"p99_us":{:.2f},"peak_mb":{:.0f}}})"
        "\n",
        kLists, found, us[kLists / 2], us[kLists * 99 / 100], peak_mb());
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Backlinks of a store: bits a link, random lists, a scan of all lists.");
  std::filesystem::path directory;
  std::uint32_t pages = 7'000'000;
  std::uint64_t links = 100'000'000;
  std::size_t threads = 2;
  app.add_option("store", directory, "Store of a work directory; one that does not exist is filled with a random graph")
      ->required();
  app.add_option("--pages", pages, "Of the random graph");
  app.add_option("--links", links, "That are drawn; those drawn twice count once");
  app.add_option("--threads", threads, "Of the scan")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  try {
    if (!Store::exists(directory)) fill(directory, pages, links);
    measure(directory, threads);
    return 0;
  } catch (const Error& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
}
