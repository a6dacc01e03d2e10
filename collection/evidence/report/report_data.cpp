#include "collection/evidence/report/report_data.hpp"

#include "collection/evidence/collection_lines.hpp"
#include "collection/evidence/topic_grades.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/unicode.hpp"
#include "formats/trec/qrels.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

namespace touchstone::collection::evidence::report::internal {

namespace {

constexpr std::size_t kMaxJudges = 20;
/// Of a topic. Its bytes are limited as well, when its page is written.
constexpr std::size_t kMaxMembers = 2000, kMaxEvidence = 250, kMaxOther = 100;
constexpr std::size_t kMaxJudgments = 8;  ///< shown of a passage

/// Takes the value of a parsed line, or says where the file is wrong.
template <class Record>
Record take(Result<Record, std::string> parsed, const std::filesystem::path& path, std::uint64_t line) {
  if (parsed) return std::move(*parsed);
  throw FormatError(path.string() + ":" + std::to_string(line) + ": " + parsed.error() +
                    "; touchstone validate lists all that is wrong");
}

/// A judgment of a passage, as far as it decides whether and where the passage is shown.
struct Vote {
  std::optional<int> grade;
  double probability = 0;
  JudgmentRecord judgment;  ///< with the judge's own grade
};

/// How a judgment is among those of its passage: yes, no, no grade; then the most convinced first.
bool before(const Vote& a, const Vote& b) {
  const auto order = [](const Vote& vote) { return vote.grade ? (*vote.grade > 0 ? 0 : 1) : 2; };
  return order(a) != order(b) ? order(a) < order(b) : a.probability > b.probability;
}

class Reader {
 public:
  Reader(std::filesystem::path directory, const ReportLimits& limits, const StopFlag& stop, TopicContentsJoin& contents)
      : directory_(std::move(directory)), limits_(limits), stop_(stop), contents_(contents) {}

  ReportData run() {
    data_.manifest = read_manifest(directory_);
    read_topics();
    read_members();
    read_evidence_counts();
    read_judgments();
    return std::move(data_);
  }

 private:
  using Use = std::function<void(std::string_view, const std::filesystem::path&, std::uint64_t)>;

  void each_line(std::string_view name, const Use& use) {
    const auto path = directory_ / name;
    for_each_line(
        path,
        [&](std::string_view line, std::uint64_t number) {
          stop_.check();
          use(line, path, number);
          return true;
        },
        kMaxCollectionLineBytes);
  }

  std::optional<std::size_t> position(const std::string& id) const {
    const auto at = index_.find(id);
    return at == index_.end() ? std::nullopt : std::optional(at->second);
  }

  void read_topics() {
    std::set<std::string> ids;
    each_line("queries.jsonl", [&](std::string_view line, const auto& path, std::uint64_t number) {
      ReportTopic topic;
      topic.topic = take(reader_.query(line), path, number);
      if (!ids.insert(topic.topic.id).second) {
        throw FormatError(path.string() + ":" + std::to_string(number) + ": has topic " + topic.topic.id +
                          " a second time; touchstone validate lists all that is wrong");
      }
      data_.topics.push_back(std::move(topic));
    });
    data_.lists = order_by_list(data_.topics);
    for (std::size_t i = 0; i < data_.topics.size(); ++i) index_[data_.topics[i].topic.id] = i;
  }

  void read_members() {
    data_.member_names.resize(data_.topics.size());
    std::size_t bytes = 0;
    each_line("members.jsonl", [&](std::string_view line, const auto& path, std::uint64_t number) {
      const auto member = take(reader_.member(line), path, number);
      const auto at = position(member.topic);
      if (!at) return;
      auto& topic = data_.topics[*at];
      if (topic.members++ < kMaxMembers) contents_.add_member(*at, topic.members, member);
      if (bytes > limits_.max_searched_member_bytes) return;
      auto& names = data_.member_names[*at];
      const auto add = [&](const std::string& name) {
        names += (names.empty() ? "" : " ") + name;
        bytes += name.size() + 1;
      };
      add(member.title);
      for (const auto& alias : member.aliases) add(alias);
    });
    if (bytes > limits_.max_searched_member_bytes) data_.member_names.clear();
  }

  void read_evidence_counts() {
    formats::trec::for_each_qrel(directory_ / "qrels.txt", [&](const formats::trec::QrelRecord& qrel, std::uint64_t) {
      const auto at = qrel.grade > 0 ? position(qrel.topic) : std::nullopt;
      if (at) ++data_.topics[*at].evidence;
    });
    for (const auto& topic : data_.topics) data_.evidence_per_topic.push_back(topic.evidence);
    std::sort(data_.evidence_per_topic.begin(), data_.evidence_per_topic.end());
  }

