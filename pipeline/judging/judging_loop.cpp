#include "pipeline/judging/judging_loop.hpp"

#include "collection/evidence/collection_lines.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "common/secrets.hpp"
#include "common/system_failure.hpp"
#include "pipeline/corpus/previous_work.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/flow/work_paths.hpp"
#include "pipeline/judging/judge_reject.hpp"
#include "pipeline/judging/judging_summary.hpp"
#include "pipeline/judging/question_walk.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace touchstone::pipeline::judging {
namespace {

using flow::StageReport;
using flow::WriteContext;

std::string dollars(llm_client::PicoDollars cost) {
  return fmt::format("${:.4f}", static_cast<double>(cost) / llm_client::kPicoPerDollar);
}

class JudgingLoop {
 public:
  JudgingLoop(WriteContext& context, const JudgePanel& panel, JudgmentLog& log, TopicQueries queries)
      : context_(context),
        panel_(panel),
        log_(log),
        walk_(context.store, context.options<corpus::TextOptions>(), passages::PassageCorpus(context),
              CandidateReader(context.input(kGroupsFile), context.input(kCandidatesFile)), std::move(queries),
              context.threads, context.stop),
        evidence_grade_(panel.description().evidence_grade()),
        opened_(panel.size(), false) {
    if (context.options<KeepOptions>().near)
      walk_.keep(context.options<corpus::PreviousOptions>().work, log_,
                 [this](const auto& kept) { log_.add_computed(kept); });
  }

  StageReport run() {
    const auto end_detail = show_progress();
    auto corpus = walk_.corpus();
    corpus.words = word_places();
    for (const auto& judge : panel_) judge->prepare(corpus);
    for (const auto& judge : panel_) judge->resume();
    auto ungraded = context_.ask_again ? Ungraded::kAskAgain : Ungraded::kKeep;
    for (bool first = true; !pass(ungraded, first); first = false) {
      finish_all();
      ungraded = Ungraded::kKeep;
    }
    if (panel_.description().asks()) report_asked();
    warn_without_grades();
    return std::move(report_);
  }

 private:
  /// Waits for all judges. One whose answers take longer than a run ends the run, but not before the others are done.
  void finish_all() const {
    std::exception_ptr longer;
    for (const auto& judge : panel_) {
      try {
        judge->finish();
      } catch (const Interrupted&) {
        if (!longer) longer = std::current_exception();
      }
    }
    if (longer) std::rethrow_exception(longer);
  }

  /// Empties the folder of today.
  corpus::ResultPlaces word_places() const {
    corpus::ResultPlaces places{.before = {}, .now = context_.output(kPassageWordsFolder)};
    const auto& previous = context_.options<corpus::PreviousOptions>().work;
    if (!previous.empty()) places.before = flow::WorkPaths{previous}.file(kPassageWordsFolder);
    std::error_code error;
    std::filesystem::remove_all(places.now, error);
    if (!error) std::filesystem::create_directories(places.now, error);
    if (error) throw StorageError(failure_text("make folder", places.now, error));
    return places;
  }

  /// Starts the progress line, which ends with the result.
  std::unique_ptr<ProgressCounters, void (*)(ProgressCounters*)> show_progress() {
    std::uint64_t replies = 0;
    for (const auto& judge : panel_.description().judges) {
      replies += judge.replies;
      if (panel_.rules().cascade) break;
    }
    context_.progress.total = walk_.count() * replies;
    if (panel_.description().asks()) context_.progress.set_detail([this] { return detail(); });
    return {&context_.progress, [](ProgressCounters* progress) { progress->set_detail({}); }};
  }

