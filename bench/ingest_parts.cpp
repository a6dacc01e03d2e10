#include "common/error.hpp"
#include "common/scratch_folder.hpp"
#include "extractors/wikitext_dump/wikitext_dump_source.hpp"
#include "pipeline/corpus/page_records.hpp"
#include "pipeline/corpus/page_runs.hpp"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

/// The parts of `ingest` that one thread does for a whole file, each alone: cutting the dump into pages, and writing
/// what pages became as sorted tables. Between them, pages are parsed by all threads; that is measured for one thread.
/// Prints a JSON line for each part.
namespace {

using namespace touchstone;
using std::chrono::steady_clock;

double seconds_since(steady_clock::time_point begin) {
  return std::chrono::duration<double>(steady_clock::now() - begin).count();
}

/// A wiki without pages that others include.
class NoPages : public extractors::PageLoader {
 public:
  std::optional<std::string> load(const Title&) const override { return std::nullopt; }
};

std::unique_ptr<extractors::wikitext_dump::WikitextDumpSource> open(const std::string& dump, bool digests,
                                                                    const extractors::PageLoader& none) {
  extractors::dump::ByteSourceOptions options;
  options.digests = digests;
  return std::make_unique<extractors::wikitext_dump::WikitextDumpSource>(
      extractors::dump::open_byte_source(dump, options), extractors::wikitext_dump::WikitextDumpOptions{}, none);
}

void print(std::string_view part, std::uint64_t bytes, double seconds) {
  fmt::print(
      "{{\"bench\":\"ingest_parts\",\"part\":\"{}\",\"bytes\":{},\"seconds\":{:.3f},\"gb_per_second\":{:.2f}}}\n", part,
      bytes, seconds, static_cast<double>(bytes) / seconds / 1e9);
}

void measure(const std::string& dump) {
  const NoPages none;
  std::vector<extractors::RawBatch> batches;
  std::uint64_t bytes = 0;
  for (const bool digests : {true, false}) {
    batches.clear();
    const auto source = open(dump, digests, none);
    const auto begin = steady_clock::now();
    while (auto batch = source->next()) batches.push_back(std::move(*batch));
    bytes = source->raw_offset();
    print(digests ? "cut, with the digest of the file" : "cut", bytes, seconds_since(begin));
  }
  const auto source = open(dump, false, none);
  std::vector<pipeline::corpus::PageBatch> parsed;
  auto begin = steady_clock::now();
  for (auto& batch : batches) {
    auto& out = parsed.emplace_back();
    out.end_offset = batch.end_offset;
    for (auto& page : source->read(std::move(batch)).pages)
      out.pages.push_back(pipeline::corpus::make_page_records(std::move(page)));
  }
  print("parse", bytes, seconds_since(begin));
  const ScratchFolder folder("ingest-parts");
  const pipeline::flow::PartWriter parts(folder.path(), 0);
  begin = steady_clock::now();
  pipeline::corpus::PageRunWriter runs(parts, std::uint64_t{64} << 20U);
  for (auto& batch : parsed) runs.write(std::move(batch));
  runs.finish_run();
  print("write", bytes, seconds_since(begin));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("The serial parts of ingest");
  std::string dump;
  app.add_option("DUMP", dump, "An XML dump that is not compressed; it must fit in memory several times")->required();
  CLI11_PARSE(app, argc, argv);
  try {
    measure(dump);
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
  return 0;
}
