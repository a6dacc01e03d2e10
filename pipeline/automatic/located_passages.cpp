#include "pipeline/automatic/located_passages.hpp"

#include "collection/automatic/encoded_pages.hpp"
#include "collection/automatic/ordered_batches.hpp"
#include "common/digest.hpp"
#include "common/records/sorter.hpp"
#include "pipeline/automatic/selection/automatic_options.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>

namespace touchstone::pipeline::automatic::internal {
namespace {

using collection::automatic::EncodedPassage;

constexpr std::size_t kCorpusSortBytes = std::size_t{32} << 20, kPassagesPerBatch = 1024;

struct OrderedPassage {
  std::uint64_t hash = 0;  ///< of the id and the seed
  std::uint64_t number = 0;
  LocatedPassage passage;

  template <class Fields>
  void fields(Fields& field) {
    field("hash", hash)("number", number)("passage", passage);
  }
  friend bool operator<(const OrderedPassage& a, const OrderedPassage& b) {
    return std::tie(a.hash, a.passage.paragraph.id, a.number) < std::tie(b.hash, b.passage.paragraph.id, b.number);
  }
};

struct CorpusPassage {
  formats::car::Paragraph paragraph;
  collection::automatic::PassagePlaces places;
};

}  // namespace

void write_corpus(flow::WriteContext& context, const flow::Parts& parts, std::initializer_list<std::string_view> names,
                  const std::string& license, collection::automatic::AutomaticWriter& writer) {
  const auto seed = static_cast<std::uint64_t>(context.options<selection::AutomaticOptions>().seed);
  records::Sorter<OrderedPassage> sorter(context.scratch(), kCorpusSortBytes);
  std::uint64_t count = 0;
  for (const auto name : names) {
    parts.for_each<LocatedPassage>(name, [&](LocatedPassage passage) {
      const auto hash = xxh3_64(passage.paragraph.id, seed);
      sorter.add({hash, count++, std::move(passage)});
    });
  }
  collection::automatic::OrderedBatches<CorpusPassage, EncodedPassage> batches(
      kPassagesPerBatch,
      [&](const CorpusPassage& passage) {
        return collection::automatic::encode_passage(passage.paragraph, passage.places, license);
      },
      [&](const EncodedPassage& passage) {
        context.stop.check();
        writer.add_passage(passage);
      });
  std::optional<CorpusPassage> open;
  while (auto next = sorter.next()) {
    auto& [paragraph, locator] = next->passage;
    if (open && open->paragraph.id != paragraph.id) batches.add(*std::exchange(open, std::nullopt));
    if (!open) open.emplace(CorpusPassage{std::move(paragraph), {}});
    open->places.add(std::move(locator));
  }
  if (open) batches.add(std::move(*open));
  batches.finish();
}

}  // namespace touchstone::pipeline::automatic::internal
