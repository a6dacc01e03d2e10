#include "pipeline/passages/near_duplicates/finder.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/records/sorter.hpp"
#include "pipeline/passages/near_duplicates/band_keys.hpp"
#include "pipeline/passages/near_duplicates/bigram_sets.hpp"
#include "pipeline/passages/near_duplicates/overlap.hpp"
#include "pipeline/passages/near_duplicates/representatives.hpp"
#include "pipeline/passages/near_duplicates/word_bigrams.hpp"
#include "pipeline/passages/near_duplicates/word_vectors.hpp"

#include <algorithm>
#include <compare>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <oneapi/tbb/task_arena.h>

namespace touchstone::pipeline::passages::near_duplicates {
namespace internal {

/// A set of bigrams and its facts. All zero for a text without words.
struct SetKey {
  std::uint64_t bigrams[2] = {0, 0};  ///< a digest of them
  std::uint64_t facts = 0;

  friend auto operator<=>(const SetKey&, const SetKey&) = default;
};

/// Something that a paragraph has; sorting brings paragraphs that have the same together, in their order.
struct ParagraphText {
  Sha1Digest text{};
  std::uint32_t paragraph = 0;
  SetKey set;

  friend auto operator<=>(const ParagraphText&, const ParagraphText&) = default;
};
struct ParagraphSet {
  SetKey set;
  std::uint32_t paragraph = 0;

  friend auto operator<=>(const ParagraphSet&, const ParagraphSet&) = default;
};
struct ParagraphId {
  Digest128 id{};
  std::uint64_t text = 0;  ///< the first bytes of its digest
  std::uint32_t paragraph = 0;

  friend auto operator<=>(const ParagraphId&, const ParagraphId&) = default;
};

/// What the search needs of a paragraph's words.
struct Words {
  std::string bigrams;  ///< as bytes
  std::uint64_t facts = 0;
  std::string sum;          ///< of the words' vectors, as bytes
  std::uint32_t known = 0;  ///< words with a vector

