#include "pipeline/difference/difference_output.hpp"

#include "common/named_values.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>

#include <fmt/format.h>

namespace touchstone::pipeline::difference {
namespace {

using analysis::studies::Cell;
using analysis::studies::Chart;
using analysis::studies::Finding;
using analysis::studies::StudyOutput;
using analysis::studies::StudyTable;
using analysis::studies::Verdict;

constexpr std::size_t kShownRows = 30;
/// A tau of .9 is the usual bound for rankings that are alike (E. M. Voorhees, "Evaluation by highly relevant
/// documents", SIGIR 2001).
constexpr double kAlike = 0.9, kUsable = 0.8;

std::int64_t whole(std::uint64_t count) {
  return static_cast<std::int64_t>(count);
}

double percent(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(all);
}

template <class Change>
std::uint64_t count(const Matching<Change>& matching, Change change) {
  return static_cast<std::uint64_t>(std::count_if(matching.pairs.begin(), matching.pairs.end(),
                                                  [&](const auto& pair) { return pair.change == change; }));
}

/// Numbers that both the findings and the JSON give.
struct Totals {
  std::uint64_t labels_added = 0, labels_gone = 0, regraded = 0;
  std::uint64_t members_added = 0, members_gone = 0;
  std::array<std::uint64_t, std::size(kLabelReasons)> by_reason{};

