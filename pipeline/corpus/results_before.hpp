#pragma once

#include "common/ids.hpp"
#include "common/records/record_file.hpp"
#include "pipeline/flow/parts.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

namespace touchstone::pipeline::corpus {

/// Where results are kept from one dump to the next: a folder or a file. Empty paths: nowhere.
struct ResultPlaces {
  std::filesystem::path before;  ///< those of the dump before
  std::filesystem::path now;     ///< is written
};

/// What a stage made of each page for the dump before: records with the field `page`, ascending by it, in the files of
/// a folder (flow::Parts::keep), or in one file. Thread-safe.
template <class Result>
class ResultsBefore {
  using Reader = typename records::RecordFile<Result>::Reader;
  struct Part {
    PageId first;
    std::filesystem::path file;
  };

 public:
  /// Nothing is found where nothing exists, or where there are records of another version of the program. Throws as
  /// records::ByteReader does.
  explicit ResultsBefore(const std::filesystem::path& place) {
    if (!std::filesystem::exists(place)) return;
    const bool is_folder = std::filesystem::is_directory(place);
    for (const auto& file : is_folder ? flow::kept_parts(place) : std::vector{place}) {
      if (records::ByteReader(file).layout() != records::layout_of<Result>()) {
        parts_.clear();
        return;
      }
      Result first;
      if (Reader(file).next(first)) parts_.push_back({first.page, file});
    }
  }

  /// Looks for pages in ascending order. Not thread-safe.
  class Walk {
   public:
    explicit Walk(const ResultsBefore& before) : parts_(before.parts_) {}

    std::optional<Result> find(PageId page) {
      if (!at_ && part_ == 0) {
        const auto behind = std::upper_bound(parts_.begin(), parts_.end(), page,
                                             [](PageId wanted, const Part& part) { return wanted < part.first; });
        part_ = static_cast<std::size_t>(std::max<std::ptrdiff_t>(behind - parts_.begin() - 1, 0));
      }
      while (!at_ || at_->page < page) {
        if (!next()) return std::nullopt;
      }
      return at_->page == page ? std::optional(std::move(*at_)) : std::nullopt;
    }

   private:
    /// Goes on to the next page; false behind the last one.
    bool next() {
      for (; part_ < parts_.size(); ++part_) {
        if (!file_) file_.emplace(parts_[part_].file);
        at_.emplace();
        if (file_->next(*at_)) return true;
        file_.reset();
      }
      return false;
    }

    const std::vector<Part>& parts_;
    std::size_t part_ = 0;
    std::optional<Reader> file_;
    std::optional<Result> at_;
  };

 private:
  std::vector<Part> parts_;  ///< ascending
};

}  // namespace touchstone::pipeline::corpus
