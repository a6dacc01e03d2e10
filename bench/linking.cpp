// Entity linking with a dictionary of the size of English Wikipedia's.
//
//   bench_linking make FILE [--anchors N] [--entities N]    writes a synthetic dictionary
//   bench_linking run FILE                                  opens it and links text made of its phrases, with Google
//                                                           Benchmark; further arguments are its own
//   bench_linking first FILE                                milliseconds to open it, and to link a first and a second
//                                                           paragraph; for a file that is not in memory, drop it first:
//                                                           dd of=FILE oflag=nocache conv=notrunc,fdatasync count=0
//
// Phrases of one to four words are drawn from 400,000 made-up words. Entities have 0 to 2,000 sources, most of them
// few, as the links of a wiki do. The text has a phrase of the dictionary for every tenth word; all other words are
// known to the dictionary as beginnings of phrases or not at all. "prior" is the baseline that only looks phrases up,
// and "words" the bound: the same text cut into words and nothing else.
#include "linking/dictionary_writer.hpp"
#include "linking/linker.hpp"
#include "linking/phrases.hpp"
#include "text/folded_text.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <benchmark/benchmark.h>

namespace {

using namespace touchstone::linking;

constexpr std::uint32_t kWords = 400'000, kSourcePages = 6'000'000;

/// Sebastiano Vigna's splitmix64.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
  }
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(next() % bound); }
  /// Small numbers are frequent: the share of those below x is about log x.
  std::uint32_t skewed(std::uint32_t bound) {
    const double unit = static_cast<double>(next() >> 11) / 9007199254740992.0;
    return static_cast<std::uint32_t>(std::pow(static_cast<double>(bound), unit)) - 1;
  }

 private:
  std::uint64_t state_;
};

std::string word(std::uint32_t number) {
  static constexpr char kConsonants[] = "bdfgklmnprstvz", kVowels[] = "aeiou";
  std::string text;
  for (std::uint32_t rest = number + 70; rest > 0; rest /= 70) {
    text += kConsonants[rest % 70 / 5];
    text += kVowels[rest % 5];
  }
  return text;
}

/// The phrase of an anchor, which depends on its number alone.
std::string phrase(std::uint32_t anchor) {
  Numbers numbers(anchor);
  std::string text = word(numbers.below(kWords));
  for (auto words = numbers.below(4); words > 0; --words) text += " " + word(numbers.below(kWords));
  return text;
}

