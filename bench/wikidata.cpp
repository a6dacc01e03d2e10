// Speed of the reader of Wikidata's JSON dump: the lines of a dump, again and again, up to 300 MB of decompressed text.
//
//   bench_wikidata DUMP [--benchmark_format=json]
//   entities/N   entity records with N threads: texts in one language, sitelinks of one wiki, P31 and P279
//   counts/N     what `touchstone wikidata` reads
#include "extractors/dump/byte_source.hpp"
#include "extractors/wikidata/entity_dump.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include <benchmark/benchmark.h>

namespace {

using namespace touchstone::extractors;

constexpr std::uint64_t kBytes = 300'000'000;

/// The same bytes over and over, up to a number of bytes.
class RepeatedSource : public dump::ByteSource {
 public:
  RepeatedSource(const std::string& bytes, std::uint64_t total) : bytes_(bytes), left_(total) {}

  std::size_t read(char* buffer, std::size_t size) override {
    const auto got =
        static_cast<std::size_t>(std::min<std::uint64_t>(left_, std::min<std::uint64_t>(size, bytes_.size() - at_)));
    std::memcpy(buffer, bytes_.data() + at_, got);
    at_ = (at_ + got) % bytes_.size();
    left_ -= got;
    return got;
  }
  std::uint64_t raw_offset() const noexcept override { return 0; }
  const std::string& name() const noexcept override { return name_; }
  std::string raw_sha256() override { return {}; }

 private:
  const std::string& bytes_;
  std::uint64_t left_;
  std::size_t at_ = 0;
  std::string name_ = "repeated";
};

std::string lines_of(const char* path) {
  const auto source = dump::open_byte_source(path);
  std::string bytes;
  for (std::size_t got = 1; got > 0;) {
    const auto held = bytes.size();
    bytes.resize(held + (std::size_t{1} << 20));
    got = source->read(bytes.data() + held, bytes.size() - held);
    bytes.resize(held + got);
  }
  return bytes;
}

void read_lines(benchmark::State& state, const std::string& bytes, const wikidata::EntityOptions& entities) {
  const touchstone::StopFlag stop;
  wikidata::DumpOptions options;
  options.entities = entities;
  options.threads = static_cast<int>(state.range(0));
  std::uint64_t read = 0, count = 0, statements = 0;
  for (auto _ : state) {
    const auto whole = kBytes / bytes.size() * bytes.size();
    const auto counts = wikidata::read_entities(
        std::make_unique<RepeatedSource>(bytes, whole), options, stop,
        [&](wikidata::Entity&& entity) { statements += entity.statements.size() + entity.sitelinks.size(); });
    if (counts.bad > 0) state.SkipWithError("the dump has bad lines");
    read += counts.bytes;
    count += counts.entities;
  }
  benchmark::DoNotOptimize(statements);
  state.SetBytesProcessed(static_cast<std::int64_t>(read));
  state.SetItemsProcessed(static_cast<std::int64_t>(count));
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc != 2) {
    std::cerr << "usage: bench_wikidata DUMP [--benchmark_...]\n";
    return 2;
  }
  const auto bytes = lines_of(argv[1]);
  wikidata::EntityOptions entities;
  entities.languages = {"en"};
  entities.site = "enwiki";
  entities.properties = {wikidata::kInstanceOf, wikidata::kSubclassOf};
  const auto add = [&](const char* name, const wikidata::EntityOptions& options) {
    benchmark::RegisterBenchmark(name,
                                 [&bytes, options](benchmark::State& state) { read_lines(state, bytes, options); })
        ->Arg(1)
        ->Arg(2)
        ->UseRealTime()
        ->MeasureProcessCPUTime();
  };
  add("entities", entities);
  add("counts", {});
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
