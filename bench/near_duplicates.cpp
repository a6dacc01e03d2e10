// Near-duplicates of real paragraphs: recall against brute force, and speed on many.
//
//   bench_near_duplicates recall FILE... [--sample N] [--vectors F] [--measure M] [--threshold T]
//   bench_near_duplicates speed FILE... [--paragraphs N] [--min-words N] [--stubs PERCENT] [--threads N] [--memory
//   BYTES]
//   [--folder DIR] [...]
//
// FILE is a corpus.jsonl.gz that touchstone wrote. Prints one JSON object.
//   recall  N paragraphs (default: 20,000), chosen by a seed. All pairs are compared; the share of the pairs at or
//   above
//           the threshold that are candidates, and how far the groups are from those without LSH.
//   speed   N paragraphs (default: 1,000,000) made of the real ones: the first copy of each is the paragraph, in
//   further
//           copies a share of the words (5 to 80 %) is replaced by words of other paragraphs. --stubs: all are made of
//           one sentence, in which 1 to PERCENT of the words are replaced.
#include "analysis/statistics/random.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_writer.hpp"
#include "common/stop.hpp"
#include "formats/beir/beir_lines.hpp"
#include "pipeline/passages/near_duplicates/band_keys.hpp"
#include "pipeline/passages/near_duplicates/finder.hpp"
#include "pipeline/passages/near_duplicates/overlap.hpp"
#include "pipeline/passages/near_duplicates/representatives.hpp"
#include "pipeline/passages/near_duplicates/shared_bigrams.hpp"
#include "pipeline/passages/near_duplicates/word_bigrams.hpp"
#include "pipeline/passages/near_duplicates/word_vectors.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <CLI/CLI.hpp>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>
#include <sys/resource.h>

