#include "pipeline/judging/panel_judging.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "pipeline/corpus/docids.hpp"
#include "pipeline/corpus/wiki_language.hpp"
#include "pipeline/judging/batch_jobs.hpp"
#include "pipeline/judging/judge_questions.hpp"
#include "pipeline/judging/judge_reject.hpp"
#include "pipeline/judging/judging_files.hpp"
#include "pipeline/judging/online_requester.hpp"
#include "pipeline/judging/run_budget.hpp"
#include "pipeline/judging/token_counter.hpp"
#include "pipeline/judging/vote_aggregation.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

namespace touchstone::pipeline::judging {
namespace {

using flow::StageContext;
using flow::StageReport;

// Questions are composed and looked up side by side, chunk by chunk: what bounds memory, whatever a topic's size.
constexpr std::size_t kChunkQuestions = 256;
constexpr std::size_t kChunksPerThread = 2;

/// A chunk with its questions and what the log says about them.
struct Considered {
  CandidateChunk chunk;
  std::vector<Consideration> found;
  int version = 0;  ///< of the reader that considered it
};

/// Goes over all questions in order and has each considered, many at a time; `prepare` is called before each lot is,
/// and `use` gets its chunks in order, both from this thread.
class QuestionWalk {
 public:
  QuestionWalk(storage::Store& store, const corpus::PassagesOptions& passages, const corpus::NameOptions& name,
               CandidateReader reader, int threads)
      : titles_(store),
        composer_(store, passages, wiki_name(name, titles_.site())),
        reader_(std::move(reader)),
        arena_(threads),
        batch_(kChunksPerThread * static_cast<std::size_t>(threads)) {}

  std::uint64_t count() const { return reader_.count(); }

  template <class Prepare, class Use>
  void run(const PanelReader& reader, bool ask_again, const StopFlag& stop, const Prepare& prepare, const Use& use) {
    std::vector<Considered> chunks;
    const auto flush = [&] {
      stop.check();
      prepare();
      consider(reader, ask_again, chunks);
      for (auto& considered : chunks) use(considered);
      chunks.clear();
    };
    reader_.for_each_chunk(kChunkQuestions, [&](CandidateChunk chunk) {
      chunks.push_back({std::move(chunk), {}, 0});
      if (chunks.size() == batch_) flush();
    });
    flush();
  }

  /// Considers one chunk anew.
  void again(const PanelReader& reader, bool ask_again, Considered& considered) {
    consider_one(reader, ask_again, considered);
  }

 private:
  void consider(const PanelReader& reader, bool ask_again, std::vector<Considered>& chunks) {
    arena_.execute([&] {
      tbb::parallel_for(std::size_t{0}, chunks.size(),
                        [&](std::size_t i) { consider_one(reader, ask_again, chunks[i]); });
    });
  }
  void consider_one(const PanelReader& reader, bool ask_again, Considered& considered) {
    const auto questions = compose_questions(titles_, composer_, *considered.chunk.group, considered.chunk.candidates);
    considered.version = reader.version();
    considered.found.clear();
    considered.found.reserve(questions.size());
    for (const auto& question : questions)
      considered.found.push_back(reader.consider(considered.chunk.candidates.topic, question, ask_again));
  }

  corpus::TitleIndex titles_;
  corpus::PassageComposer composer_;
  CandidateReader reader_;
  tbb::task_arena arena_;
  std::size_t batch_;
};

std::string dollars(llm_client::PicoDollars cost) {
  return fmt::format("${:.4f}", static_cast<double>(cost) / llm_client::kPicoPerDollar);
}

class PanelJudging {
 public:
  PanelJudging(StageContext& context, const JudgePanel& panel, const LexicalJudge* lexical)
      : context_(context),
        panel_(panel),
        lexical_(lexical),
        log_(context.store),
        walk_(context.store, context.options<corpus::PassagesOptions>(), context.options<corpus::NameOptions>(),
              CandidateReader(context.input(evidence::kGroupsFile), context.input(evidence::kCandidatesFile)),
              context.threads),
        traits_(panel.judges.size()) {
    for (std::size_t i = 0; i < panel.judges.size(); ++i) {
      const auto& judge = panel.judges[i];
      auto& budget = run_budget(context);
      askers_.push_back(judge.llm ? std::make_unique<Asker>(judge, log_, budget, context.stop, context.progress)
                                  : nullptr);
      batches_.push_back(
          judge.is_batch() ? std::make_unique<BatchRun>(judge, log_, context.kept(kBatchesFolder), budget, context.stop)
                           : nullptr);
      if (judge.llm) traits_[i] = remembered_traits(judge, log_);
    }
    ready_.assign(panel.judges.size(), false);
  }

