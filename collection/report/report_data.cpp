#include "collection/report/report_data.hpp"

#include "collection/collection_lines.hpp"
#include "collection/topic_grades.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/unicode.hpp"
#include "formats/trec/qrels.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>

namespace touchstone::collection::report::internal {
namespace {

constexpr std::size_t kMaxJudges = 20;

/// Takes the value of a parsed line, or says where the file is wrong.
template <class Record>
Record take(Result<Record, std::string> parsed, const std::filesystem::path& path, std::uint64_t line) {
  if (parsed) return std::move(*parsed);
  throw FormatError(path.string() + ":" + std::to_string(line) + ": " + parsed.error() +
                    "; touchstone validate lists all that is wrong");
}

/// How probable "yes" is by the most convinced of the passage's judgments.
double best_probability(const ReportPassage& passage) {
  double best = -1;
  for (const auto& judgment : passage.judgments) best = std::max(best, judgment.probability.value_or(0));
  return best;
}

/// Byte offset of the code point `index`, or the size when there are fewer.
std::size_t byte_of_code_point(std::string_view text, std::size_t index) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < index && at < text.size(); ++i) next_code_point(text, at);
  return at;
}

/// Cuts a long text to `limit` code points that hold the first mention.
void cut_text(ReportPassage& shown, std::size_t limit) {
  const std::size_t length = count_code_points(shown.passage.text);
  if (length <= limit) return;
  std::size_t first_mention = length;
  std::size_t first_mention_end = 0;
  for (const auto& judgment : shown.judgments) {
    for (const auto& [start, end] : judgment.mentions) {
      if (start < first_mention) {
        first_mention = start;
        first_mention_end = end;
      }
    }
  }
  std::size_t first = 0;
  if (first_mention < length && first_mention_end > limit) {
    first = std::min(first_mention - std::min(first_mention, limit / 4), length - limit);
  }
  const std::size_t start = byte_of_code_point(shown.passage.text, first);
  const std::size_t end = start + byte_of_code_point(std::string_view(shown.passage.text).substr(start), limit);
  shown.cut_at_end = end < shown.passage.text.size();
  shown.first_code_point = static_cast<std::uint32_t>(first);
  shown.passage.text = shown.passage.text.substr(start, end - start);
}

class Reader {
 public:
  Reader(std::filesystem::path directory, const ReportLimits& limits)
      : directory_(std::move(directory)), limits_(limits) {}

  ReportData run() {
    data_.manifest = read_manifest(directory_);
    read_topics();
    read_members();
    read_evidence_counts();
    read_judgments();
    read_passages();
    read_discarded();
    return std::move(data_);
  }

 private:
  void each_line(std::string_view name, const std::function<void(std::string_view, std::uint64_t)>& use) {
    for_each_line(
        directory_ / name,
        [&](std::string_view line, std::uint64_t number) {
          use(line, number);
          return true;
        },
        kMaxCollectionLineBytes);
  }

  ReportTopic* listed(const std::string& id) {
    const auto at = index_.find(id);
    return at == index_.end() ? nullptr : &data_.topics[at->second];
  }

  void read_topics() {
    const auto path = directory_ / "queries.jsonl";
    each_line("queries.jsonl", [&](std::string_view line, std::uint64_t number) {
      auto topic = take(reader_.query(line), path, number);
      evidence_[topic.id] = 0;
      if (data_.topics.size() >= limits_.max_listed_topics) return;
      index_[topic.id] = data_.topics.size();
      ReportTopic shown;
      shown.opened = data_.topics.size() < limits_.max_topics;
      shown.topic = std::move(topic);
      data_.topics.push_back(std::move(shown));
    });
  }

  void read_members() {
    const auto path = directory_ / "members.jsonl";
    each_line("members.jsonl", [&](std::string_view line, std::uint64_t number) {
      auto member = take(reader_.member(line), path, number);
      ReportTopic* topic = listed(member.topic);
      if (topic == nullptr) return;
      ++topic->member_count;
      if (topic->opened && topic->members.size() < limits_.max_members) topic->members.push_back(std::move(member));
    });
  }

  void read_evidence_counts() {
    formats::trec::for_each_qrel(directory_ / "qrels.txt", [&](const formats::trec::QrelRecord& qrel, std::uint64_t) {
      if (qrel.grade <= 0) return;
      const auto at = evidence_.find(qrel.topic);
      if (at != evidence_.end()) ++at->second;
      if (ReportTopic* topic = listed(qrel.topic)) ++topic->evidence_count;
    });
    for (const auto& [id, count] : evidence_) data_.evidence_per_topic.push_back(count);
    std::sort(data_.evidence_per_topic.begin(), data_.evidence_per_topic.end());
  }

