#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "pipeline/corpus/docids.hpp"
#include "pipeline/corpus/passages.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/corpus/wiki_language.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/evidence/groups_options.hpp"
#include "pipeline/judging/gold_labels.hpp"
#include "pipeline/judging/judge_questions.hpp"
#include "pipeline/judging/judge_reject.hpp"
#include "pipeline/judging/judging_files.hpp"
#include "pipeline/judging/judging_text.hpp"
#include "pipeline/judging/judgment_log.hpp"
#include "pipeline/judging/lexical/lexical_judge.hpp"
#include "pipeline/judging/panel_judging.hpp"
#include "pipeline/judging/stages.hpp"
#include "storage/keys.hpp"
#include "storage/meta_keys.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/task_arena.h>

namespace touchstone::pipeline::judging {
namespace {

using corpus::PassageComposer;
using corpus::TitleIndex;
using evidence::Group;
using flow::StageContext;
using flow::StageReport;
using llm_client::JudgeRequest;
using storage::Family;

constexpr std::size_t kStatisticsPagesPerTask = 512;

/// Counts the topics' words over the whole corpus, in parallel over runs of pages.
CorpusStatistics count_corpus(StageContext& context, const PassageComposer& composer, const std::string& stemmer,
                              const CorpusStatistics& watched) {
  CorpusStatistics total = watched;
  std::vector<PageId> pages;
  const auto count_pages = [&] {
    total.merge(tbb::parallel_deterministic_reduce(
        tbb::blocked_range<std::size_t>(0, pages.size(), 64), CorpusStatistics{},
        [&](const tbb::blocked_range<std::size_t>& range, CorpusStatistics) {
          CorpusStatistics part = watched;
          corpus::TermSplitter splitter(stemmer);
          for (std::size_t i = range.begin(); i != range.end(); ++i) {
            for (const auto& passage : composer.passages(pages[i])) part.add_passage(splitter.split(passage.text));
          }
          return part;
        },
        [](CorpusStatistics a, const CorpusStatistics& b) {
          a.merge(b);
          return a;
        }));
    pages.clear();
  };
  for (auto cursor = context.store.cursor(Family::kOutline); cursor.valid(); cursor.next()) {
    if (const auto id = storage::read_page_key(cursor.key())) pages.push_back(*id);
    if (pages.size() == kStatisticsPagesPerTask) {
      context.stop.check();
      count_pages();
    }
  }
  count_pages();
  return total;
}

class JudgeStage : public flow::Stage {
 public:
  StageReport run(StageContext& context) override {
    const auto panel = make_panel(context.options<JudgeOptions>(), context.options<PanelOptions>());
    const bool needs_lexical =
        std::any_of(panel.judges.begin(), panel.judges.end(), [](const Panelist& judge) { return !judge.llm; });
    if (!needs_lexical) return judge_with_panel(context, panel, nullptr);

    const TitleIndex titles(context.store);
    const PassageComposer composer(context.store, context.options<corpus::PassagesOptions>(),
                                   wiki_name(context.options<corpus::NameOptions>(), titles.site()));
    std::map<std::string, Group> groups;
    for (auto& group : evidence::read_groups(context.input(evidence::kGroupsFile))) {
      if (group.kept()) groups.emplace(group.topic, std::move(group));
    }
    const std::string stemmer(corpus::stemmer_name(titles.site().language));
    LexicalJudge judge(stemmer, context.options<evidence::GroupsOptions>().list_prefixes_for(titles.site().language),
                       context.options<JudgeOptions>().threshold);

    tbb::task_arena arena(context.threads);
    arena.execute([&] {
      CorpusStatistics watched;
      for (const auto& [id, group] : groups) {
        JudgeRequest request;
        request.page = group.page;
        request.section_path = group.section_path;
        request.column = group.column;
        judge.watch(request, watched);
      }
      judge.set_statistics(count_corpus(context, composer, stemmer, watched));
    });

    if (panel.uses_llm()) return judge_with_panel(context, panel, &judge);
    for (const auto left : {kSummaryFile, kUnjudgedFile}) std::filesystem::remove(context.output(left));
    StageReport report;
    JudgmentLog log(context.store);
    TextWriter out(context.output(kJudgmentsFile));
    const auto file = context.input(evidence::kCandidatesFile);
    for_each_line(file, [&](std::string_view line, std::uint64_t number) {
      context.stop.check();
      const auto candidates = evidence::candidates_from_line(line, file.string() + " line " + std::to_string(number));
      const auto group = groups.find(candidates.topic);
      if (group == groups.end())
        throw FormatError(file.string() + ": topic " + candidates.topic +
                          " is in no group; run touchstone candidates again");
      const auto questions = compose_questions(titles, composer, group->second, candidates);
      std::vector<collection::JudgmentRecord> judgments(questions.size());
      arena.execute([&] { answer(judge, log, group->second, questions, judgments); });
      for (const auto& judgment : judgments) count(judgment, report);
      std::sort(judgments.begin(), judgments.end(), [](const auto& a, const auto& b) {
        return std::tie(a.topic, a.member_page_id, a.docid) < std::tie(b.topic, b.member_page_id, b.docid);
      });
      for (const auto& judgment : judgments) out.write(evidence::to_line(judgment));
      context.progress.records += judgments.size();
      context.progress.done += judgments.size();
      kill_point("judge.topic");
      return true;
    });
    kill_point("judge.before_finish");
    out.finish();
    return report;
  }

