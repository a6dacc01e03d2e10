#pragma once

#include "common/error.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <queue>
#include <string>
#include <type_traits>
#include <vector>

namespace touchstone {

/// Sorts any number of small fixed-size records in bounded memory. Records beyond that are spilled to sorted runs in a
/// folder and merged when they are read. Records compare with operator<. Equal records are all kept, in an unspecified
/// order, so they must be interchangeable. Not thread-safe.
template <class Record>
class ExternalSorter {
  static_assert(std::is_trivially_copyable_v<Record>);

 public:
  /// \param folder        folder for spilled runs; they are deleted with this object at the latest
  /// \param name          distinguishes several sorters in one folder
  /// \param memory_bytes  limit for the records in memory
  ExternalSorter(std::filesystem::path folder, std::string name, std::size_t memory_bytes)
      : folder_(std::move(folder)),
        name_(std::move(name)),
        capacity_(std::max<std::size_t>(1024, memory_bytes / sizeof(Record))) {}
  ~ExternalSorter() {
    std::error_code ignored;  // the next sort of the same name overwrites left-over runs
    for (auto& run : runs_) {
      run.file.reset();
      std::filesystem::remove(run.path, ignored);
    }
  }
  ExternalSorter(const ExternalSorter&) = delete;
  ExternalSorter& operator=(const ExternalSorter&) = delete;

  void add(const Record& record) {
    if (records_.size() == capacity_) spill();
    records_.push_back(record);
  }

  /// Call after the last `add`. Then `next` gives the records in ascending order.
  void finish() {
    std::sort(records_.begin(), records_.end());
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      std::rewind(runs_[i].file.get());
      if (Record record; read(i, record)) heap_.push({record, i});
    }
  }

  /// Reads the next record. Returns false at the end.
  bool next(Record& record) {
    const bool from_memory =
        position_ < records_.size() && (heap_.empty() || !(heap_.top().record < records_[position_]));
    if (from_memory) {
      record = records_[position_++];
      return true;
    }
    if (heap_.empty()) return false;
    const HeapEntry top = heap_.top();
    heap_.pop();
    record = top.record;
    if (Record following; read(top.run, following)) heap_.push({following, top.run});
    return true;
  }

 private:
  struct FileCloser {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  struct Run {
    std::filesystem::path path;
    std::unique_ptr<std::FILE, FileCloser> file;
    std::vector<Record> buffer;
    std::size_t position = 0;
  };
  struct HeapEntry {
    Record record;
    std::size_t run;
    friend bool operator<(const HeapEntry& a, const HeapEntry& b) { return b.record < a.record; }  // smallest on top
  };

  void spill() {
    std::sort(records_.begin(), records_.end());
    Run run;
    run.path = folder_ / (name_ + "-" + std::to_string(runs_.size()) + ".run.partial");
    run.file.reset(std::fopen(run.path.c_str(), "w+b"));
    if (run.file == nullptr ||
        std::fwrite(records_.data(), sizeof(Record), records_.size(), run.file.get()) != records_.size() ||
        std::fflush(run.file.get()) != 0) {
      throw StorageError("cannot write " + run.path.string() + "; free some space and run again");
    }
    runs_.push_back(std::move(run));
    records_.clear();
  }

  bool read(std::size_t index, Record& record) {
    Run& run = runs_[index];
    if (run.position == run.buffer.size()) {
      run.buffer.resize(std::max<std::size_t>(256, capacity_ / (4 * runs_.size())));
      run.buffer.resize(std::fread(run.buffer.data(), sizeof(Record), run.buffer.size(), run.file.get()));
      run.position = 0;
      if (std::ferror(run.file.get()) != 0) throw StorageError("cannot read " + run.path.string());
      if (run.buffer.empty()) return false;
    }
    record = run.buffer[run.position++];
    return true;
  }

  std::filesystem::path folder_;
  std::string name_;
  std::size_t capacity_;
  std::vector<Record> records_;
  std::size_t position_ = 0;
  std::vector<Run> runs_;
  std::priority_queue<HeapEntry> heap_;
};

}  // namespace touchstone