  void read_judgments() {
    const auto path = directory_ / "judgments.jsonl.gz";
    std::string topic_before;
    std::map<std::string, ReportPassage> passages;  // of one topic, by docid
    std::set<std::string> judges;
    each_line("judgments.jsonl.gz", [&](std::string_view line, std::uint64_t number) {
      auto judgment = take(reader_.judgment(line), path, number);
      if (judgment.grade) judgment.grade = qrel_grade(*judgment.grade, data_.manifest.info.evidence_grade);
      if (judgment.topic != topic_before) finish_topic(topic_before, passages);
      topic_before = judgment.topic;
      if (judges.size() < kMaxJudges) judges.insert(judgment.judge);
      if (judgment.grade && judgment.probability) {
        const auto bin = static_cast<std::size_t>(std::clamp(*judgment.probability, 0.0, 1.0) * kProbabilityBins);
        ++data_.probabilities[std::min(bin, kProbabilityBins - 1)][*judgment.grade > 0 ? 1 : 0];
      } else if (judgment.grade) {
        ++data_.without_probability;
      }
      if (listed(judgment.topic) != nullptr) passages[judgment.docid].judgments.push_back(std::move(judgment));
    });
    finish_topic(topic_before, passages);
    data_.judges.assign(judges.begin(), judges.end());
  }

  /// Parts a topic's passages into evidence, no evidence and not judged, and keeps the first of each.
  void finish_topic(const std::string& id, std::map<std::string, ReportPassage>& passages) {
    ReportTopic* topic = listed(id);
    if (topic == nullptr) return;
    std::vector<ReportPassage> evidence;
    std::vector<ReportPassage> not_evidence;
    std::vector<ReportPassage> unjudged;
    for (auto& [docid, passage] : passages) {
      passage.passage.docid = docid;
      const bool yes = std::any_of(passage.judgments.begin(), passage.judgments.end(),
                                   [](const JudgmentRecord& judgment) { return judgment.grade.value_or(0) > 0; });
      const bool judged = std::any_of(passage.judgments.begin(), passage.judgments.end(),
                                      [](const JudgmentRecord& judgment) { return judgment.grade.has_value(); });
      (yes ? evidence : judged ? not_evidence : unjudged).push_back(std::move(passage));
    }
    passages.clear();
    topic->not_evidence_count = not_evidence.size();
    topic->unjudged_count = unjudged.size();
    if (!topic->opened) return;
    const auto keep = [](std::vector<ReportPassage>& from, std::size_t limit, std::vector<ReportPassage>& to) {
      std::stable_sort(from.begin(), from.end(), [](const ReportPassage& a, const ReportPassage& b) {
        return best_probability(a) > best_probability(b);
      });
      if (from.size() > limit) from.resize(limit);
      to = std::move(from);
    };
    keep(evidence, limits_.max_evidence, topic->evidence);
    keep(not_evidence, limits_.max_not_evidence, topic->not_evidence);
    keep(unjudged, limits_.max_not_evidence, topic->unjudged);
  }

  void read_passages() {
    std::unordered_map<std::string, std::vector<ReportPassage*>> wanted;
    for (auto& topic : data_.topics) {
      for (auto* list : {&topic.evidence, &topic.not_evidence, &topic.unjudged}) {
        for (auto& passage : *list) wanted[passage.passage.docid].push_back(&passage);
      }
    }
    if (wanted.empty()) return;
    const auto path = directory_ / "corpus.jsonl.gz";
    std::size_t bytes = 0;
    each_line("corpus.jsonl.gz", [&](std::string_view line, std::uint64_t number) {
      const auto passage = take(reader_.passage(line), path, number);
      const auto at = wanted.find(passage.docid);
      if (at == wanted.end()) return;
      for (ReportPassage* shown : at->second) {
        shown->passage = passage;
        cut_text(*shown, limits_.max_passage_code_points);
        if (bytes + shown->passage.text.size() > limits_.max_bytes) {
          shown->passage.text.clear();
          ++data_.texts_left_out;
          continue;
        }
        bytes += shown->passage.text.size();
        shown->found = true;
      }
    });
  }

  void read_discarded() {
    const auto path = directory_ / "discarded.tsv";
    each_line("discarded.tsv", [&](std::string_view line, std::uint64_t number) {
      if (number == 1) return;
      auto record = take(parse_discarded(line), path, number);
      ++data_.discarded_count;
      if (data_.discarded.size() < limits_.max_discarded) data_.discarded.push_back(std::move(record));
    });
  }

  std::filesystem::path directory_;
  ReportLimits limits_;
  CollectionLineReader reader_;
  ReportData data_;
  std::unordered_map<std::string, std::size_t> index_;
  std::map<std::string, std::uint64_t> evidence_;
};

}  // namespace

ReportData read_report_data(const std::filesystem::path& directory, const ReportLimits& limits) {
  return Reader(directory, limits).run();
}

}  // namespace touchstone::collection::report::internal