  StageReport run() {
    std::uint64_t replies = 0;
    for (const auto& judge : panel_.judges) {
      replies += static_cast<std::uint64_t>(judge.options.samples);
      if (panel_.cascade) break;
    }
    context_.progress.total = walk_.count() * replies;
    context_.progress.set_detail([this] { return detail(); });
    const auto end_detail = std::unique_ptr<ProgressCounters, void (*)(ProgressCounters*)>(
        &context_.progress, [](ProgressCounters* progress) { progress->set_detail({}); });
    for (std::size_t i = 0; i < panel_.judges.size(); ++i) {
      if (!batches_[i]) continue;
      batches_[i]->resume();
      traits_[i] = remembered_traits(panel_.judges[i], log_);
    }
    bool ask_again = context_.ask_again;
    for (bool first = true;; first = false) {
      const auto missing = pass(ask_again, first);
      if (missing == 0) break;
      for (std::size_t i = 0; i < panel_.judges.size(); ++i) {
        if (askers_[i]) askers_[i]->finish();
        if (!batches_[i]) continue;
        batches_[i]->finish();
        traits_[i] = remembered_traits(panel_.judges[i], log_);
      }
      ask_again = false;
    }
    report_asked();
    return std::move(report_);
  }

 private:
  PanelReader reader() const {
    std::vector<const Asker*> askers;
    for (const auto& asker : askers_) askers.push_back(asker.get());
    return {panel_, log_, std::move(askers), traits_, lexical_};
  }

  /// Writes the results, or asks for what is missing; returns how much was.
  std::uint64_t pass(bool ask_again, bool first) {
    report_ = {};
    summary_ = {};
    summary_.judges.resize(panel_.judges.size());
    TextWriter judgments(context_.output(kJudgmentsFile));
    TextWriter unjudged(context_.output(kUnjudgedFile));
    std::vector<collection::JudgmentRecord> of_topic;
    std::uint64_t missing = 0;
    auto panel_reader = reader();
    const auto prepare = [&] {
      for (const auto& asker : askers_) {
        if (asker) asker->look_begins();
      }
    };
    walk_.run(panel_reader, ask_again, context_.stop, prepare, [&](Considered& considered) {
      if (make_ready(considered)) panel_reader.set_traits(traits_);
      if (considered.version != panel_reader.version()) walk_.again(panel_reader, ask_again, considered);
      std::vector<JudgmentLog::Entry> computed;
      for (auto& found : considered.found) {
        for (auto& entry : found.computed) computed.push_back(std::move(entry));
        missing += found.missing.size();
        for (auto& [judge, errand] : found.missing) dispatch(judge, std::move(errand));
        if (!found.missing.empty()) continue;
        if (first) count_known(found);
        add_up(found);
        of_topic.push_back(std::move(found.record));
      }
      log_.add(computed);
      if (!considered.chunk.last) return;
      std::sort(of_topic.begin(), of_topic.end(), [](const auto& a, const auto& b) {
        return std::tie(a.topic, a.member_page_id, a.docid) < std::tie(b.topic, b.member_page_id, b.docid);
      });
      for (const auto& judgment : of_topic) {
        const auto line = evidence::to_line(judgment);
        judgments.write(line);
        if (!judgment.grade) unjudged.write(line);
      }
      of_topic.clear();
      kill_point("judge.topic");
    });
    if (missing > 0) return missing;
    kill_point("judge.before_finish");
    write_file_atomically(context_.output(kSummaryFile), summary_.to_json(panel_));
    unjudged.finish();
    judgments.finish();
    return 0;
  }