  template <class Fields>
  void fields(Fields& field) {
    field("bigrams", bigrams)("facts", facts)("sum", sum)("known", known);
  }
};

}  // namespace internal

namespace {

using internal::BandKeys;
using internal::ParagraphId;
using internal::ParagraphSet;
using internal::ParagraphText;
using internal::SetKey;
using internal::Words;
using internal::WorkSpace;

constexpr std::size_t kMaxParagraphs = 0xFFFFFFFE;

template <class Number>
std::string_view bytes_of(std::span<const Number> numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

template <class Number>
void read_numbers(std::string_view bytes, std::vector<Number>& numbers) {
  numbers.resize(bytes.size() / sizeof(Number));
  if (!bytes.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
}

/// Whether the sets of bigrams are found by their vectors, by MinHash or by shared bigrams.
/// \param vectors  no dimensions: MinHash
internal::Representatives find_among(const internal::BigramSets& sets, const internal::VectorSums& vectors,
                                     const NearDuplicatesOptions& options, const WorkSpace& space,
                                     const StopFlag& stop) {
  const OverlapCriterion criterion(options.measure, options.threshold);
  const bool has_vectors = vectors.dimensions > 0;
  if (options.measure == OverlapMeasure::kContainment && !has_vectors)
    return find_by_shared_bigrams(sets, criterion, space, stop);
  const auto seed = static_cast<std::uint64_t>(options.seed);
  const auto shape = internal::MinHashShape::for_jaccard(criterion.least_jaccard());
  std::unique_ptr<BandKeys> keys = std::make_unique<internal::MinHashKeys>(sets, shape, seed);
  if (has_vectors) keys = std::make_unique<internal::HyperplaneKeys>(vectors, std::move(keys), seed);
  if (options.keep_facts) keys = std::make_unique<internal::FactKeys>(sets, std::move(keys));
  return find_representatives(sets, *keys, criterion, space, stop);
}

}  // namespace

struct Finder::Impl {
  Impl(NearDuplicatesOptions chosen, std::filesystem::path folder)
      : options(std::move(chosen)),
        space{std::move(folder), static_cast<std::size_t>(options.memory_bytes)},
        groups(space) {
    if (!options.enabled) return;
    if (!options.vectors.empty()) vectors.emplace(WordVectors::read(options.vectors));
    ids.emplace(space.folder, space.part(8));
    texts.emplace(space.folder, space.part(8));
    words.emplace(space.folder);
  }

  void add_text(std::string_view id, std::string_view text, std::uint64_t facts);
  void add_vectors(std::span<const std::uint64_t> hashes, Words& of_paragraph);
  void refuse_ids_with_two_texts();
  void join_equal_texts();
  void join_equal_sets(records::Sorter<ParagraphSet>& equal);
  void find(const StopFlag& stop);
  void read_words(internal::BigramSets& sets, internal::VectorSums& sums, const StopFlag& stop);
  void resolve();

  NearDuplicatesOptions options;
  WorkSpace space;
  std::uint32_t paragraphs = 0;
  std::optional<WordVectors> vectors;
  WordHasher hasher;
  std::vector<std::uint64_t> bigrams;
  std::vector<float> sum;
  std::optional<records::Sorter<ParagraphId>> ids;
  std::optional<records::Sorter<ParagraphText>> texts;
  std::optional<records::Spool<Words>> words;  ///< of all paragraphs
  Groups groups;
  std::optional<GrowingArray<std::uint32_t>> paragraph_of_set;  ///< the first one
};

void Finder::Impl::add_text(std::string_view id, std::string_view text, std::uint64_t facts) {
  ParagraphText of_text{sha1(text), paragraphs, {}};
  std::uint64_t beginning = 0;
  std::memcpy(&beginning, of_text.text.data(), sizeof beginning);
  ids->add({xxh3_128(id), beginning, paragraphs});
  const auto& hashes = hasher.words(text);
  word_bigrams(hashes, bigrams);
  Words of_paragraph{std::string(bytes_of<std::uint64_t>(bigrams)), facts, {}, 0};
  if (!bigrams.empty()) {
    const auto digest = xxh3_128(of_paragraph.bigrams);
    std::memcpy(of_text.set.bigrams, digest.data(), digest.size());
    of_text.set.facts = facts;
    if (vectors) add_vectors(hashes, of_paragraph);
  }
  texts->add(of_text);
  words->add(of_paragraph);
}

void Finder::Impl::add_vectors(std::span<const std::uint64_t> hashes, Words& of_paragraph) {
  sum.assign(vectors->dimensions(), 0);
  for (const std::uint64_t word : hashes) {
    const auto vector = vectors->find(word);
    of_paragraph.known += vector.empty() ? 0 : 1;
    for (std::size_t d = 0; d < vector.size(); ++d) sum[d] += vector[d];
  }
  of_paragraph.sum = bytes_of<float>(sum);
}

void Finder::Impl::refuse_ids_with_two_texts() {
  std::optional<ParagraphId> before;
  while (const auto next = ids->next()) {
    if (before && before->id == next->id && before->text != next->text) {
      groups.ids_->rewind();
      for (std::uint32_t paragraph = 0; paragraph <= next->paragraph; ++paragraph) groups.ids_->next();
      throw Error("cannot search near-duplicates: two paragraphs with different texts have the id \"" +
                  groups.ids_->head() + "\"; give each text an id of its own");
    }
    before = next;
  }
  ids.reset();
}

/// Gives each paragraph the first one with the same text, and that the first one with the same set.
void Finder::Impl::join_equal_texts() {
  auto& found = groups.statistics_;
  records::Sorter<ParagraphSet> sets(space.folder, space.part(8));
  std::optional<ParagraphText> first;
  while (const auto next = texts->next()) {
    if (first && first->text == next->text) {
      groups.representatives_[next->paragraph] = first->paragraph;
      ++found.exact_duplicates;
      continue;
    }
    first = next;
    if (first->set == SetKey{}) {
      ++found.without_words;
    } else {
      sets.add({first->set, first->paragraph});
    }
  }
  texts.reset();
  join_equal_sets(sets);
}

void Finder::Impl::join_equal_sets(records::Sorter<ParagraphSet>& equal) {
  std::optional<ParagraphSet> first;
  while (const auto next = equal.next()) {
    if (first && first->set == next->set) {
      groups.representatives_[next->paragraph] = first->paragraph;
      ++groups.statistics_.same_bigrams;
    } else {
      first = next;
    }
  }
}

/// Numbers the distinct sets in the order of their first paragraphs.
void Finder::Impl::read_words(internal::BigramSets& sets, internal::VectorSums& sums, const StopFlag& stop) {
  words->rewind();
  for (std::uint32_t paragraph = 0; words->next(); ++paragraph) {
    if (paragraph % 65536 == 0) stop.check();
    const Words& head = words->head();
    if (groups.representatives_[paragraph] != paragraph || head.bigrams.empty()) continue;
    read_numbers(head.bigrams, bigrams);
    sets.add(bigrams, head.facts);
    paragraph_of_set->push_back(paragraph);
    if (sums.dimensions == 0) continue;
    read_numbers(head.sum, sum);
    sums.sums.append(sum);
    sums.counts.push_back(head.known);
    groups.statistics_.without_vector += head.known == 0 ? 1 : 0;
  }
  words.reset();
}

void Finder::Impl::find(const StopFlag& stop) {
  internal::BigramSets sets(space.folder, space.part(4));
  internal::VectorSums sums(space.folder, space.part(8));
  sums.dimensions = vectors ? vectors->dimensions() : 0;
  vectors.reset();
  paragraph_of_set.emplace(space.folder, space.part(16));
  read_words(sets, sums, stop);
  const auto found = find_among(sets, sums, options, space, stop);
  auto& statistics = groups.statistics_;
  for (std::size_t set = 0; set < sets.size(); ++set) {
    if (found.of[set] == set) continue;
    groups.representatives_[(*paragraph_of_set)[set]] = (*paragraph_of_set)[found.of[set]];
    ++statistics.near_duplicates;
  }
  statistics.compared_pairs = found.compared;
  statistics.uncertain = found.uncertain;
  statistics.full_buckets = found.full_buckets;
}

/// Follows from a paragraph to the first one with its text, to the first one with its set, and to the representative of
/// that, none of which comes after it. Counts the groups.
void Finder::Impl::resolve() {
  auto& of = groups.representatives_;
  auto& statistics = groups.statistics_;
  statistics.paragraphs = paragraphs;
  GrowingArray<std::uint32_t> members(space.folder, space.part(16));
  members.resize(paragraphs);
  for (std::uint32_t paragraph = 0; paragraph < paragraphs; ++paragraph) {
    const std::uint32_t representative = of[of[paragraph]];
    of[paragraph] = representative;
    statistics.representatives += representative == paragraph ? 1 : 0;
    const std::uint32_t size = ++members[representative];
    statistics.groups += size == 2 ? 1 : 0;
    statistics.largest_group = std::max<std::uint64_t>(statistics.largest_group, size);
  }
}

Finder::Finder(NearDuplicatesOptions options, std::filesystem::path folder)
    : impl_(std::make_unique<Impl>(std::move(options), std::move(folder))) {}
Finder::~Finder() = default;
Finder::Finder(Finder&&) noexcept = default;

void Finder::add(std::string_view id, std::string_view text, std::uint64_t facts) {
  if (impl_->paragraphs >= kMaxParagraphs)
    throw Error("cannot search near-duplicates among more than 4294967294 paragraphs");
  if (impl_->options.enabled) impl_->add_text(id, text, impl_->options.keep_facts ? facts : 0);
  impl_->groups.ids_->add(std::string(id));
  ++impl_->paragraphs;
}

Groups Finder::finish(int threads, const StopFlag& stop) {
  auto& of = impl_->groups.representatives_;
  of.resize(impl_->paragraphs);
  for (std::uint32_t paragraph = 0; paragraph < impl_->paragraphs; ++paragraph) of[paragraph] = paragraph;
  if (impl_->options.enabled) {
    impl_->refuse_ids_with_two_texts();
    impl_->join_equal_texts();
    tbb::task_arena arena(threads);
    arena.execute([&] { impl_->find(stop); });
  }
  impl_->resolve();
  return std::move(impl_->groups);
}

}  // namespace touchstone::pipeline::passages::near_duplicates
