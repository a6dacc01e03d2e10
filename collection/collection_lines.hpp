#pragma once

#include "collection/collection.hpp"
#include "common/result.hpp"

#include <memory>
#include <string>
#include <string_view>

/// The lines of a collection's own files: one function to write and one to read each, and nothing else knows their form
/// (docs/collection.md). Reading back a written line and writing it again gives the same bytes.
namespace touchstone::formats::internal {

/// Bumped when any file of the collection changes its form.
inline constexpr int kCollectionFormatVersion = 1;
inline constexpr std::string_view kCollectionFormatName = "touchstone-collection";

/// Longest line that readers accept: a passage is a section at most, a judgment holds a reply's reason.
inline constexpr std::size_t kMaxCollectionLineBytes = std::size_t{1} << 26;

/// Digits after the point of a probability, and of means and shares.
inline constexpr int kProbabilityDigits = 6;
inline constexpr int kShareDigits = 4;

inline constexpr std::string_view kDiscardedHeader = "kind\tpage\tsection\tcolumn\treason\tdetail";

std::string query_line(const TopicRecord& topic);
std::string member_line(const MemberRecord& member);
std::string passage_line(const PassageRecord& passage);
std::string judgment_line(const JudgmentRecord& judgment);
std::string discarded_line(const DiscardedRecord& discarded);

/// The section comes back as one string, since a heading may hold the " » " that joins it.
Result<DiscardedRecord, std::string> parse_discarded(std::string_view line);

/// Reads the JSON lines; keeps its buffers between lines. Not thread-safe. Failures are ends of sentences that start
/// with file and line.
class CollectionLineReader {
 public:
  CollectionLineReader();
  ~CollectionLineReader();

  Result<TopicRecord, std::string> query(std::string_view line);
  Result<MemberRecord, std::string> member(std::string_view line);
  Result<PassageRecord, std::string> passage(std::string_view line);
  Result<JudgmentRecord, std::string> judgment(std::string_view line);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone::formats::internal