  /// Before a judge's first question: tries its server. True when that can change how questions are put.
  bool make_ready(const Considered& considered) {
    bool changed = false;
    for (const auto& found : considered.found) {
      for (const auto& [judge, errand] : found.missing) {
        if (ready_[judge]) continue;
        ready_[judge] = true;
        if (batches_[judge]) {
          if (!panel_.judges[judge].options.probe) continue;
          for (auto& question : probe_errands(panel_.judges[judge], log_)) batches_[judge]->add(std::move(question));
          continue;
        }
        traits_[judge] = askers_[judge]->traits();
        changed = true;
      }
    }
    return changed;
  }

  void dispatch(std::size_t judge, Errand errand) {
    if (batches_[judge]) {
      batches_[judge]->add(std::move(errand));
    } else {
      askers_[judge]->ask(std::move(errand));
    }
  }

  void count_known(const Consideration& found) {
    std::uint64_t replies = 0;
    for (const auto& said : found.said) replies += said.replies.size();
    known_ += replies;
    context_.progress.known += replies;
    context_.progress.done += replies;
    context_.progress.records += replies;
  }

  void add_up(const Consideration& found) {
    const auto& judgment = found.record;
    ++summary_.judgments;
    ++summary_.states[std::string(to_string(judgment.state))];
    if (judgment.grade) ++summary_.grades[*judgment.grade];
    if (found.cheap_decided) ++summary_.cheap_decided;
    for (const auto& said : found.said) {
      auto& totals = summary_.judges[said.judge];
      ++totals.questions;
      totals.add_answer(said.answer);
      for (const auto& reply : said.replies) totals.add_reply(reply);
      if (said.answer.quotes_not_found > 0)
        report_.counts["quotes not in their passage"] += said.answer.quotes_not_found;
    }
    ++report_.counts["judgments"];
    if (!judgment.grade) {
      report_.reject(JudgeReject::kNotJudged,
                     judgment.topic + " " + judgment.docid + (judgment.reason.empty() ? "" : ": " + judgment.reason),
                     to_string(judgment.state));
    } else {
      ++report_.counts[*judgment.grade > 0 ? "judged evidence" : "judged no evidence"];
    }
    if (!judgment.spans.empty()) report_.counts["quotes"] += judgment.spans.size();
    if (found.cheap_decided) ++report_.counts["decided by the first judge alone"];
  }

  AskerCounts asked() const {
    AskerCounts sum;
    for (const auto& asker : askers_) {
      if (!asker) continue;
      const auto counts = asker->counts();
      sum.asked += counts.asked;
      sum.answered += counts.answered;
      sum.retries += counts.retries;
      sum.in_flight += counts.in_flight;
      sum.prompt_tokens += counts.prompt_tokens;
      sum.cached_tokens += counts.cached_tokens;
      sum.reply_tokens += counts.reply_tokens;
      sum.cost += counts.cost;
    }
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
    log_info(
        "judge: {} replies were known, {} questions asked, {} answered, {} retries; {} prompt tokens ({:.1f} % from "
        "the server's cache), {} reply tokens, {}",
        known_, counts.asked, counts.answered, counts.retries, counts.prompt_tokens, cached, counts.reply_tokens,
        dollars(counts.cost));
    if (summary_.judgments == 0 || !summary_.grades.empty()) return;
    const auto commonest = std::max_element(summary_.states.begin(), summary_.states.end(),
                                            [](const auto& a, const auto& b) { return a.second < b.second; });
    log_warn(
        "judge: not one of {} judgments has a grade ({} of them are {}); {} says why, and --retry-unjudged asks again",
        summary_.judgments, commonest->second, commonest->first, context_.output(kUnjudgedFile).string());
  }

