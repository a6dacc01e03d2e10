#include "analysis/studies/coverage/human_sample.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>

namespace touchstone::analysis::studies::coverage {
namespace {

using formats::fields::parse_integer;
using formats::fields::quote_for_message;

constexpr std::array<std::string_view, 5> kSampleColumns = {"topic", "docid", "stratum", "stratum_size", "grade"};
enum SampleColumn : std::size_t { kTopic, kDocid, kStratum, kStratumSize, kGrade };

/// Reads the lines of one file.
class SampleReader {
 public:
  SampleReader(const std::filesystem::path& file, const JudgedRuns& runs, int min_grade)
      : file_(file), runs_(runs), min_grade_(min_grade) {
    for (std::size_t t = 0; t < runs.topic_count(); ++t) topic_of_.emplace(runs.topic(t), t);
  }

  HumanSample read() {
    for_each_line(file_, [&](std::string_view line, std::uint64_t number) {
      if (line.empty() || line.starts_with('#')) return true;
      line_ = number;
      const auto columns = formats::fields::split_at_tabs(line, 1000);
      if (width_ == 0) {
        read_header(columns);
      } else {
        read_row(columns);
      }
      return true;
    });
    HumanSample sample;
    for (const auto& [name, stratum] : strata_) {
      sample.judged += stratum.sampled;
      // Nobody knows what an unjudged stratum holds; its passages may not be taken for none.
      if (stratum.sampled == 0)
        throw FormatError(fmt::format(
            "{}: stratum {} has no judged passage, so that what it holds cannot be estimated; judge some of it",
            file_.string(), quote_for_message(name)));
      sample.strata.push_back(stratum);
    }
    if (sample.judged == 0)
      throw FormatError(fmt::format("{} has no judged passage; add the lines that people judged", file_.string()));
    for (std::size_t topic = 0; topic < runs_.topic_count(); ++topic)
      sample.known += runs_.relevant(topic, min_grade_).size();
    sample.topics = topics_.size();
    sample.ungraded = ungraded_;
    sample.missed = missed_evidence(sample.strata);
    sample.recall = recall_of(sample.known, sample.missed);
    return sample;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw FormatError(fmt::format("{}:{}: {}", file_.string(), line_, what));
  }

  void read_header(const std::vector<std::string_view>& columns) {
    width_ = columns.size();
    for (std::size_t i = 0; i < kSampleColumns.size(); ++i) {
      const auto at = std::find(columns.begin(), columns.end(), kSampleColumns[i]);
      if (at == columns.end())
        refuse(fmt::format("the header has no column \"{}\"; the columns are {}", kSampleColumns[i],
                           fmt::join(kSampleColumns, ", ")));
      column_[i] = static_cast<std::size_t>(at - columns.begin());
    }
  }

  void read_row(const std::vector<std::string_view>& columns) {
    if (columns.size() != width_) refuse(fmt::format("has {} columns, the header has {}", columns.size(), width_));
    const auto topic = topic_of_.find(columns[column_[kTopic]]);
    if (topic == topic_of_.end())
      refuse(fmt::format("the topic {} is not one that qrels and runs share",
                         quote_for_message(columns[column_[kTopic]])));
    const std::string docid(columns[column_[kDocid]]);
    if (!seen_.emplace(topic->second, docid).second)
      refuse(fmt::format("the passage {} of the topic comes twice", quote_for_message(docid)));
    std::uint64_t size = 0;
    int grade = 0;
    if (!parse_integer(columns[column_[kStratumSize]], std::uint64_t{1}, std::numeric_limits<std::uint64_t>::max() / 2,
                       size))
      refuse(fmt::format("stratum_size {} is not a whole number from 1",
                         quote_for_message(columns[column_[kStratumSize]])));
    const auto written = columns[column_[kGrade]];
    const bool judged = written.find_first_not_of(' ') != std::string_view::npos;
    if (judged && !parse_integer(written, -127, 127, grade))
      refuse(fmt::format("grade {} is not a whole number from -127 to 127", quote_for_message(written)));
    auto& stratum = strata_[std::string(columns[column_[kStratum]])];
    if (stratum.size == 0) stratum = {std::string(columns[column_[kStratum]]), size, 0, 0};
    if (stratum.size != size) refuse(fmt::format("the stratum {} has two sizes", quote_for_message(stratum.name)));
    if (!judged) {
      ++ungraded_;
      return;
    }
    topics_.insert(topic->second);
    if (++stratum.sampled > size)
      refuse(fmt::format("the stratum {} has more judged passages than its size {}", quote_for_message(stratum.name),
                         size));
    stratum.missed += grade >= min_grade_ && grade >= 0 && !is_known(topic->second, docid);
  }

  bool is_known(std::size_t topic, std::string_view docid) const {
    const auto docids = runs_.docids(topic);
    const auto known = runs_.relevant(topic, min_grade_);
    return std::any_of(known.begin(), known.end(), [&](auto passage) { return docids[passage] == docid; });
  }

  const std::filesystem::path& file_;
  const JudgedRuns& runs_;
  int min_grade_;
  std::map<std::string_view, std::size_t> topic_of_;
  std::array<std::size_t, kSampleColumns.size()> column_{};
  std::size_t width_ = 0;
  std::uint64_t line_ = 0, ungraded_ = 0;
  std::map<std::string, Stratum> strata_;
  std::set<std::pair<std::size_t, std::string>> seen_;
  std::set<std::size_t> topics_;
};

}  // namespace

HumanSample read_human_sample(const std::filesystem::path& file, const JudgedRuns& runs, int min_grade) {
  return SampleReader(file, runs, min_grade).read();
}

}  // namespace touchstone::analysis::studies::coverage
