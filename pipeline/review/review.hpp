#pragma once

#include "common/digest.hpp"
#include "common/files.hpp"
#include "common/options.hpp"
#include "pipeline/flow/stage_report.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace touchstone {
namespace pipeline::review {

/// What a person decided about a topic or a heading.
enum class ReviewDecision : std::uint8_t { kKeep, kDrop, kReword };

/// A topic or a heading in the file that a person reviews.
struct ReviewRow {
  ReviewDecision decision = ReviewDecision::kKeep;
  std::string page;                   ///< title of the query page
  std::vector<std::string> headings;  ///< from the top level down; empty for the topic itself
  std::string wording;                ///< instead of the title or the last heading; of kReword only
  std::string flags;                  ///< information only: the rules that it breaks
  std::uint64_t passages = 0;         ///< information only

  template <class Fields>
  void fields(Fields& field) {
    field("decision", decision)("page", page)("headings", headings)("wording", wording)("flags", flags)("passages",
                                                                                                        passages);
  }
  friend bool operator==(const ReviewRow&, const ReviewRow&) = default;
};

/// A review: rows in the order in which they were added, each page and heading path once. Tabs, line breaks and bytes
/// that are not UTF-8 in titles and headings are replaced as in the file, so that a path fits before and after it was
/// written. Not thread-safe while it changes.
class Review {
 public:
  /// Adds a row; returns false if there is a row for the same page and headings.
  bool add(ReviewRow row);
  /// The row of a topic (no headings) or a heading; null if there is none.
  const ReviewRow* find(std::string_view page, const std::vector<std::string>& headings = {}) const;
  const std::vector<ReviewRow>& rows() const noexcept { return rows_; }
  /// Number of the row among `rows()`.
  std::optional<std::size_t> find_number(std::string_view page, const std::vector<std::string>& headings) const;

 private:
  std::vector<ReviewRow> rows_;
  std::unordered_map<std::string, std::size_t> index_;
};

/// Reads a review: TSV of UTF-8 with the header `decision kind page heading wording flags passages`, plain or gzip. At
/// most 10 million rows of at most 64 KiB.
/// Throws StorageError if the file cannot be read, and FormatError with file, line and column if it is not a review.
Review read_review(const std::filesystem::path& path);

/// The same for text in memory; `where` names it in messages.
Review read_review_text(std::string_view text, const std::string& where);

/// The review as text, to be written to a file.
std::string review_text(const Review& review);

/// Writes the review for the next person: the rows of this run, in the order in which they are added, with the
/// decisions of the review before. Of rows for the same page and headings the first is written. Keeps a digest of each
/// row in memory. Not thread-safe. Throws StorageError.
class ReviewWriter {
 public:
  /// \param old  outlives the writer
  ReviewWriter(const std::filesystem::path& path, const Review& old);

  void add(ReviewRow row);
  /// Completes the file. The report gets the number of new rows, and a warning if rows with decisions are gone.
  void finish(flow::StageReport& report);

 private:
  struct DigestHash {
    std::size_t operator()(const Digest128& digest) const noexcept;
  };

  const Review& old_;
  AtomicFile file_;
  std::unordered_set<Digest128, DigestHash> written_;
  std::uint64_t appeared_ = 0;
  std::vector<bool> found_;  ///< the rows of the old review that are still there
};

}  // namespace pipeline::review

template <>
struct Choices<pipeline::review::ReviewDecision> {
  using Decision = pipeline::review::ReviewDecision;
  static constexpr Choice<Decision> table[] = {
      {"keep", Decision::kKeep}, {"drop", Decision::kDrop}, {"reword", Decision::kReword}};
};

}  // namespace touchstone