  void count_probability(std::optional<int> grade, std::optional<double> probability) {
    if (!grade) return;
    if (!probability) {
      ++data_.without_probability;
      return;
    }
    const auto bin = static_cast<std::size_t>(std::clamp(*probability, 0.0, 1.0) * kProbabilityBins);
    ++data_.probabilities.at(std::min(bin, kProbabilityBins - 1)).at(*grade > 0 ? 1 : 0);
  }

  void read_judgments() {
    std::string topic_before;
    std::map<std::string, std::vector<Vote>> passages;  // of one topic, by docid
    std::set<std::string> judges;
    each_line("judgments.jsonl.gz", [&](std::string_view line, const auto& path, std::uint64_t number) {
      auto judgment = take(reader_.judgment(line), path, number);
      if (judgment.docid.find_first_of("\t\r\n") != std::string::npos) {
        throw FormatError(path.string() + ":" + std::to_string(number) +
                          ": the docid holds white space; touchstone validate lists all that is wrong");
      }
      std::optional<int> grade;
      if (judgment.grade) grade = qrel_grade(*judgment.grade, data_.manifest.info.evidence_grade);
      if (judgment.topic != topic_before) finish_topic(topic_before, passages);
      topic_before = judgment.topic;
      if (judges.size() < kMaxJudges) judges.insert(judgment.judge);
      count_probability(grade, judgment.probability);
      if (position(judgment.topic))
        passages[judgment.docid].push_back({grade, judgment.probability.value_or(0), std::move(judgment)});
    });
    finish_topic(topic_before, passages);
    data_.judges.assign(judges.begin(), judges.end());
  }

  static PassagePart part_of(const std::vector<Vote>& votes) {
    const auto& best = votes.front();
    return !best.grade ? PassagePart::kUnjudged : *best.grade > 0 ? PassagePart::kEvidence : PassagePart::kNotEvidence;
  }

  /// Parts a topic's passages into evidence, no evidence and not judged, and hands on the first of each.
  void finish_topic(const std::string& id, std::map<std::string, std::vector<Vote>>& passages) {
    const auto at = position(id);
    if (!at) return;
    std::array<std::vector<ShownPassage>, 3> parts;
    std::array<std::vector<std::pair<double, std::size_t>>, 3> order;  // by falling probability, then by docid
    for (auto& [docid, votes] : passages) {
      std::stable_sort(votes.begin(), votes.end(), before);
      ShownPassage passage;
      passage.topic = *at;
      passage.part = part_of(votes);
      passage.docid = docid;
      passage.judgment_count = votes.size();
      double probability = 0;
      for (auto& vote : votes) {
        probability = std::max(probability, vote.probability);
        if (passage.judgments.size() < kMaxJudgments) passage.judgments.push_back(std::move(vote.judgment));
      }
      const auto part = static_cast<std::size_t>(passage.part);
      order.at(part).emplace_back(-probability, parts.at(part).size());
      parts.at(part).push_back(std::move(passage));
    }
    passages.clear();
    data_.topics[*at].not_evidence = parts[static_cast<std::size_t>(PassagePart::kNotEvidence)].size();
    data_.topics[*at].unjudged = parts[static_cast<std::size_t>(PassagePart::kUnjudged)].size();
    for (std::size_t part = 0; part < parts.size(); ++part) {
      std::sort(order.at(part).begin(), order.at(part).end());
      const auto most = part == static_cast<std::size_t>(PassagePart::kEvidence) ? kMaxEvidence : kMaxOther;
      for (std::size_t rank = 0; rank < std::min(order.at(part).size(), most); ++rank) {
        auto& passage = parts.at(part).at(order.at(part).at(rank).second);
        passage.rank = rank;
        contents_.add(std::move(passage));
      }
    }
  }

  std::filesystem::path directory_;
  const ReportLimits& limits_;
  const StopFlag& stop_;
  TopicContentsJoin& contents_;
  CollectionLineReader reader_;
  ReportData data_;
  std::unordered_map<std::string, std::size_t> index_;
};

}  // namespace

ReportData read_report_data(const std::filesystem::path& directory, const ReportLimits& limits, const StopFlag& stop,
                            TopicContentsJoin& contents) {
  return Reader(directory, limits, stop, contents).run();
}

}  // namespace touchstone::collection::evidence::report::internal