  StageContext& context_;
  const JudgePanel& panel_;
  const LexicalJudge* lexical_;
  JudgmentLog log_;
  QuestionWalk walk_;
  std::vector<ServerTraits> traits_;
  std::vector<std::unique_ptr<Asker>> askers_;
  std::vector<std::unique_ptr<BatchRun>> batches_;
  std::vector<bool> ready_;
  std::uint64_t known_ = 0;
  StageReport report_;
  JudgingSummary summary_;
};

/// Adds one judge's missing requests of a chunk to the sums.
void count_errands(const Panelist& judge, const std::vector<const Errand*>& errands, Tokenizer* tokenizer,
                   RemainingWork::Amount& topic, RemainingWork& work) {
  if (errands.empty()) return;
  std::vector<std::optional<std::uint64_t>> counts(errands.size());
  if (tokenizer != nullptr) {
    std::vector<std::string> bodies;
    for (const auto* errand : errands) bodies.push_back(errand->body);
    counts = tokenizer->count(bodies);
  }
  for (std::size_t i = 0; i < errands.size(); ++i) {
    RemainingWork::Amount amount{1, 0, judge.llm->parameters().max_reply_tokens, 0};
    work.exact_tokens = work.exact_tokens && counts[i];
    amount.prompt_tokens = counts[i].value_or(errands[i]->size.tokens);
    amount.cost = judge.prices().highest_cost(amount.prompt_tokens, amount.most_reply_tokens);
    for (auto* sum : {&topic, &work.all}) {
      sum->requests += amount.requests;
      sum->prompt_tokens += amount.prompt_tokens;
      sum->most_reply_tokens += amount.most_reply_tokens;
      sum->cost += amount.cost;
    }
  }
}

}  // namespace

StageReport judge_with_panel(StageContext& context, const JudgePanel& panel, const LexicalJudge* lexical) {
  return PanelJudging(context, panel, lexical).run();
}

RemainingWork remaining_work(const flow::WorkView& view) {
  const auto& settings = view.settings;
  auto panel = make_panel(settings.get<JudgeOptions>(), settings.get<PanelOptions>());
  // The lexical judge costs nothing. As the first of a cascade it would have to judge first: without it the others'
  // share is an upper bound.
  if (!panel.judges.front().llm) panel.cascade = false;
  std::erase_if(panel.judges, [](const Panelist& judge) { return !judge.llm; });
  RemainingWork work;
  work.first_judge_only = panel.cascade && panel.judges.size() > 1;
  std::vector<ServerTraits> traits;
  const JudgmentLog log(view.store);
  std::vector<std::unique_ptr<Tokenizer>> tokenizers;
  for (const auto& judge : panel.judges) {
    traits.push_back(remembered_traits(judge, log));
    tokenizers.push_back(judge.is_batch() ? nullptr : Tokenizer::find(judge));
    work.priced = work.priced || judge.prices().known();
  }
  work.exact_tokens = true;
  const PanelReader reader(panel, log, std::vector<const Asker*>(panel.judges.size()), traits, nullptr);
  QuestionWalk walk(view.store, settings.get<corpus::PassagesOptions>(), settings.get<corpus::NameOptions>(),
                    CandidateReader(view.paths.file(evidence::kGroupsFile), view.paths.file(evidence::kCandidatesFile)),
                    view.threads);
  const auto nothing = [] {};
  walk.run(reader, false, view.stop, nothing, [&](Considered& considered) {
    auto& topic = work.topics[considered.chunk.group->structured];
    std::vector<std::vector<const Errand*>> asked(panel.judges.size());
    for (const auto& found : considered.found) {
      ++work.judgments;
      if (found.missing.empty()) ++work.known;
      for (const auto& [judge, errand] : found.missing) asked[judge].push_back(&errand);
    }
    for (std::size_t judge = 0; judge < asked.size(); ++judge) {
      count_errands(panel.judges[judge], asked[judge], tokenizers[judge].get(), topic, work);
    }
  });
  return work;
}

}  // namespace touchstone::pipeline::judging
