#pragma once

#include "common/records/number_sort.hpp"
#include "common/records/record_coding.hpp"
#include "common/records/spool.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace touchstone::records {

namespace internal {

/// Bytes that a value has on the heap.
template <class T>
std::size_t heap_bytes(const T& value) {
  constexpr std::size_t kOverhead = 16;  // of an allocation
  if constexpr (std::is_trivially_copyable_v<T>) {
    return 0;
  } else if constexpr (std::same_as<T, std::string>) {
    return value.capacity() > T().capacity() ? value.capacity() + kOverhead : 0;
  } else if constexpr (IsVector<T>::value) {
    std::size_t bytes = value.empty() ? 0 : value.capacity() * sizeof(typename T::value_type) + kOverhead;
    for (const auto& item : value) bytes += heap_bytes(item);
    return bytes;
  } else if constexpr (IsOptional<T>::value) {
    return value ? heap_bytes(*value) : 0;
  } else if constexpr (IsPair<T>::value) {
    return heap_bytes(value.first) + heap_bytes(value.second);
  } else if constexpr (IsVariant<T>::value) {
    return std::visit([](const auto& alternative) { return heap_bytes(alternative); }, value);
  } else {
    static_assert(Described<T>, "a record has to list its fields");
    std::size_t bytes = 0;
    for_each_field(const_cast<T&>(value), [&](std::string_view, const auto& field) { bytes += heap_bytes(field); });
    return bytes;
  }
}

/// Sorted records on the disk.
template <class Record>
struct Run : Spool<Record> {
  /// \param how_often  its records were merged
  Run(const std::filesystem::path& folder, int how_often) : Spool<Record>(folder), level(how_often) {
    this->make_file();  // a spool keeps few records in memory otherwise
  }

  int level;
};

}  // namespace internal

/// What is done with records of which none is less than the other.
enum class Repeats : std::uint8_t { kKeep, kDrop };

/// Sorts any number of records in bounded memory. What is beyond the memory is spilled to sorted runs in a folder,
/// which are merged when they are read. They have no names, so that nothing is left of them when the program is killed,
/// and few are open at a time. Records of which none is less than the other come in an unspecified order.
///
/// Records list their fields (record_coding.hpp), or consist of numbers alone. Not thread-safe. Throws StorageError if
/// runs cannot be written or read.
template <class Record, class Order = std::less<>>
class Sorter {
 public:
  /// \param folder        on the disk that holds the runs
  /// \param memory_bytes  limit for the records in memory
  Sorter(std::filesystem::path folder, std::size_t memory_bytes, Repeats repeats = Repeats::kKeep, Order order = {})
      : folder_(std::move(folder)), memory_bytes_(memory_bytes), repeats_(repeats), order_(std::move(order)) {}
  Sorter(const Sorter&) = delete;
  Sorter& operator=(const Sorter&) = delete;

  void add(Record record) {
    const std::size_t bytes = (kIsWords ? 2 : 1) * sizeof record + internal::heap_bytes(record);
    if (held_bytes_ + bytes > memory_bytes_ && !records_.empty()) spill();
    held_bytes_ += bytes;
    records_.push_back(std::move(record));
  }

  /// The next record in ascending order; nothing behind the last one. \pre the last `add` was before the first `next`
  std::optional<Record> next() {
    if (!ended_) end();
    if (!runs_.empty()) {
      auto record = next_of_runs();
      if (!record) runs_.clear();
      return record;
    }
    if (position_ < records_.size()) return std::move(records_[position_++]);
    give_memory_back();
    position_ = 0;
    return std::nullopt;
  }

 private:
  using Run = internal::Run<Record>;

  static constexpr bool kIsWords = Words<Record> && std::same_as<Order, std::less<>>;

  /// Runs of one level that become one of the next.
  static constexpr std::size_t kRunsPerLevel = 16;

  void end() {
    ended_ = true;
    if (runs_.empty()) return sort();
    if (!records_.empty()) spill();
    give_memory_back();
    start_merge(0);
  }

  /// Assigning {} would keep it.
  void give_memory_back() {
    std::vector<Record>().swap(records_);
    std::vector<Record>().swap(spare_);
  }

  void sort() {
    if constexpr (kIsWords)
      sort_words(records_, spare_);
    else
      std::sort(records_.begin(), records_.end(), order_);
    if (repeats_ == Repeats::kKeep) return;
    const auto same = [&](const Record& a, const Record& b) { return !order_(a, b); };  // a is not behind b
    records_.erase(std::unique(records_.begin(), records_.end(), same), records_.end());
  }

  void spill() {
    sort();
    auto run = std::make_unique<Run>(folder_, 0);
    for (const auto& record : records_) run->add(record);
    run->rewind();
    runs_.push_back(std::move(run));
    records_.clear();
    held_bytes_ = 0;
    merge_full_levels();
  }

  /// Merges runs of one size into a larger one, so that their number stays small.
  void merge_full_levels() {
    while (runs_.size() >= kRunsPerLevel && runs_[runs_.size() - kRunsPerLevel]->level == runs_.back()->level) {
      const std::size_t first = runs_.size() - kRunsPerLevel;
      auto merged = std::make_unique<Run>(folder_, runs_.back()->level + 1);
      start_merge(first);
      while (const auto record = next_of_runs()) merged->add(*record);
      merged->rewind();
      runs_.resize(first);
      runs_.push_back(std::move(merged));
    }
  }

  void start_merge(std::size_t first_run) {
    least_ = nullptr;
    for (std::size_t i = first_run; i < runs_.size(); ++i)
      if (runs_[i]->next()) heads_.push(runs_[i].get());
    take_least_run();
  }

  std::optional<Record> next_of_runs() {
    if (least_ == nullptr) return std::nullopt;
    std::optional<Record> least = take_head();
    while (repeats_ == Repeats::kDrop && least_ != nullptr && !order_(*least, least_->head())) take_head();
    return least;
  }

  /// Records of one run often follow each other, which costs one comparison.
  Record take_head() {
    Record record = std::move(least_->head());
    if (!least_->next()) {
      take_least_run();
    } else if (!heads_.empty() && order_(heads_.top()->head(), least_->head())) {
      heads_.push(least_);
      take_least_run();
    }
    return record;
  }

  void take_least_run() {
    least_ = heads_.empty() ? nullptr : heads_.top();
    if (least_ != nullptr) heads_.pop();
  }

  struct Later {
    const Order* order;
    bool operator()(Run* a, Run* b) const { return (*order)(b->head(), a->head()); }  // the least is on top
  };

  std::filesystem::path folder_;
  std::size_t memory_bytes_;
  Repeats repeats_;
  Order order_;
  std::vector<Record> records_;  ///< in memory
  std::vector<Record> spare_;    ///< for sorting
  std::size_t held_bytes_ = 0;   ///< of them
  bool ended_ = false;
  std::size_t position_ = 0;                                                   ///< of the next record in memory
  std::vector<std::unique_ptr<Run>> runs_;                                     ///< larger ones first
  Run* least_ = nullptr;                                                       ///< has the next record
  std::priority_queue<Run*, std::vector<Run*>, Later> heads_{Later{&order_}};  ///< the other runs that are merged
};

}  // namespace touchstone::records
