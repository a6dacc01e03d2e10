#include "pipeline/passages/near_duplicates/finder.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "pipeline/passages/near_duplicates/band_keys.hpp"
#include "pipeline/passages/near_duplicates/bigram_sets.hpp"
#include "pipeline/passages/near_duplicates/hash_index.hpp"
#include "pipeline/passages/near_duplicates/overlap.hpp"
#include "pipeline/passages/near_duplicates/representatives.hpp"
#include "pipeline/passages/near_duplicates/word_bigrams.hpp"
#include "pipeline/passages/near_duplicates/word_vectors.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <oneapi/tbb/task_arena.h>

namespace touchstone::pipeline::passages::near_duplicates {
namespace {

using internal::BandKeys;
using internal::GrowingArray;

constexpr std::uint32_t kNoSet = 0xFFFFFFFF;
constexpr std::size_t kMaxParagraphs = 0xFFFFFFFE;

/// Adds up the vectors of the words of each set.
class VectorCollector {
 public:
  VectorCollector(const std::filesystem::path& file, const std::filesystem::path& folder)
      : vectors_(WordVectors::read(file)), sums_(folder) {
    sums_.dimensions = vectors_->dimensions();
  }

  void add(std::span<const std::uint64_t> words) {
    sum_.assign(sums_.dimensions, 0);
    std::uint32_t known = 0;
    for (const std::uint64_t word : words) {
      const auto vector = vectors_->find(word);
      known += vector.empty() ? 0 : 1;
      for (std::size_t d = 0; d < vector.size(); ++d) sum_[d] += vector[d];
    }
    sums_.sums.append(sum_);
    sums_.counts.push_back(known);
    unknown_ += known == 0 ? 1 : 0;
  }

  /// Gives the memory of the words back. Nothing can be added afterwards.
  void forget_words() noexcept { vectors_.reset(); }

  const internal::VectorSums& sums() const noexcept { return sums_; }
  std::uint64_t unknown() const noexcept { return unknown_; }

 private:
  std::optional<WordVectors> vectors_;
  internal::VectorSums sums_;
  std::vector<float> sum_;
  std::uint64_t unknown_ = 0;
};

std::uint64_t hash_of(std::span<const std::uint64_t> bigrams) {
  return xxh3_64({reinterpret_cast<const char*>(bigrams.data()), bigrams.size_bytes()});
}

}  // namespace

struct Finder::Impl {
  /// A distinct text.
  struct Text {
    Sha1Digest digest;
    std::uint32_t first_paragraph;
    std::uint32_t set;  ///< kNoSet: it has no word
  };

  Impl(NearDuplicatesOptions chosen, std::filesystem::path where)
      : options(std::move(chosen)), folder(std::move(where)), sets(folder) {
    if (options.enabled && !options.vectors.empty()) vectors.emplace(options.vectors, folder);
  }

  std::uint32_t text_number(std::string_view text, std::uint32_t paragraph, std::uint64_t facts);
  std::uint32_t set_number(std::string_view text, std::uint64_t facts);
  internal::Representatives find(const StopFlag& stop) const;
  void resolve(const internal::Representatives& found);
  void sort_ids();
  void refuse_ids_with_two_texts() const;
  Groups each_for_itself();
  void count(const internal::Representatives& found);

  NearDuplicatesOptions options;
  std::filesystem::path folder;
  std::optional<VectorCollector> vectors;
  WordHasher hasher;
  std::vector<std::uint64_t> bigrams;

  std::vector<std::uint32_t> text_of_paragraph;
  GrowingArray<Text> texts;
  internal::HashIndex texts_by_digest;
  internal::BigramSets sets;
  internal::HashIndex sets_by_hash;
  GrowingArray<std::uint32_t> first_text;  ///< of each set
  Groups groups;
};

std::uint32_t Finder::Impl::set_number(std::string_view text, std::uint64_t facts) {
  const auto& words = hasher.words(text);
  word_bigrams(words, bigrams);
  if (bigrams.empty()) return kNoSet;
  const auto next = static_cast<std::uint32_t>(sets.size());
  const auto known = sets_by_hash.find_or_add(hash_of(bigrams) ^ facts, next, [&](std::uint32_t other) {
    return sets.facts(other) == facts && std::ranges::equal(sets[other], bigrams);
  });
  if (known) return *known;
  sets.add(bigrams, facts);
  first_text.push_back(static_cast<std::uint32_t>(texts.size()));
  if (vectors) vectors->add(words);
  return next;
}

std::uint32_t Finder::Impl::text_number(std::string_view text, std::uint32_t paragraph, std::uint64_t facts) {
  const Sha1Digest digest = sha1(text);
  std::uint64_t hash = 0;
  std::memcpy(&hash, digest.data(), sizeof hash);
  const auto next = static_cast<std::uint32_t>(texts.size());
  const auto known =
      texts_by_digest.find_or_add(hash, next, [&](std::uint32_t other) { return texts[other].digest == digest; });
  if (known) return *known;
  const std::uint32_t set = set_number(text, facts);
  texts.push_back({digest, paragraph, set});
  return next;
}

internal::Representatives Finder::Impl::find(const StopFlag& stop) const {
  const OverlapCriterion criterion(options.measure, options.threshold);
  if (options.measure == OverlapMeasure::kContainment && !vectors)
    return find_by_shared_bigrams(sets, criterion, folder, stop);
  const auto seed = static_cast<std::uint64_t>(options.seed);
  const auto shape = internal::MinHashShape::for_jaccard(criterion.least_jaccard());
  std::unique_ptr<BandKeys> keys = std::make_unique<internal::MinHashKeys>(sets, shape, seed);
  if (vectors) keys = std::make_unique<internal::HyperplaneKeys>(vectors->sums(), std::move(keys), seed);
  if (options.keep_facts) keys = std::make_unique<internal::FactKeys>(sets, std::move(keys));
  return find_representatives(sets, *keys, criterion, folder, stop);
}

void Finder::Impl::resolve(const internal::Representatives& found) {
  groups.representatives_.resize(text_of_paragraph.size());
  for (std::size_t paragraph = 0; paragraph < text_of_paragraph.size(); ++paragraph) {
    const Text& text = texts[text_of_paragraph[paragraph]];
    groups.representatives_[paragraph] =
        text.set == kNoSet ? text.first_paragraph : texts[first_text[found.of[text.set]]].first_paragraph;
  }
}

void Finder::Impl::sort_ids() {
  auto& order = groups.by_id_;
  order.resize(text_of_paragraph.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return groups.id(a) < groups.id(b); });
}

