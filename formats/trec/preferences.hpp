#pragma once

#include "common/file_text.hpp"
#include "common/result.hpp"
#include "formats/trec/line_faults.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Preferences between passages, in the two forms that trec_eval reads (its options -R prefs and -R qrels_prefs).
/// Source: the format descriptions in formats.c of trec_eval (github.com/usnistgov/trec_eval).
namespace touchstone::formats::trec {

/// What stands in a line.
enum class PreferenceForm : std::uint8_t {
  kPreferences,  ///< `topic group subgroup docid level`
  kQrels,        ///< `topic group docid level`: qrels whose second field is the group; a group has one sub-group
};

/// One line; views into it. A group holds the judgments of one user at one time. Within a sub-group, a docid of a
/// higher level is preferred to a docid of a lower level; level 0 is not relevant.
struct PreferenceLine {
  std::string_view topic, group, subgroup, docid;
  double level = 0;
};

/// Reads one line, whose fields are parted by white space. The level is a finite decimal number of at least 0.
Result<PreferenceLine, LineFault> parse_preference(std::string_view line, PreferenceForm form) noexcept;

/// The preferences of a file by topic, group and sub-group. Immutable after construction and thread-safe.
class PreferenceTable {
 public:
  /// Most docids of a topic. Measures compare every pair of them.
  static constexpr std::size_t kMaxDocids = 20000;

  struct Level {
    std::uint32_t docid;  ///< index into Topic::docids
    double level;
  };
  using Subgroup = std::vector<Level>;  ///< by docid
  struct Group {
    std::string_view id;
    std::vector<Subgroup> subgroups;
  };
  struct Topic {
    std::string_view id;
    std::vector<std::string_view> docids;  ///< in byte order
    std::vector<Group> groups;             ///< in byte order of their ids
  };

  /// Reads a plain or gzip file; blank lines and lines that start with `#` are skipped. With `lenient`, bad lines are
  /// skipped and counted; of a docid that a sub-group holds twice the first line counts. Throws as FileText does, and
  /// FormatError with file, line and remedy at the first bad line, if no line is left, and for a topic with more than
  /// kMaxDocids docids.
  PreferenceTable(const std::filesystem::path& path, PreferenceForm form, bool lenient = false);

  const std::filesystem::path& path() const noexcept { return path_; }
  /// In byte order of their ids.
  const std::vector<Topic>& topics() const noexcept { return topics_; }
  std::optional<std::size_t> find_topic(std::string_view id) const;
  const LineFaults& faults() const noexcept { return faults_; }

 private:
  struct Row;

  std::vector<Row> read_rows();
  void remove_repeated(std::vector<Row>& rows);
  void add_topic(const Row* begin, const Row* end);
  std::string describe(const std::vector<Row>& rows, LineFault fault, std::size_t offset) const;

  std::filesystem::path path_;
  FileText text_;
  PreferenceForm form_;
  std::vector<Topic> topics_;
  LineFaults faults_;
};

}  // namespace touchstone::formats::trec