  /// Writes the results and returns true, or asks for what is pending.
  bool pass(Ungraded ungraded, bool first) {
    report_ = {};
    summary_ = {};
    summary_.judges.resize(panel_.size());
    pending_ = 0;
    evidence::JudgmentFile::Writer judgments(context_.output(kJudgmentsFile));
    TextWriter unjudged(context_.output(kUnjudgedFile));
    const auto begin_reads = [&] {
      for (const auto& judge : panel_) judge->begin_reads();
    };
    walk_.run(panel_, ungraded, begin_reads, [&](ReadChunk& read) {
      if (open_judges(read)) walk_.begin_round();
      walk_.refresh(panel_, ungraded, read);
      take(read, first);
      if (read.chunk.last) write_topic(judgments, unjudged);
    });
    if (pending_ > 0) return false;
    kill_point("judge.before_finish");
    write_file_atomically(context_.output(kSummaryFile), summary_.to_json(panel_.description()));
    unjudged.finish();
    judgments.finish();
    return true;
  }

  /// Opens the judges that are about to get their first request. True when that changed what was read.
  bool open_judges(const ReadChunk& read) {
    bool changed = false;
    for (const auto& reading : read.readings) {
      for (const auto& pending : reading.pending) {
        if (opened_[pending.judge]) continue;
        opened_[pending.judge] = true;
        changed |= panel_[pending.judge].open();
      }
    }
    return changed;
  }

  /// Stores what was computed, asks for what is pending, and keeps what is complete.
  void take(ReadChunk& read, bool first) {
    std::vector<llm_client::ReplyStore::Entry> computed;
    for (auto& reading : read.readings) {
      if (first) count_progress(reading);
      std::move(reading.computed.begin(), reading.computed.end(), std::back_inserter(computed));
      pending_ += reading.pending.size();
      for (auto& [judge, request] : reading.pending) panel_[judge].ask(std::move(request));
      if (!reading.pending.empty()) continue;
      add_up(reading);
      of_topic_.push_back(std::move(reading.record));
    }
    log_.add_computed(computed);
    carried_ += log_.keep_found();
  }

  void write_topic(evidence::JudgmentFile::Writer& judgments, TextWriter& unjudged) {
    std::sort(of_topic_.begin(), of_topic_.end(), [](const auto& a, const auto& b) {
      return std::tie(a.topic, a.member_page_id, a.docid) < std::tie(b.topic, b.member_page_id, b.docid);
    });
    for (auto& judgment : of_topic_) {
      for (auto* text : {&judgment.judge, &judgment.reason, &judgment.reply}) hide_secrets(*text);
      for (auto& vote : judgment.votes) hide_secrets(vote.judge);
      judgments.add(judgment);
      if (judgment.grade) continue;
      auto line = collection::evidence::judgment_line(judgment, collection::evidence::ProbabilityDigits::kAll);
      hide_secrets(line);
      unjudged.write(line);
    }
    of_topic_.clear();
    kill_point("judge.topic");
  }

  /// Counts the replies to a question that nobody had to be asked for.
  void count_progress(const PanelReading& reading) {
    if (!reading.pending.empty()) return;
    std::uint64_t replies = 0;
    for (const auto& contribution : reading.contributions) replies += contribution.replies.size();
    const auto known = replies - std::min<std::uint64_t>(replies, reading.computed.size());
    known_ += known;
    context_.progress.known += known;
    context_.progress.done += replies;
    context_.progress.records += replies;
  }

