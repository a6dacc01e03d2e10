#pragma once

#include "storage/store.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace touchstone::pipeline::evidence {

/// Tells the pages of days and years of a wiki by their titles alone, in any language.
///
/// Titles with one number form a series if they are equal without it: "3 May", "4 May". A series of at least 30 numbers
/// of which most are years, with few words beside them, is one of years; series of at least 25 of the numbers 1 to 31
/// are of the days of a month where the wiki has six of them or more. Thread-safe once made.
class DateTitles {
 public:
  /// Reads all titles of articles. Memory: some 100 bytes for each series.
  explicit DateTitles(const storage::Store& store);

  bool is_date(std::string_view title) const;

 private:
  struct Series {
    std::uint32_t days = 0;   ///< bit n - 1: there is a title with the number n
    std::uint32_t years = 0;  ///< titles with numbers from 1000 to 2100
    std::uint32_t titles = 0;
  };
  std::unordered_map<std::string, Series> series_;
  std::size_t months_ = 0;
};

}  // namespace touchstone::pipeline::evidence
