#include "pipeline/corpus/page_walk.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace touchstone::pipeline::corpus {
namespace {

constexpr std::uint64_t kBytesOfPage = 256;    ///< what a page costs besides its text
constexpr std::size_t kMostMarks = 1U << 15U;  ///< more than cuts, so that cuts are nearly equal

/// The pages that end a slice of the text, with the bytes of all pages up to them. The slices grow with the wiki.
class Marks {
 public:
  void add(PageId id, std::uint64_t bytes) {
    bytes_ += bytes;
    if (bytes_ < (all_.empty() ? 0 : all_.back().bytes) + step_) return;
    all_.push_back({id.value, bytes_});
    if (all_.size() < kMostMarks) return;
    for (std::size_t i = 0; 2 * i + 1 < all_.size(); ++i) all_[i] = all_[2 * i + 1];
    all_.resize(all_.size() / 2);
    step_ *= 2;
  }

  flow::Cuts cuts(CutBytes of_cut) const {
    const auto per_cut = std::clamp(bytes_ / of_cut.cuts, of_cut.least, of_cut.most);
    flow::Cuts cuts;
    std::uint64_t first = 0, before = 0;
    for (const auto& mark : all_) {
      if (mark.bytes - before < per_cut) continue;
      cuts.push_back({first, std::uint64_t{mark.page} + 1});
      first = cuts.back().end;
      before = mark.bytes;
    }
    cuts.push_back({first, std::uint64_t{1} << 32});
    return cuts;
  }

 private:
  struct Mark {
    std::uint32_t page = 0;
    std::uint64_t bytes = 0;
  };
  std::vector<Mark> all_;
  std::uint64_t bytes_ = 0, step_ = CutBytes{}.least / 16;
};

}  // namespace

flow::Cuts page_cuts(const storage::Store& store, CutBytes of_cut) {
  Marks marks;
  for (auto cursor = store.cursor(storage::Family::kPage); cursor.valid(); cursor.next()) {
    const auto id = storage::read_page_key(cursor.key());
    if (!id) throw StorageError("the store holds a page key it should not; build it again");
    marks.add(*id, kBytesOfPage + storage::decode_page(cursor.value()).text_bytes);
  }
  return marks.cuts(of_cut);
}

}  // namespace touchstone::pipeline::corpus