  void add_up(const PanelReading& reading) {
    const auto& judgment = reading.record;
    ++summary_.judgments;
    const std::string state(to_string(judgment.state));
    ++summary_.states[state];
    if (judgment.grade) ++summary_.grades[*judgment.grade];
    if (reading.decided_by_first) ++summary_.cheap_decided;
    for (const auto& [judge, replies, answer] : reading.contributions) {
      auto& totals = summary_.judges[judge];
      ++totals.questions;
      totals.add_answer(answer);
      for (const auto& reply : replies) totals.add_reply(reply);
      if (answer.contradicted > 0) report_.counts["labels against their own log-probabilities"] += answer.contradicted;
      if (answer.quotes_not_found > 0) report_.counts["quotes not in their passage"] += answer.quotes_not_found;
    }
    ++report_.counts["judgments"];
    if (judgment.state == JudgmentState::kUnsure) {
      ++report_.counts["unsure"];
    } else if (!judgment.grade) {
      report_.reject(JudgeReject::kNotJudged,
                     judgment.topic + " " + judgment.docid + (judgment.reason.empty() ? "" : ": " + judgment.reason),
                     state);
    } else {
      const bool is_evidence = *judgment.grade >= evidence_grade_;
      ++report_.counts[is_evidence ? "judged evidence" : "judged no evidence"];
      if (is_evidence && judgment.source > CandidateSource::kLink)
        ++report_.counts["judged evidence from source " + std::string(to_string(*judgment.source))];
    }
    if (!judgment.spans.empty()) report_.counts["quotes"] += judgment.spans.size();
    if (!judgment.kept_from.empty()) ++report_.counts["kept though the passage was edited"];
    if (reading.decided_by_first) ++report_.counts["decided by the first judge alone"];
  }

  llm_client::RequestCounts asked() const {
    llm_client::RequestCounts sum;
    for (const auto& judge : panel_) sum += judge->counts();
    return sum;
  }

  /// For the progress line.
  std::string detail() const {
    const auto counts = asked();
    std::string text = fmt::format("{} in flight, {} retries, {} tokens", counts.in_flight, counts.retries,
                                   counts.prompt_tokens + counts.reply_tokens);
    if (counts.cost == 0 || counts.answered == 0) return text;
    const auto total = context_.progress.total.load(), done = context_.progress.done.load();
    const auto to_come = static_cast<double>(counts.cost) / static_cast<double>(counts.answered) *
                         static_cast<double>(total > done ? total - done : 0);
    return text + fmt::format(", {} so far, {} to come", dollars(counts.cost),
                              dollars(static_cast<llm_client::PicoDollars>(to_come)));
  }

  /// What this run asked goes to the log alone: the results must not depend on how many runs it took.
  void report_asked() const {
    const auto counts = asked();
    const double cached = counts.prompt_tokens == 0 ? 0
                                                    : 100.0 * static_cast<double>(counts.cached_tokens) /
                                                          static_cast<double>(counts.prompt_tokens);
    if (carried_ > 0) log_info("judge: {} replies were taken over from the previous work directory", carried_);
    log_info(
        "judge: {} replies were known, {} questions asked, {} answered, {} retries; {} prompt tokens ({:.1f} % from "
        "the server's cache), {} reply tokens, {}",
        known_, counts.asked, counts.answered, counts.retries, counts.prompt_tokens, cached, counts.reply_tokens,
        dollars(counts.cost));
  }

  void warn_without_grades() const {
    if (summary_.judgments == 0 || !summary_.grades.empty()) return;
    const auto commonest = std::max_element(summary_.states.begin(), summary_.states.end(),
                                            [](const auto& a, const auto& b) { return a.second < b.second; });
    log_warn(
        "judge: not one of {} judgments has a grade ({} of them are {}); {} says why, and --retry-unjudged asks again",
        summary_.judgments, commonest->second, commonest->first, context_.output(kUnjudgedFile).string());
  }

  WriteContext& context_;
  const JudgePanel& panel_;
  JudgmentLog& log_;
  QuestionWalk walk_;
  const int evidence_grade_;
  std::vector<bool> opened_;  // by judge
  std::uint64_t known_ = 0, pending_ = 0, carried_ = 0;
  std::vector<collection::evidence::JudgmentRecord> of_topic_;
  StageReport report_;
  JudgingSummary summary_;
};

}  // namespace

StageReport judge_all(WriteContext& context, const JudgePanel& panel, JudgmentLog& log, TopicQueries queries) {
  return JudgingLoop(context, panel, log, std::move(queries)).run();
}

}  // namespace touchstone::pipeline::judging