void add_entities(std::uint32_t count, DictionaryWriter& writer) {
  Numbers numbers(1);
  std::vector<std::uint32_t> sources;
  for (std::uint32_t i = 0; i < count; ++i) {
    sources.resize(numbers.skewed(2'000));
    for (auto& source : sources) source = numbers.below(kSourcePages);
    std::sort(sources.begin(), sources.end());
    sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
    writer.add_entity("Entity " + std::to_string(i), i, sources);
  }
}

void make(const std::string& file, std::uint32_t anchors, std::uint32_t entities) {
  DictionaryWriter writer;
  add_entities(entities, writer);
  constexpr std::uint32_t kBeginning = UINT32_MAX;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> rows;  // phrase and anchor
  for (std::uint32_t i = 0; i < anchors; ++i) {
    const auto made = phrase_of(phrase(i));
    rows.emplace_back(made.number, i);
    for (const auto beginning : made.beginnings) rows.emplace_back(beginning, kBeginning);
  }
  std::sort(rows.begin(), rows.end());
  for (std::size_t i = 0; i < rows.size();) {
    const auto number = rows[i].first;
    std::uint32_t anchor = kBeginning;
    bool continues = false;
    for (; i < rows.size() && rows[i].first == number; ++i) {
      if (rows[i].second == kBeginning) {
        continues = true;
      } else if (anchor == kBeginning) {
        anchor = rows[i].second;
      }
    }
    std::vector<Meaning> meanings;
    if (anchor != kBeginning) {
      Numbers numbers((std::uint64_t{1} << 33) + anchor);
      const auto count = 1 + numbers.skewed(8);
      for (std::uint32_t j = 0; j < count; ++j) meanings.push_back({numbers.below(entities), 100 / (j + 1)});
    }
    writer.add_phrase(number, continues, meanings, 50, 100);
  }
  writer.write(file, kSourcePages, {{"wiki", "synthetic"}});
  std::cout << writer.anchors() - 1 << " anchors\n";
}

/// Paragraphs of 100 words.
std::vector<std::string> text_of(std::size_t bytes, std::uint32_t anchors) {
  Numbers numbers(7);
  std::vector<std::string> texts;
  for (std::size_t size = 0; size < bytes; size += texts.back().size()) {
    std::string text;
    for (int i = 0; i < 10; ++i) {
      for (int j = 0; j < 8; ++j) text += word(kWords + numbers.below(kWords)) + " ";
      text += phrase(numbers.below(anchors)) + ". ";
    }
    texts.push_back(std::move(text));
  }
  return texts;
}

void link(benchmark::State& state, const Dictionary& dictionary, Disambiguation disambiguation) {
  constexpr std::size_t kParagraphsPerPage = 40;
  const auto texts = text_of(4 << 20, static_cast<std::uint32_t>(dictionary.anchors()));
  LinkerOptions options;
  options.disambiguation = disambiguation;
  options.min_score = 0;
  std::size_t bytes = 0, links = 0;
  for (auto _ : state) {
    for (std::size_t i = 0; i < texts.size(); i += kParagraphsPerPage) {
      const auto end = std::min(texts.size(), i + kParagraphsPerPage);
      links += Linker(dictionary, options).link({texts.begin() + i, texts.begin() + end}).size();
    }
    for (const auto& text : texts) bytes += text.size();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
  state.counters["links_per_kB"] = 1000.0 * static_cast<double>(links) / static_cast<double>(bytes);
}

/// What a program that starts waits for.
void print_first(const std::string& file) {
  using Clock = std::chrono::steady_clock;
  const auto ms_since = [](Clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
  };
  const auto texts = text_of(2'000, 1'000'000);
  auto begin = Clock::now();
  const Dictionary dictionary(file);
  std::cout << "open " << ms_since(begin) << " ms\n";
  for (std::size_t i = 0; i < 2; ++i) {
    const std::vector<std::string> paragraph{texts.at(i)};
    begin = Clock::now();
    const auto links = Linker(dictionary, {}).link(paragraph).size();
    std::cout << "paragraph " << i + 1 << " " << ms_since(begin) << " ms, " << links << " links\n";
  }
}

void words(benchmark::State& state) {
  const auto texts = text_of(4 << 20, 1'000'000);
  std::size_t bytes = 0;
  for (auto _ : state) {
    for (const auto& text : texts) {
      benchmark::DoNotOptimize(tokens_of(touchstone::text::FoldedText(text)));
      bytes += text.size();
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc > 2 && std::string(argv[1]) == "run") {
    const std::string file = argv[2];
    benchmark::RegisterBenchmark("open", [&](benchmark::State& state) {
      for (auto _ : state) benchmark::DoNotOptimize(Dictionary(file).anchors());
    });
    const Dictionary dictionary(file);
    benchmark::RegisterBenchmark("words", words);
    benchmark::RegisterBenchmark("prior", [&](benchmark::State& s) { link(s, dictionary, Disambiguation::kPrior); });
    benchmark::RegisterBenchmark("voting", [&](benchmark::State& s) { link(s, dictionary, Disambiguation::kVoting); });
    argc -= 2;
    argv += 2;
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
  }
  if (argc > 2 && std::string(argv[1]) == "first") {
    print_first(argv[2]);
    return 0;
  }
  CLI::App app("Entity linking with a large dictionary");
  app.require_subcommand(1);
  auto& command = *app.add_subcommand("make");
  std::string file;
  std::uint32_t anchors = 15'000'000, entities = 6'000'000;
  command.add_option("file", file)->required();
  command.add_option("--anchors", anchors);
  command.add_option("--entities", entities);
  CLI11_PARSE(app, argc, argv);
  make(file, anchors, entities);
  return 0;
} catch (const std::exception& error) {
  std::cerr << "error: " << error.what() << '\n';
  return 1;
}