 private:
  /// Answers what the log does not know, keeps the new replies, and fills `judgments`.
  static void answer(const LexicalJudge& judge, JudgmentLog& log, const Group& group,
                     const std::vector<JudgeQuestion>& questions, std::vector<collection::JudgmentRecord>& judgments) {
    std::vector<JudgmentLog::Entry> replies(questions.size());
    std::vector<char> is_new(questions.size(), 0);
    tbb::parallel_for(std::size_t{0}, questions.size(), [&](std::size_t i) {
      const auto& question = questions[i];
      auto& entry = replies[i];
      entry.digest = llm_client::request_digest(judge, question.request);
      if (auto known = log.find(entry.digest)) {
        entry.reply = std::move(*known);
      } else {
        entry.reply.judge = judge.id();
        entry.reply.reply = judge.ask(question.request);
        is_new[i] = 1;
      }
      const auto read = judge.read(entry.reply.reply);
      auto& judgment = judgments[i];
      judgment.topic = group.topic;
      judgment.docid = question.docid;
      judgment.member = question.request.member;
      judgment.member_page_id = question.member_page.value;
      judgment.digest = entry.digest;
      judgment.judge = judge.id();
      judgment.prompt = judge.prompt_digest();
      judgment.grade = read.grade;
      judgment.state = read.state;
      judgment.probability = read.probability;
      judgment.reason = read.reason;
      judgment.own_article = question.request.own_article;
      judgment.mentions = question.request.mentions;
    });
    std::vector<JudgmentLog::Entry> fresh;
    for (std::size_t i = 0; i < replies.size(); ++i) {
      if (is_new[i] != 0) fresh.push_back(std::move(replies[i]));
    }
    log.add(fresh);
  }

  static void count(const collection::JudgmentRecord& judgment, StageReport& report) {
    ++report.counts["judgments"];
    if (!judgment.grade) {
      report.reject(JudgeReject::kNotJudged, judgment.topic + " " + judgment.docid, to_string(judgment.state));
    } else {
      ++report.counts[*judgment.grade > 0 ? "judged evidence" : "judged no evidence"];
    }
  }
};

/// The built-in judge's weights, and all that the answers of models depend on.
std::string judge_fingerprint(const Settings& settings) {
  return LexicalJudge::version() + panel_fingerprint(settings.get<JudgeOptions>(), settings.get<PanelOptions>());
}

}  // namespace

flow::StageInfo judge_stage() {
  static const flow::KeptLog kReplies = {"replies", import_log, export_log};
  return {
      .name = "judge",
      .summary = "Judge every (topic, member, passage)",
      .format_version = 2,
      .inputs = {flow::file(evidence::kGroupsFile), flow::file(evidence::kCandidatesFile),
                 flow::meta(storage::kMetaSite), flow::family(Family::kPage), flow::family(Family::kOutline),
                 flow::family(Family::kParagraph), flow::family(Family::kLink), flow::family(Family::kAlias)},
      .outputs = {flow::file(kJudgmentsFile), flow::optional_file(kUnjudgedFile), flow::optional_file(kSummaryFile)},
      .keeps = {flow::family(Family::kJudgment), flow::folder(kBatchesFolder)},
      .options = {flow::reads<JudgeOptions>(), flow::reads<PanelOptions>(), flow::inherits<corpus::NameOptions>(),
                  flow::inherits<corpus::PassagesOptions>(), flow::inherits<evidence::GroupsOptions>()},
      .progress_unit = "judgments",
      .progress_records = "judgments",
      .make = flow::make_stage<JudgeStage>,
      .extra_fingerprint = judge_fingerprint,
      .can_ask_again = true,
      .forecast = remaining_work_text,
      .outcome_of_build = gold_text,
      .outcome_of_command = gold_text,
      .shorthands = {{"--gold", "judge.gold",
                      "Measure the judge with these gold labels; short for --set judge.gold=FILE", "FILE", false},
                     {"--max-cost", "judge.max_cost", "Stop before the run costs more than this, in US dollars", "USD"},
                     {"--max-calls", "judge.max_calls", "Stop before the run sends more requests than this", "N"},
                     {"--max-tokens", "judge.max_total_tokens", "Stop before the run uses more tokens than this", "N"}},
      .log = &kReplies};
}

}  // namespace touchstone::pipeline::judging