void Finder::Impl::refuse_ids_with_two_texts() const {
  const auto& order = groups.by_id_;
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (text_of_paragraph[order[i - 1]] == text_of_paragraph[order[i]]) continue;
    if (groups.id(order[i - 1]) == groups.id(order[i])) {
      throw Error("cannot search near-duplicates: two paragraphs with different texts have the id \"" +
                  std::string(groups.id(order[i])) + "\"; give each text an id of its own");
    }
  }
}

Groups Finder::Impl::each_for_itself() {
  sort_ids();
  groups.representatives_ = text_of_paragraph;
  groups.statistics_.paragraphs = groups.statistics_.representatives = text_of_paragraph.size();
  groups.statistics_.largest_group = text_of_paragraph.empty() ? 0 : 1;
  return std::move(groups);
}

void Finder::Impl::count(const internal::Representatives& found) {
  auto& statistics = groups.statistics_;
  statistics.paragraphs = text_of_paragraph.size();
  statistics.exact_duplicates = text_of_paragraph.size() - texts.size();
  for (std::size_t text = 0; text < texts.size(); ++text) statistics.without_words += texts[text].set == kNoSet ? 1 : 0;
  statistics.same_bigrams = texts.size() - statistics.without_words - sets.size();
  for (std::size_t set = 0; set < sets.size(); ++set) statistics.near_duplicates += found.of[set] != set ? 1 : 0;
  statistics.representatives = statistics.without_words + sets.size() - statistics.near_duplicates;
  std::vector<std::uint32_t> members(text_of_paragraph.size());
  for (const std::uint32_t representative : groups.representatives_) ++members[representative];
  for (const std::uint32_t size : members) {
    statistics.groups += size >= 2 ? 1 : 0;
    statistics.largest_group = std::max<std::uint64_t>(statistics.largest_group, size);
  }
  statistics.without_vector = vectors ? vectors->unknown() : 0;
  statistics.compared_pairs = found.compared;
  statistics.uncertain = found.uncertain;
  statistics.full_buckets = found.full_buckets;
}

Finder::Finder(NearDuplicatesOptions options, std::filesystem::path folder)
    : impl_(std::make_unique<Impl>(std::move(options), std::move(folder))) {}
Finder::~Finder() = default;
Finder::Finder(Finder&&) noexcept = default;

void Finder::add(std::string_view id, std::string_view text, std::uint64_t facts) {
  auto& groups = impl_->groups;
  const std::size_t paragraph = impl_->text_of_paragraph.size();
  if (paragraph >= kMaxParagraphs) throw Error("cannot search near-duplicates among more than 4294967294 paragraphs");
  const auto number = static_cast<std::uint32_t>(paragraph);
  if (!impl_->options.keep_facts) facts = 0;
  impl_->text_of_paragraph.push_back(impl_->options.enabled ? impl_->text_number(text, number, facts) : number);
  groups.ids_.append(id);
  groups.id_ends_.push_back(groups.ids_.size());
}

Groups Finder::finish(int threads, const StopFlag& stop) {
  if (!impl_->options.enabled) return impl_->each_for_itself();
  tbb::task_arena arena(threads);
  arena.execute([&] {
    impl_->sort_ids();
    impl_->refuse_ids_with_two_texts();
    impl_->sets_by_hash = {};
    impl_->texts_by_digest = {};
    if (impl_->vectors) impl_->vectors->forget_words();
    const auto found = impl_->find(stop);
    impl_->resolve(found);
    impl_->count(found);
  });
  return std::move(impl_->groups);
}

}  // namespace touchstone::pipeline::passages::near_duplicates