  explicit Totals(const Comparison& comparison) {
    for (const auto& change : comparison.labels) {
      ++by_reason[static_cast<std::size_t>(change.reason)];
      if (!change.old_grade) {
        ++labels_added;
      } else if (!change.new_grade) {
        ++labels_gone;
      } else {
        ++regraded;
      }
    }
    for (const auto& change : comparison.members) ++(change.added ? members_added : members_gone);
  }
  std::uint64_t labels() const noexcept { return labels_added + labels_gone + regraded; }
};

StudyTable summary_table(const Comparison& comparison, const Totals& totals) {
  StudyTable table{"summary", "What changed", {"what", "change", "count"}, {}, ""};
  const auto add = [&](const char* what, std::string_view change, std::uint64_t number) {
    table.rows.push_back({std::string(what), std::string(change), whole(number)});
  };
  for (const auto& [name, change] : kTopicChanges) add("topics", name, count(comparison.topics, change));
  add("members", "added", totals.members_added);
  add("members", "gone", totals.members_gone);
  for (const auto& [name, change] : kPassageChanges) add("passages", name, count(comparison.passages, change));
  add("labels", "same", comparison.labels_kept);
  add("labels", "added", totals.labels_added);
  add("labels", "gone", totals.labels_gone);
  add("labels", "other grade", totals.regraded);
  return table;
}

StudyTable reason_table(const Totals& totals) {
  StudyTable table{"reasons",
                   "Why labels changed",
                   {"reason", "labels"},
                   {},
                   "The first reason that holds counts, in this order. docs/collection.md says what each means."};
  for (const auto& [name, reason] : kLabelReasons) {
    const auto labels = totals.by_reason[static_cast<std::size_t>(reason)];
    if (labels > 0) table.rows.push_back({std::string(name), whole(labels)});
  }
  return table;
}

std::string id_or_empty(const std::vector<ComparedTopic>& topics, std::uint32_t index) {
  return index == kNoPart ? "" : topics[index].id;
}
std::string id_or_empty(const std::vector<ComparedPassage>& passages, std::uint32_t index) {
  return index == kNoPart ? "" : passages[index].docid;
}

StudyTable topic_table(const Comparison& comparison) {
  StudyTable table{"topics",
                   "Topics that changed",
                   {"change", "old_topic", "new_topic", "old_query", "new_query"},
                   {},
                   "A topic that is not listed has the same id and query in both.",
                   kShownRows};
  for (const auto& pair : comparison.topics.pairs) {
    if (pair.change == TopicChange::kSame) continue;
    table.rows.push_back({std::string(name_in(kTopicChanges, pair.change)),
                          id_or_empty(comparison.before.topics, pair.old_part),
                          id_or_empty(comparison.after.topics, pair.new_part),
                          pair.old_part == kNoPart ? "" : comparison.before.topics[pair.old_part].query,
                          pair.new_part == kNoPart ? "" : comparison.after.topics[pair.new_part].query});
  }
  return table;
}

StudyTable member_table(const Comparison& comparison) {
  StudyTable table{"members",
                   "Members that joined or left topics that both collections have",
                   {"change", "old_topic", "new_topic", "member"},
                   {},
                   "",
                   kShownRows};
  for (const auto& change : comparison.members) {
    table.rows.push_back({std::string(change.added ? "added" : "gone"), comparison.before.topics[change.old_topic].id,
                          comparison.after.topics[change.new_topic].id, change.title});
  }
  return table;
}

StudyTable passage_table(const Comparison& comparison) {
  StudyTable table{"passages",
                   "Passages that changed",
                   {"change", "old_docid", "new_docid", "page"},
                   {},
                   "The map from old docids to new ones: a docid that is not listed names the same text in both.",
                   kShownRows};
  for (const auto& pair : comparison.passages.pairs) {
    if (pair.change == PassageChange::kSame) continue;
    const auto& page = pair.new_part == kNoPart ? comparison.before.passages[pair.old_part].page
                                                : comparison.after.passages[pair.new_part].page;
    table.rows.push_back({std::string(name_in(kPassageChanges, pair.change)),
                          id_or_empty(comparison.before.passages, pair.old_part),
                          id_or_empty(comparison.after.passages, pair.new_part), page});
  }
  return table;
}

Cell grade_cell(const std::optional<int>& grade) {
  return grade ? Cell(static_cast<std::int64_t>(*grade)) : Cell(std::string());
}

StudyTable label_table(const Comparison& comparison) {
  StudyTable table{"labels",
                   "Labels that changed",
                   {"reason", "old_topic", "new_topic", "old_docid", "new_docid", "old_grade", "new_grade"},
                   {},
                   "Without a grade: not judged on that side.",
                   kShownRows};
  for (const auto& change : comparison.labels) {
    table.rows.push_back({std::string(name_in(kLabelReasons, change.reason)),
                          id_or_empty(comparison.before.topics, change.old_topic),
                          id_or_empty(comparison.after.topics, change.new_topic),
                          id_or_empty(comparison.before.passages, change.old_passage),
                          id_or_empty(comparison.after.passages, change.new_passage), grade_cell(change.old_grade),
                          grade_cell(change.new_grade)});
  }
  return table;
}

StudyTable system_table(const LabelEffect& effect) {
  StudyTable table{
      "systems",
      "What the labels alone change for systems",
      {"measure", "system", "old_score", "new_score", "difference", "low", "high", "old_rank", "new_rank", "rank_low",
       "rank_high"},
      {},
      "The runs stay the same. Labels of passages that the old collection does not have are left out. low and high: "
      "95 % interval of the difference, by the studentised bootstrap over topics. rank_low and rank_high: the same of "
      "new_rank - old_rank, by the percentile bootstrap over topics."};
  for (const auto& measure : effect.measures) {
    for (const auto& system : measure.systems) {
      table.rows.push_back({measure.measure, system.system, system.old_score, system.new_score,
                            system.new_score - system.old_score, system.low, system.high, whole(system.old_rank),
                            whole(system.new_rank), system.rank_low, system.rank_high});
    }
  }
  return table;
}

Chart reason_chart(const Totals& totals) {
  Chart chart{"reasons",
              "Why labels changed",
              "Labels that were added, are gone, or have another grade, by the first reason that holds.",
              "reason",
              "labels",
              {{"labels", {}, false}}};
  for (const auto& [name, reason] : kLabelReasons) {
    const auto labels = totals.by_reason[static_cast<std::size_t>(reason)];
    if (labels == 0) continue;
    chart.series[0].points.push_back({static_cast<double>(chart.categories.size()), static_cast<double>(labels)});
    chart.categories.emplace_back(name);
  }
  return chart;
}

Chart system_chart(const MeasureEffect& measure) {
  Chart chart{"systems-" + std::to_string(measure.systems.size()),
              "Scores by old and new labels, " + measure.measure,
              "Systems by their old rank. The runs are the same; the labels differ.",
              "old rank",
              measure.measure,
              {{"old labels", {}}, {"new labels", {}, false}}};
  for (std::size_t s = 0; s < measure.systems.size(); ++s) {
    chart.series[0].points.push_back({static_cast<double>(s + 1), measure.systems[s].old_score});
    chart.series[1].points.push_back({static_cast<double>(s + 1), measure.systems[s].new_score});
  }
  return chart;
}

Finding topic_finding(const Comparison& comparison) {
  const auto& topics = comparison.topics;
  return {Verdict::kFact,
          fmt::format("Of {} topics, {} are the same, {} are reworded, {} are renamed and {} are gone; {} are new.",
                      comparison.before.topics.size(), count(topics, TopicChange::kSame),
                      count(topics, TopicChange::kReworded), count(topics, TopicChange::kRenamed),
                      count(topics, TopicChange::kGone), count(topics, TopicChange::kAdded))};
}

Finding passage_finding(const Comparison& comparison) {
  const auto& passages = comparison.passages;
  return {
      Verdict::kFact,
      fmt::format("Of {} passages, {} are the same ({:.1f} %), {} have another docid, {} are edited and {} are gone; "
                  "{} are new.",
                  comparison.before.passages.size(), count(passages, PassageChange::kSame),
                  percent(count(passages, PassageChange::kSame), comparison.before.passages.size()),
                  count(passages, PassageChange::kMoved), count(passages, PassageChange::kEdited),
                  count(passages, PassageChange::kGone), count(passages, PassageChange::kNew))};
}

Finding label_finding(const Comparison& comparison, const Totals& totals) {
  const std::uint64_t all = comparison.labels_kept + totals.labels();
  std::string text = fmt::format(
      "Of {} labels in either collection, {} are the same ({:.1f} %); {} were added, {} are gone and {} have another "
      "grade.",
      all, comparison.labels_kept, percent(comparison.labels_kept, all), totals.labels_added, totals.labels_gone,
      totals.regraded);
  const auto most = std::max_element(totals.by_reason.begin(), totals.by_reason.end());
  if (*most > 0) {
    const auto reason = static_cast<LabelReason>(most - totals.by_reason.begin());
    text += fmt::format(" The most common reason is \"{}\" ({}).", name_in(kLabelReasons, reason), *most);
  }
  return {Verdict::kFact, std::move(text)};
}

Finding unexplained_finding(const Comparison& comparison, const Totals& totals) {
  if (count(comparison.topics, TopicChange::kGone) == comparison.topics.new_of_old.size())
    return {Verdict::kBad, "The collections have no topic in common. Name two collections of one wiki.",
            "bad without a common topic"};
  const auto otherwise = totals.by_reason[static_cast<std::size_t>(LabelReason::kJudgeChanged)];
  if (otherwise == 0)
    return {Verdict::kGood, "Every label that changed follows from a change of the wiki or of the settings.",
            "good if no label changed though the question is the same"};
  return {Verdict::kCaution,
          fmt::format(
              "{} labels have another grade though the question is the same: the judge, its prompt or its "
              "settings changed, or it was asked twice. Build both collections with one judge if months are compared.",
              otherwise),
          "caution if a label changed though the question is the same"};
}

Finding effect_finding(const LabelEffect& effect, const MeasureEffect& measure) {
  const double tau = analysis::agreement::kendall_tau_b(measure.pairs);
  std::size_t moved = 0;
  double largest = 0;
  for (const auto& system : measure.systems) {
    moved += system.old_rank != system.new_rank ? 1 : 0;
    largest = std::max(largest, std::abs(system.new_score - system.old_score));
  }
  std::string text = fmt::format(
      "{}: by the new labels {} of {} systems have another rank, and the score of a system changes by {:.4f} at most "
      "({} topics)",
      measure.measure, moved, measure.systems.size(), largest, effect.topics);
  if (!std::isfinite(tau)) return {Verdict::kFact, text + "."};
  const auto interval = std::isnan(measure.tau_b.low) ? std::string()
                                                      : fmt::format(" (95 % interval over topics {:.3f} to {:.3f})",
                                                                    measure.tau_b.low, measure.tau_b.high);
  text += fmt::format("; both rankings agree at tau_b {:.3f}{}. ", tau, interval);
  const Verdict verdict = tau >= kAlike ? Verdict::kGood : tau >= kUsable ? Verdict::kCaution : Verdict::kBad;
  text += verdict == Verdict::kGood ? "Results on both collections can be compared by rank."
                                    : "Score all systems anew before results on the two collections are compared.";
  return {verdict, std::move(text), "good if tau_b is at least .9 (Voorhees 2001), caution from .8, bad below"};
}

std::string described(const ComparedCollection& collection) {
  std::string text = collection.name + " (" + collection.directory.string() + ")";
  if (!collection.dump_date.empty()) text += ", newest revision " + collection.dump_date;
  return text;
}

void add_doubts(const ComparedCollection& collection, std::vector<Finding>& findings) {
  if (collection.labels_without_parts == 0) return;
  findings.push_back(
      {Verdict::kCaution,
       fmt::format("{} lines of the qrels of {} name a topic or docid that the collection does not have; "
                   "they are left out. touchstone validate names them.",
                   collection.labels_without_parts, collection.directory.string()),
       "caution if a label has no topic or passage"});
}

void add_effect(const LabelEffect& effect, StudyOutput& output) {
  for (const auto& measure : effect.measures) {
    output.findings.push_back(effect_finding(effect, measure));
    auto chart = system_chart(measure);
    chart.name = fmt::format("systems-{}", &measure - effect.measures.data() + 1);
    output.charts.push_back(std::move(chart));
  }
  if (effect.new_labels > 0)
    output.facts.emplace_back("labels of new passages, left out of the scores", fmt::to_string(effect.new_labels));
  output.tables.push_back(system_table(effect));
}

}  // namespace

StudyOutput difference_output(const Comparison& comparison, const std::optional<LabelEffect>& effect) {
  const Totals totals(comparison);
  StudyOutput output;
  output.study = "diff";
  output.title = "What changed between two collections";
  output.question = "Which topics, members, passages and labels differ, why, and what does that change for systems?";
  output.facts = {{"old collection", described(comparison.before)}, {"new collection", described(comparison.after)}};
  output.findings = {topic_finding(comparison), passage_finding(comparison), label_finding(comparison, totals),
                     unexplained_finding(comparison, totals)};
  add_doubts(comparison.before, output.findings);
  add_doubts(comparison.after, output.findings);
  output.tables = {summary_table(comparison, totals), reason_table(totals),      topic_table(comparison),
                   member_table(comparison),          passage_table(comparison), label_table(comparison)};
  if (totals.labels() > 0) output.charts.push_back(reason_chart(totals));
  if (effect) add_effect(*effect, output);
  output.write_fields = [](JsonWriter&) {};
  return output;
}

}  // namespace touchstone::pipeline::difference
