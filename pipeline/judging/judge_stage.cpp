#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "pipeline/corpus/docids.hpp"
#include "pipeline/corpus/passages.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/corpus/wiki_language.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/judging/judge_questions.hpp"
#include "pipeline/judging/judgment_log.hpp"
#include "pipeline/judging/lexical/lexical_judge.hpp"
#include "pipeline/judging/panel_judging.hpp"
#include "pipeline/stage.hpp"
#include "storage/keys.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/task_arena.h>

namespace touchstone::pipeline {
namespace {

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
          TermSplitter splitter(stemmer);
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

class JudgeStage : public Stage {
 public:
  StageReport run(StageContext& context) override {
    const auto panel = make_panel(context.config);
    const bool needs_lexical =
        std::any_of(panel.judges.begin(), panel.judges.end(), [](const Panelist& judge) { return !judge.llm; });
    if (!needs_lexical) return judge_with_panel(context, panel, nullptr);

    const TitleIndex titles(context.store);
    const PassageComposer composer(context.store, context.config.passages, wiki_name(context.config.wiki.name, titles.site()));
    std::map<std::string, Group> groups;
    for (auto& group : read_groups(context.paths.stage_file("groups.jsonl"))) {
      if (group.kept()) groups.emplace(group.topic, std::move(group));
    }
    const std::string stemmer(stemmer_name(titles.site().language));
    auto prefixes = context.config.groups.list_prefixes;
    if (prefixes.empty()) prefixes = list_prefixes(titles.site().language);
    LexicalJudge judge(stemmer, prefixes, context.config.judge.threshold);

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
    for (const auto* left : {"judging.json", "unjudged.jsonl"}) std::filesystem::remove(context.paths.stage_file(left));
    StageReport report;
    JudgmentLog log(context.store);
    TextWriter out(context.paths.stage_file("judgments.jsonl"));
    const auto file = context.paths.stage_file("candidates.jsonl");
    for_each_line(file, [&](std::string_view line, std::uint64_t number) {
      context.stop.check();
      const auto candidates = candidates_from_line(line, file.string() + " line " + std::to_string(number));
      const auto group = groups.find(candidates.topic);
      if (group == groups.end())
        throw FormatError(file.string() + ": topic " + candidates.topic +
                          " is in no group; run touchstone candidates again");
      const auto questions = compose_questions(titles, composer, group->second, candidates);
      std::vector<formats::JudgmentRecord> judgments(questions.size());
      arena.execute([&] { answer(judge, log, group->second, questions, judgments); });
      for (const auto& judgment : judgments) count(judgment, report);
      std::sort(judgments.begin(), judgments.end(), [](const auto& a, const auto& b) {
        return std::tie(a.topic, a.member_page_id, a.docid) < std::tie(b.topic, b.member_page_id, b.docid);
      });
      for (const auto& judgment : judgments) out.write(to_line(judgment));
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
                     const std::vector<JudgeQuestion>& questions, std::vector<formats::JudgmentRecord>& judgments) {
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
      judgment.state = to_string(read.state);
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

  static void count(const formats::JudgmentRecord& judgment, StageReport& report) {
    ++report.counts["judgments"];
    if (!judgment.grade) {
      report.reject("not judged: " + judgment.state, judgment.topic + " " + judgment.docid);
    } else {
      ++report.counts[*judgment.grade > 0 ? "judged evidence" : "judged no evidence"];
    }
  }
};

}  // namespace

std::unique_ptr<Stage> make_judge_stage() {
  return std::make_unique<JudgeStage>();
}

}  // namespace touchstone::pipeline