namespace {

using namespace touchstone::pipeline::passages::near_duplicates;
using touchstone::JsonWriter;
using touchstone::analysis::statistics::Random;
using Texts = std::vector<std::string>;

struct Arguments {
  std::vector<std::filesystem::path> files;
  std::size_t sample = 20'000, paragraphs = 1'000'000, min_words = 0;
  std::uint32_t stubs = 0;
  int threads = 2;
  std::filesystem::path folder = std::filesystem::temp_directory_path();
  std::string measure = "jaccard";
  NearDuplicatesOptions options;
};

Texts read_paragraphs(const Arguments& arguments) {
  Texts texts;
  for (const auto& file : arguments.files) {
    touchstone::formats::beir::LineReader reader;
    touchstone::for_each_line(file, [&](std::string_view line, std::uint64_t number) {
      auto document = reader.document(line);
      if (!document)
        throw touchstone::FormatError(file.string() + ":" + std::to_string(number) + ": " + document.error());
      const auto blanks = static_cast<std::size_t>(std::count(document->text.begin(), document->text.end(), ' '));
      if (blanks + 1 >= arguments.min_words) texts.push_back(std::move(document->text));
      return true;
    });
  }
  if (texts.empty()) throw touchstone::Error("the files hold no paragraphs");
  return texts;
}

void shuffle(Texts& texts, Random& random) {
  for (std::size_t i = texts.size(); i > 1; --i)
    std::swap(texts[i - 1], texts[random.below(static_cast<std::uint32_t>(i))]);
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void write_statistics(JsonWriter& json, const NearDuplicateStatistics& found) {
  json.field("paragraphs", found.paragraphs)
      .field("representatives", found.representatives)
      .field("exact_duplicates", found.exact_duplicates)
      .field("same_bigrams", found.same_bigrams)
      .field("near_duplicates", found.near_duplicates)
      .field("groups", found.groups)
      .field("largest_group", found.largest_group)
      .field("compared_pairs", found.compared_pairs)
      .field("uncertain", found.uncertain)
      .field("full_buckets", found.full_buckets)
      .field("without_vector", found.without_vector);
}

// Recall.

/// The distinct sets of bigrams of the texts, and with vectors their sums.
struct Sets {
  explicit Sets(const Texts& texts, const std::string& vectors_file) : sums({}) {
    std::set<std::vector<std::uint64_t>> seen;
    WordHasher hasher;
    std::vector<std::uint64_t> bigrams;
    WordVectors vectors = vectors_file.empty() ? WordVectors() : WordVectors::read(vectors_file);
    sums.dimensions = vectors.dimensions();
    for (const auto& text : texts) {
      const auto& words = hasher.words(text);
      word_bigrams(words, bigrams);
      if (bigrams.empty() || !seen.insert(bigrams).second) continue;
      sets.add(bigrams);
      std::vector<float> sum(sums.dimensions);
      std::uint32_t known = 0;
      for (const auto word : words) {
        const auto vector = vectors.find(word);
        known += vector.empty() ? 0 : 1;
        for (std::size_t d = 0; d < vector.size(); ++d) sum[d] += vector[d];
      }
      sums.sums.append(sum);
      sums.counts.push_back(known);
    }
  }
  internal::BigramSets sets;
  internal::VectorSums sums;
};

struct Pair {
  std::uint32_t a, b;  ///< a < b
  double overlap;
};

/// All pairs at or above the threshold.
std::vector<Pair> brute_force(const internal::BigramSets& sets, const OverlapCriterion& criterion) {
  tbb::enumerable_thread_specific<std::vector<Pair>> parts;
  tbb::parallel_for(std::size_t{0}, sets.size(), [&](std::size_t b) {
    for (std::size_t a = 0; a < b; ++a) {
      if (!criterion.holds(sets[a], sets[b])) continue;
      const double overlap = criterion.overlap(count_shared(sets[a], sets[b]), sets[a].size(), sets[b].size());
      parts.local().push_back({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), overlap});
    }
  });
  std::vector<Pair> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  std::sort(all.begin(), all.end(),
            [](const Pair& x, const Pair& y) { return std::tie(x.b, x.a) < std::tie(y.b, y.a); });
  return all;
}

/// The first representative before each set, by all pairs.
std::vector<std::uint32_t> exact_representatives(std::size_t sets, const std::vector<Pair>& pairs) {
  std::vector<std::uint32_t> of(sets);
  std::iota(of.begin(), of.end(), 0U);
  for (const Pair& pair : pairs) {
    if (of[pair.b] == pair.b && of[pair.a] == pair.a) of[pair.b] = pair.a;
  }
  return of;
}

/// Size of the largest connected component of all pairs.
std::size_t largest_component(std::size_t sets, const std::vector<Pair>& pairs) {
  std::vector<std::uint32_t> parent(sets);
  std::iota(parent.begin(), parent.end(), 0U);
  const auto root = [&](std::uint32_t x) {
    while (parent[x] != x) x = parent[x] = parent[parent[x]];
    return x;
  };
  for (const Pair& pair : pairs) parent[root(pair.b)] = root(pair.a);
  std::map<std::uint32_t, std::size_t> sizes;
  for (std::uint32_t set = 0; set < sets; ++set) ++sizes[root(set)];
  std::size_t largest = 0;
  for (const auto& [_, size] : sizes) largest = std::max(largest, size);
  return largest;
}

std::size_t largest_group(const std::vector<std::uint32_t>& of) {
  std::map<std::uint32_t, std::size_t> sizes;
  for (const auto set : of) ++sizes[set];
  std::size_t largest = 0;
  for (const auto& [_, size] : sizes) largest = std::max(largest, size);
  return largest;
}

std::size_t joined(const std::vector<std::uint32_t>& of) {
  std::size_t count = 0;
  for (std::size_t set = 0; set < of.size(); ++set) count += of[set] != set ? 1 : 0;
  return count;
}

void measure_recall(const Arguments& arguments) {
  Texts texts = read_paragraphs(arguments);
  Random random(1);
  shuffle(texts, random);
  texts.resize(std::min(texts.size(), arguments.sample));
  const Sets made(texts, arguments.options.vectors);
  const auto& sets = made.sets;
  const OverlapCriterion criterion(arguments.options.measure, arguments.options.threshold);
  auto begin = std::chrono::steady_clock::now();
  const auto pairs = brute_force(sets, criterion);
  const double brute_seconds = seconds_since(begin);

  const auto seed = static_cast<std::uint64_t>(arguments.options.seed);
  const auto shape = internal::MinHashShape::for_jaccard(criterion.least_jaccard());
  std::unique_ptr<internal::BandKeys> keys = std::make_unique<internal::MinHashKeys>(sets, shape, seed);
  if (made.sums.dimensions > 0) keys = std::make_unique<internal::HyperplaneKeys>(made.sums, std::move(keys), seed);
  begin = std::chrono::steady_clock::now();
  const touchstone::StopFlag stop;
  const internal::WorkSpace space{arguments.folder, static_cast<std::size_t>(arguments.options.memory_bytes)};
  const bool by_bigrams = arguments.options.measure == OverlapMeasure::kContainment && made.sums.dimensions == 0;
  const auto found = by_bigrams ? find_by_shared_bigrams(sets, criterion, space, stop)
                                : find_representatives(sets, *keys, criterion, space, stop);
  const double lsh_seconds = seconds_since(begin);

  std::vector<std::vector<std::uint32_t>> all_keys(sets.size(), std::vector<std::uint32_t>(keys->bands()));
  tbb::parallel_for(std::size_t{0}, sets.size(), [&](std::size_t set) { keys->keys(set, 0, all_keys[set]); });
  internal::SharedBigrams shared_bigrams(sets, criterion, {});
  shared_bigrams.build(stop);
  std::size_t candidates = 0, at_threshold = 0, candidates_at_threshold = 0;
  for (const Pair& pair : pairs) {
    bool same = by_bigrams && shared_bigrams.proposes(pair.a, pair.b);
    for (std::size_t band = 0; band < keys->bands() && !by_bigrams; ++band)
      same |= all_keys[pair.a][band] == all_keys[pair.b][band];
    candidates += same ? 1 : 0;
    if (pair.overlap > arguments.options.threshold + 0.05) continue;
    ++at_threshold;
    candidates_at_threshold += same ? 1 : 0;
  }
  const auto exact = exact_representatives(sets.size(), pairs);
  std::vector<std::uint32_t> of;
  for (std::size_t set = 0; set < sets.size(); ++set) of.push_back(found.of[set]);
  std::size_t same_representative = 0;
  for (std::size_t set = 0; set < sets.size(); ++set) same_representative += exact[set] == of[set] ? 1 : 0;
  const auto share = [](std::size_t part, std::size_t all) {
    return all == 0 ? 1.0 : static_cast<double>(part) / static_cast<double>(all);
  };
  JsonWriter json;
  json.begin_object()
      .field("bench", "near_duplicates/recall")
      .field("measure", arguments.measure)
      .field("threshold", arguments.options.threshold)
      .field("candidates_by", made.sums.dimensions > 0 ? "hyperplanes"
                              : by_bigrams             ? "bigrams"
                                                       : "minhash")
      .field("rows", shape.rows)
      .field("bands", keys->bands())
      .field("paragraphs", texts.size())
      .field("distinct_sets", sets.size())
      .field("pairs", pairs.size())
      .field("recall", share(candidates, pairs.size()))
      .field("pairs_up_to_0.05_above_threshold", at_threshold)
      .field("recall_up_to_0.05_above_threshold", share(candidates_at_threshold, at_threshold))
      .field("joined_by_brute_force", joined(exact))
      .field("joined", joined(of))
      .field("same_representative", share(same_representative, sets.size()))
      .field("largest_group", largest_group(of))
      .field("largest_component_of_pairs", largest_component(sets.size(), pairs))
      .field("compared_pairs", found.compared)
      .field("uncertain", found.uncertain)
      .field("full_buckets", found.full_buckets)
      .field("brute_force_seconds", brute_seconds)
      .field("seconds", lsh_seconds)
      .end_object();
  std::cout << std::move(json).take() << '\n';
}

// Speed.

std::vector<std::string_view> split_at_blanks(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(' ', begin), text.size());
    if (end > begin) words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

/// A copy of a text in which each word is replaced by some other with this probability, in percent.
std::string vary(const std::string& text, std::uint32_t percent, const std::vector<std::string_view>& words,
                 Random& random) {
  std::string copy;
  for (const auto word : split_at_blanks(text)) {
    if (!copy.empty()) copy += ' ';
    copy += random.below(100) < percent ? words[random.below(static_cast<std::uint32_t>(words.size()))] : word;
  }
  return copy;
}

void measure_speed(const Arguments& arguments) {
  Texts texts = read_paragraphs(arguments);
  Random random(1);
  shuffle(texts, random);
  std::vector<std::string_view> words;
  for (const auto& text : texts) {
    for (const auto word : split_at_blanks(text)) words.push_back(word);
  }
  const auto longest = std::max_element(texts.begin(), texts.end(), [](const auto& a, const auto& b) {
    return std::min<std::size_t>(a.size(), 120) < std::min<std::size_t>(b.size(), 120);
  });
  const std::string stub = longest->substr(0, longest->find(' ', std::min<std::size_t>(longest->size(), 120)));
  const double megabytes_before = peak_megabytes();

  const auto begin = std::chrono::steady_clock::now();
  const std::clock_t processor_begin = std::clock();
  double making = 0;
  std::uint64_t bytes = 0;
  Finder finder(arguments.options, arguments.folder);
  for (std::size_t i = 0; i < arguments.paragraphs; ++i) {
    const auto making_begin = std::chrono::steady_clock::now();
    const std::size_t copy = i / texts.size();
    const std::string& text = texts[i % texts.size()];
    const std::string varied = arguments.stubs > 0 ? vary(stub, 1 + random.below(arguments.stubs), words, random)
                               : copy == 0         ? text
                                                   : vary(text, 5 + random.below(76), words, random);
    making += seconds_since(making_begin);
    bytes += varied.size();
    finder.add(std::to_string(i), varied);
  }
  const double adding = seconds_since(begin) - making;
  const touchstone::StopFlag stop;
  const auto finish_begin = std::chrono::steady_clock::now();
  const Groups groups = finder.finish(arguments.threads, stop);
  const double finishing = seconds_since(finish_begin);
  JsonWriter json;
  json.begin_object()
      .field("bench", arguments.stubs > 0 ? "near_duplicates/stubs" : "near_duplicates/speed")
      .field("threads", arguments.threads)
      .field("bytes", bytes)
      .field("seconds", adding + finishing)
      .field("seconds_of_add", adding)
      .field("seconds_of_finish", finishing)
      .field("processor_seconds", static_cast<double>(std::clock() - processor_begin) / CLOCKS_PER_SEC - making)
      .field("peak_megabytes", peak_megabytes())
      .field("megabytes_of_texts", megabytes_before);
  write_statistics(json, groups.statistics());
  json.end_object();
  std::cout << std::move(json).take() << '\n';
}

void add_options(CLI::App& command, Arguments& arguments) {
  command.add_option("files", arguments.files)->required();
  command.add_option("--measure", arguments.measure);
  command.add_option("--threshold", arguments.options.threshold);
  command.add_option("--vectors", arguments.options.vectors);
  command.add_option("--seed", arguments.options.seed);
  command.add_option("--memory", arguments.options.memory_bytes);
  command.add_option("--folder", arguments.folder);
  command.add_option("--min-words", arguments.min_words);
}

}  // namespace

int main(int argc, char** argv) try {
  Arguments arguments;
  CLI::App app("Recall and speed of the search for near-duplicates");
  app.require_subcommand(1);
  CLI::App& recall = *app.add_subcommand("recall");
  add_options(recall, arguments);
  recall.add_option("--sample", arguments.sample);
  CLI::App& speed = *app.add_subcommand("speed");
  add_options(speed, arguments);
  speed.add_option("--paragraphs", arguments.paragraphs);
  speed.add_option("--threads", arguments.threads);
  speed.add_option("--stubs", arguments.stubs);
  CLI11_PARSE(app, argc, argv);
  for (const auto& choice : touchstone::Choices<OverlapMeasure>::table) {
    if (choice.text == arguments.measure) arguments.options.measure = choice.value;
  }
  recall.parsed() ? measure_recall(arguments) : measure_speed(arguments);
  return 0;
} catch (const std::exception& error) {
  std::cerr << "error: " << error.what() << '\n';
  return 1;
}
