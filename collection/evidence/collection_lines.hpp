#pragma once

#include "collection/evidence/judgment_json.hpp"
#include "collection/evidence/records.hpp"
#include "common/result.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

/// The lines of a collection's own files: one function to write and one to read each, and nothing else knows their form
/// (docs/collection.md). Reading a written line and writing it again gives the same bytes.
/// Failures are ends of sentences that start with file and line.
namespace touchstone::collection::evidence {

/// Longest line that readers accept: a passage is a section at most, a judgment holds a reply's reason.
inline constexpr std::size_t kMaxCollectionLineBytes = std::size_t{1} << 26;

inline constexpr std::string_view kDiscardedHeader = "kind\tpage\tsection\tcolumn\treason\tdetail";

std::string query_line(const TopicRecord& topic);
std::string member_line(const MemberRecord& member);
std::string passage_line(const PassageRecord& passage);
std::string discarded_line(const DiscardedRecord& discarded);

/// The section comes back as one string, since a heading may hold the " » " that joins it.
Result<DiscardedRecord, std::string> parse_discarded(std::string_view line);

/// Reads the JSON lines; keeps its buffers between lines. Not thread-safe.
class CollectionLineReader {
 public:
  CollectionLineReader();
  ~CollectionLineReader();

  Result<TopicRecord, std::string> query(std::string_view line);
  Result<MemberRecord, std::string> member(std::string_view line);
  Result<PassageRecord, std::string> passage(std::string_view line);
  /// \param unknown_state  as of `judgment_from`
  Result<JudgmentRecord, std::string> judgment(std::string_view line,
                                               std::optional<std::string>* unknown_state = nullptr);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone::collection::evidence
