#include "retrieval/docid_store.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace touchstone::retrieval {
namespace {

constexpr std::string_view kDocids = "docids", kEnds = "docid-ends", kSorted = "docid-order";
static_assert(std::endian::native == std::endian::little, "numbers are written as they are in memory");

template <class Number>
void write_number(AtomicFile& file, Number number) {
  file.write({reinterpret_cast<const char*>(&number), sizeof number});
}

}  // namespace

DocidStoreWriter::DocidStoreWriter(const std::filesystem::path& folder, std::size_t sort_bytes)
    : docids_(folder / kDocids), ends_(folder / kEnds), sorted_(folder / kSorted), sorter_(folder, sort_bytes) {}

void DocidStoreWriter::add(std::string_view docid) {
  docids_.write(docid);
  end_ += docid.size();
  write_number(ends_, end_);
  sorter_.add({std::string(docid), count_++});
}

std::optional<NumberedDocid> DocidStoreWriter::finish() {
  std::optional<NumberedDocid> last, twice;
  while (auto next = sorter_.next()) {
    write_number(sorted_, next->number);
    const bool is_twice = last && last->docid == next->docid;
    if (is_twice && (!twice || next->number < twice->number)) twice = next;
    last = std::move(next);
  }
  for (auto* file : {&docids_, &ends_, &sorted_}) file->finish();
  return twice;
}

DocidStore::DocidStore(const std::filesystem::path& folder)
    : docids_(folder / kDocids), ends_(folder / kEnds), sorted_(folder / kSorted) {
  constexpr std::size_t kNumbersAtOnce = 4096;
  if (sorted_.bytes() / sizeof(std::uint32_t) != size()) sorted_.fail("is damaged");
  std::array<std::uint32_t, kNumbersAtOnce> numbers{};
  for (std::size_t place = 0; place < size();) {
    const auto count = std::min(numbers.size(), size() - place);
    sorted_.read(numbers.data(), count * sizeof numbers[0], place * sizeof numbers[0]);
    for (std::size_t i = 0; i < count; ++i, ++place) {
      if (numbers[i] >= size()) sorted_.fail("is damaged");
      if (order_.empty()) {
        if (numbers[i] == place) continue;
        order_.resize(size());
        for (std::uint32_t before = 0; before < place; ++before) order_[before] = before;
      }
      order_[numbers[i]] = static_cast<std::uint32_t>(place);
    }
  }
}

std::string DocidStore::docid(std::uint32_t document) const {
  std::array<std::uint64_t, 2> ends{};
  const std::size_t before = document == 0 ? 0 : 1;  // there is no end before the first
  ends_.read(&ends[1 - before], (1 + before) * sizeof ends[0], (std::uint64_t{document} - before) * sizeof ends[0]);
  if (ends[0] > ends[1] || ends[1] > docids_.bytes()) ends_.fail("is damaged");
  std::string docid(ends[1] - ends[0], '\0');
  docids_.read(docid.data(), docid.size(), ends[0]);
  return docid;
}

std::uint32_t DocidStore::document_at(std::uint32_t place) const {
  if (order_.empty()) return place;
  std::uint32_t document = 0;
  sorted_.read(&document, sizeof document, std::uint64_t{place} * sizeof document);
  return document;
}

std::int64_t DocidStore::find(std::string_view docid) const {
  std::uint32_t first = 0, last = static_cast<std::uint32_t>(size());
  while (first < last) {
    const auto middle = first + (last - first) / 2;
    const auto document = document_at(middle);
    const auto order = this->docid(document).compare(docid);
    if (order == 0) return document;
    if (order < 0) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return -1;
}

}  // namespace touchstone::retrieval
