#include "pipeline/judging/panel_reading.hpp"

#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace touchstone::pipeline::judging {
namespace {

using llm_client::JudgeAnswer;

constexpr std::size_t kMaxListedReply = 16384;

/// One question on its way through a panel.
class QuestionReading {
 public:
  QuestionReading(const JudgePanel& panel, const std::string& topic, const JudgeQuestion& question, Ungraded ungraded)
      : panel_(panel),
        mixed_(panel.description().mixed_scales()),
        topic_(topic),
        question_(question),
        ungraded_(ungraded),
        readings_(panel.size()) {}

  PanelReading read() {
    read_judges();
    if (result_.pending.empty()) {
      write_record();
      add_contributions();
    }
    return std::move(result_);
  }

 private:
  struct OfJudge {
    std::vector<Sample> samples;  // of an answered question
    JudgeAnswer answer;           // of all samples
  };

  /// The judges in order; those behind a cascade's first only where it does not decide.
  void read_judges() {
    std::size_t next = 0;
    if (panel_.rules().cascade) {
      read_judge(next++);
      if (!result_.pending.empty()) return;
      result_.decided_by_first = decides(readings_.front().answer);
      if (result_.decided_by_first) return;
      voters_.clear();
    }
    for (; next < panel_.size(); ++next) read_judge(next);
  }

  void read_judge(std::size_t judge) {
    auto reading = panel_[judge].read(topic_, question_.request, ungraded_);
    std::move(reading.computed.begin(), reading.computed.end(), std::back_inserter(result_.computed));
    for (auto& request : reading.pending) result_.pending.push_back({judge, std::move(request)});
    if (!reading.pending.empty()) return;
    std::vector<const JudgeAnswer*> answers;
    for (const auto& sample : reading.samples) answers.push_back(&sample.answer);
    readings_[judge].answer =
        aggregate_votes(answers, panel_.rules().tie, VoteProbability::kShareOfYes, description(judge).evidence_grade);
    readings_[judge].samples = std::move(reading.samples);
    voters_.push_back(judge);
  }

  bool decides(const JudgeAnswer& first) const {
    const auto& rules = panel_.rules();
    return first.grade && first.probability &&
           (*first.probability < rules.band_low || *first.probability > rules.band_high);
  }

  const JudgeDescription& description(std::size_t judge) const { return panel_.description().judges[judge]; }

  /// A judge's grade as it counts in the panel.
  std::optional<int> voted(std::size_t judge, std::optional<int> grade) const {
    if (!mixed_ || !grade) return grade;
    return *grade >= description(judge).evidence_grade ? 1 : 0;
  }

  JudgeAnswer vote() const {
    std::vector<JudgeAnswer> votes;
    for (const auto judge : voters_) {
      votes.push_back(readings_[judge].answer);
      votes.back().grade = voted(judge, votes.back().grade);
    }
    std::vector<const JudgeAnswer*> pointers;
    for (const auto& answer : votes) pointers.push_back(&answer);
    return aggregate_votes(pointers, panel_.rules().tie, VoteProbability::kMeanOfVoters,
                           panel_.description().evidence_grade());
  }

  void write_record() {
    const auto answer = vote();
    const auto& deciding = readings_[voters_.front()].samples.front();
    const auto& first = description(voters_.front());
    auto& record = result_.record;
    record.topic = topic_;
    record.docid = question_.request.docid;
    record.member = question_.request.member;
    record.member_page_id = question_.member_page.value;
    record.digest = deciding.digest;
    record.judge = voters_.size() > 1 ? panel_.name() : first.id;
    record.prompt = first.prompt_digest;
    record.grade = answer.grade;
    record.state = answer.state;
    record.probability = answer.probability;
    record.reason = answer.reason;
    if (answer.quotes_not_found > 0)
      record.reason += fmt::format("{}{} of its quotes not in the passage", record.reason.empty() ? "" : "; ",
                                   answer.quotes_not_found);
    if (answer.contradicted > 0)
      record.reason += fmt::format("{}{} of its labels against their own log-probabilities",
                                   record.reason.empty() ? "" : "; ", answer.contradicted);
    record.own_article = question_.request.own_article;
    record.source = question_.source;
    record.mentions = question_.mentions;
    record.spans = answer.spans;
    for (const auto voter : voters_) {
      for (const auto& sample : readings_[voter].samples) {
        if (record.kept_from.empty() && sample.stored) record.kept_from = sample.stored->kept_from;
      }
    }
    if (!answer.grade) record.reply = deciding.answer.reply.substr(0, kMaxListedReply);
  }

  /// The votes in the record, where there were several or the judges' scales differ; and what each judge said, for the
  /// summary.
  void add_contributions() {
    std::size_t replies = 0;
    for (const auto& of_judge : readings_) replies += of_judge.samples.size();
    for (std::size_t judge = 0; judge < readings_.size(); ++judge) {
      auto& [samples, answer] = readings_[judge];
      if (samples.empty()) continue;
      PanelReading::Contribution contribution{judge, {}, std::move(answer)};
      for (auto& sample : samples) {
        if (replies > 1 || mixed_)
          result_.record.votes.push_back({description(judge).id, voted(judge, sample.answer.grade),
                                          sample.answer.probability, sample.answer.state, sample.digest,
                                          mixed_ ? sample.answer.grade : std::nullopt});
        if (sample.stored) contribution.replies.push_back(std::move(*sample.stored));
      }
      result_.contributions.push_back(std::move(contribution));
    }
  }

  const JudgePanel& panel_;
  const bool mixed_;  ///< the judges' scales differ
  const std::string& topic_;
  const JudgeQuestion& question_;
  Ungraded ungraded_;
  std::vector<OfJudge> readings_;  // by judge
  std::vector<std::size_t> voters_;
  PanelReading result_;
};

}  // namespace

PanelReading read_panel(const JudgePanel& panel, const std::string& topic, const JudgeQuestion& question,
                        Ungraded ungraded) {
  return QuestionReading(panel, topic, question, ungraded).read();
}

}  // namespace touchstone::pipeline::judging
