#include "annotation/collection_tasks.hpp"

#include "annotation/campaign.hpp"
#include "annotation/task_sampling.hpp"
#include "collection/evidence/collection_lines.hpp"
#include "collection/evidence/manifest.hpp"
#include "collection/release/files.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "formats/beir/beir_lines.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/quote.hpp"
#include "formats/trec/qrels.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

namespace touchstone::annotation {
namespace {

namespace fs = std::filesystem;
namespace evidence = collection::evidence;
using formats::labeling::JudgeDecision;

using Pair = std::pair<std::string, std::string>;  // topic and docid

[[noreturn]] void bad_line(const fs::path& file, std::uint64_t number, const std::string& what) {
  throw FormatError(fmt::format("{}:{}: {}", file.string(), number, what));
}

/// The first of these files that is there.
std::optional<fs::path> find_file(const fs::path& directory, std::initializer_list<const char*> names) {
  for (const auto* name : names) {
    if (fs::exists(directory / name)) return directory / name;
  }
  return std::nullopt;
}

/// The pairs of a file, each once, with the grades that qrels give them, TREC's or BEIR's (which have a header). A pair
/// of a run, or of FiRA's `query_id doc_id priority`, has none. A pair that comes again keeps its first grade.
std::map<Pair, std::optional<int>> read_pairs(const fs::path& file) {
  std::map<Pair, std::optional<int>> pairs;
  bool is_beir = false;
  for_each_line(
      file,
      [&](std::string_view line, std::uint64_t number) {
        const auto fields = formats::fields::split_at_white_space(line, 7);
        if (fields.empty() || line.front() == '#') return true;
        if (number == 1 && (fields[0] == "query_id" || fields[0] == "query-id")) {
          is_beir = fields[0] == "query-id";
          return true;
        }
        if (is_beir) {
          const auto qrel = formats::beir::parse_qrel(line);
          if (!qrel) bad_line(file, number, qrel.error());
          pairs.try_emplace(Pair(qrel->topic, qrel->docid), qrel->grade);
          return true;
        }
        const std::size_t docid = fields.size() == 2 || fields.size() == 3 ? 1 : 2;
        if (fields.size() < 2 || fields.size() == 5 || fields.size() > 6) {
          bad_line(
              file, number,
              "holds neither \"topic docid\", a qrel of four fields, nor a line of a run with six; repair the line " +
                  formats::fields::quote_for_message(line));
        }
        std::optional<int> grade;
        if (fields.size() == 4) {
          const auto qrel = formats::trec::parse_qrel(line);
          if (!qrel) bad_line(file, number, qrel.error());
          grade = qrel->grade;
        }
        pairs.try_emplace(Pair(fields[0], fields[docid]), grade);
        return true;
      },
      formats::trec::kMaxQrelLineBytes);
  return pairs;
}

/// Texts of passages as they come, with what is before and behind them.
class TextFiller {
 public:
  explicit TextFiller(std::vector<Task>& tasks) {
    for (auto& task : tasks) wanted_[task.docid].push_back(&task);
  }

  /// The next passage of the corpus. \param page  that it is on: passages of one page follow each other
  void add(const std::string& docid, const std::string& page, const std::string& title, const std::string& text) {
    const bool same_page = page == page_ && !page.empty();
    if (same_page) {
      for (auto* const task : last_) task->after = text;
    }
    last_.clear();
    const auto found = wanted_.find(docid);
    if (found != wanted_.end()) {
      for (auto* const task : found->second) {
        task->title = title;
        task->text = text;
        if (same_page) task->before = text_;
      }
      last_ = std::move(found->second);
      wanted_.erase(found);
    }
    page_ = page;
    text_ = text;
  }

  /// Throws FormatError if a passage did not come.
  void check(const fs::path& corpus) const {
    if (wanted_.empty()) return;
    throw FormatError(fmt::format("{} has no passage {}, which is to be judged for topic {}; {} docids are missing",
                                  corpus.string(), wanted_.begin()->first, wanted_.begin()->second.front()->topic,
                                  wanted_.size()));
  }

 private:
  std::unordered_map<std::string, std::vector<Task*>> wanted_;
  std::vector<Task*> last_;
  std::string page_, text_;
};

void check_count(std::size_t count, const fs::path& directory) {
  if (count == 0) {
    throw ConfigError(directory.string() +
                      " gives nothing to judge; name the (topic, docid) pairs with --pairs FILE: qrels or a run");
  }
  if (count > kMaxTasks) {
    throw ConfigError(fmt::format("{} has {} pairs to judge, more than the {} of a campaign; draw some with --sample",
                                  directory.string(), count, kMaxTasks));
  }
}

/// The tasks of an evidence collection, without texts.
std::vector<Task> evidence_tasks(const fs::path& directory, const TaskSelection& selection, const StopFlag& stop) {
  const auto kind = selection.kind.value_or(TaskKind::kEvidence);
  const auto chosen = selection.pairs.empty() ? std::map<Pair, std::optional<int>>() : read_pairs(selection.pairs);
  const auto info =
      fs::exists(directory / "manifest.json") ? evidence::read_manifest(directory).info : evidence::CollectionInfo();
  evidence::CollectionLineReader reader;
  const auto read = [&](const char* name, const auto& use) {
    for_each_line(
        directory / name,
        [&](std::string_view line, std::uint64_t number) {
          stop.check();
          if (auto problem = use(line)) bad_line(directory / name, number, *problem);
          return true;
        },
        evidence::kMaxCollectionLineBytes);
  };
  using Problem = std::optional<std::string>;
  std::unordered_map<std::string, evidence::TopicRecord> topics;
  read("queries.jsonl", [&](std::string_view line) -> Problem {
    auto topic = reader.query(line);
    if (!topic) return topic.error();
    auto id = topic->id;
    topics.emplace(std::move(id), std::move(*topic));
    return std::nullopt;
  });
  std::map<std::tuple<std::string, std::string, std::string>, Task> by_key;
  read("judgments.jsonl.gz", [&](std::string_view line) -> Problem {
    auto judgment = reader.judgment(line);
    if (!judgment) return judgment.error();
    if (!chosen.empty() && !chosen.contains({judgment->topic, judgment->docid})) return std::nullopt;
    const auto topic = topics.find(judgment->topic);
    if (topic == topics.end()) return "names a topic that queries.jsonl does not have; build the collection again";
    Task task;
    task.kind = kind;
    task.topic = judgment->topic;
    task.docid = judgment->docid;
    task.query = topic->second.query;
    task.language = info.language;
    task.judge = JudgeDecision{judgment->grade, judgment->probability, judgment->reason, judgment->spans};
    if (kind == TaskKind::kEvidence) {
      task.member = judgment->member;
      task.list = topic->second.structured;
      task.mentions = judgment->mentions;
      if (judgment->grade) task.judge->grade = *judgment->grade >= info.evidence_grade ? 1 : 0;
    }
    const auto [known, is_new] = by_key.try_emplace({task.topic, task.docid, task.member}, task);
    // Without members, the passage's grade is the highest over its members, as in the qrels.
    if (!is_new && task.judge->grade > known->second.judge->grade) known->second.judge = std::move(task.judge);
    return std::nullopt;
  });
  std::vector<Task> tasks;
  for (auto& [key, task] : by_key) tasks.push_back(std::move(task));
  draw_tasks(tasks, selection.sample, selection.seed);
  return tasks;
}

void fill_evidence_texts(const fs::path& directory, std::vector<Task>& tasks, const StopFlag& stop) {
  const auto corpus = directory / "corpus.jsonl.gz";
  TextFiller filler(tasks);
  evidence::CollectionLineReader reader;
  for_each_line(
      corpus,
      [&](std::string_view line, std::uint64_t number) {
        stop.check();
        const auto passage = reader.passage(line);
        if (!passage) bad_line(corpus, number, passage.error());
        filler.add(passage->docid, std::to_string(passage->page_id), passage->title, passage->text);
        return true;
      },
      evidence::kMaxCollectionLineBytes);
  filler.check(corpus);
}

/// The queries of a BEIR directory or of a file of two columns, by topic.
std::unordered_map<std::string, std::string> read_queries(const fs::path& file) {
  std::unordered_map<std::string, std::string> queries;
  formats::beir::LineReader reader;
  for_each_line(file, [&](std::string_view line, std::uint64_t number) {
    if (line.empty()) return true;
    if (file.extension() == ".jsonl") {
      auto query = reader.query(line);
      if (!query) bad_line(file, number, query.error());
      queries.emplace(std::move(query->id), std::move(query->text));
      return true;
    }
    const auto columns = formats::fields::split_at_tabs(line, 3);
    if (number == 1 && columns[0] == "query_id") return true;
    if (columns.size() != 2 || columns[0].empty() || columns[1].empty())
      bad_line(file, number, "has not the two columns of \"topic<TAB>query\"; repair the line");
    queries.emplace(columns[0], columns[1]);
    return true;
  });
  return queries;
}

/// The document that a snippet is from: the docid without `_N` at its end. Empty for other docids.
std::string document_of(const std::string& docid) {
  const auto at = docid.rfind('_');
  if (at == std::string::npos || at + 1 == docid.size()) return "";
  const bool digits = std::all_of(docid.begin() + static_cast<std::ptrdiff_t>(at) + 1, docid.end(),
                                  [](char c) { return c >= '0' && c <= '9'; });
  return digits ? docid.substr(0, at) : "";
}

void fill_texts(const fs::path& corpus, std::vector<Task>& tasks, const StopFlag& stop) {
  TextFiller filler(tasks);
  formats::beir::LineReader reader;
  const bool json = corpus.filename().string().find(".jsonl") != std::string::npos;
  for_each_line(corpus, [&](std::string_view line, std::uint64_t number) {
    stop.check();
    if (line.empty()) return true;
    formats::beir::Document document;
    if (json) {
      auto read = reader.document(line);
      if (!read) bad_line(corpus, number, read.error());
      document = std::move(*read);
    } else {
      const auto tab = line.find('\t');
      if (tab == std::string_view::npos || tab == 0)
        bad_line(corpus, number, "has not the two columns of \"docid<TAB>text\"; repair the line");
      document.id = line.substr(0, tab);
      document.text = line.substr(tab + 1);
      if (number == 1 && document.id == "doc_id") return true;
    }
    filler.add(document.id, document_of(document.id), document.title, document.text);
    return true;
  });
  filler.check(corpus);
}

std::vector<Task> plain_tasks(const fs::path& directory, const TaskSelection& selection, const StopFlag& stop) {
  const auto corpus = find_file(directory, {"corpus.jsonl.gz", "corpus.jsonl", "documents.tsv", "snippets.tsv"});
  const auto queries = find_file(directory, {"queries.jsonl", "queries.tsv", "topics.tsv"});
  if (!corpus || !queries) {
    throw ConfigError(
        directory.string() +
        " has no corpus and queries to judge: give an evidence collection, a BEIR directory (corpus.jsonl "
        "and queries.jsonl; an automatic collection has one in beir/), or a folder with documents.tsv and "
        "queries.tsv");
  }
  if (selection.kind == TaskKind::kEvidence) {
    throw ConfigError("--kind evidence asks whether a member belongs to a list, and " + directory.string() +
                      " is no evidence collection; use --kind grade");
  }
  auto pairs_file = selection.pairs.empty()
                        ? find_file(directory, {"judgement-pairs.tsv", "qrels.txt", "qrels/test.tsv"})
                        : std::optional(selection.pairs);
  check_count(pairs_file ? 1 : 0, directory);
  const auto texts = read_queries(*queries);
  std::vector<Task> tasks;
  std::size_t unfit = 0;
  for (const auto& [pair, grade] : read_pairs(*pairs_file)) {
    const auto& [topic, docid] = pair;
    const auto query = texts.find(topic);
    if (query == texts.end()) {
      throw FormatError(fmt::format("{} names topic {}, which {} does not have; give the queries of these pairs",
                                    pairs_file->string(), topic, queries->string()));
    }
    Task task;
    task.kind = selection.kind.value_or(TaskKind::kGrade);
    task.topic = topic;
    task.docid = docid;
    task.query = query->second;
    if (grade && *grade >= 0 && *grade <= formats::labeling::kHighestGrade)
      task.judge = JudgeDecision{*grade, std::nullopt, "", {}};
    else if (grade)
      ++unfit;
    tasks.push_back(std::move(task));
  }
  if (unfit > 0) {
    log_warn(
        "annotate: {} of {} grades of {} are not 0 to 3; people are asked, and these grades are compared with nothing",
        unfit, tasks.size(), pairs_file->string());
  }
  draw_tasks(tasks, selection.sample, selection.seed);
  check_count(tasks.size(), directory);
  fill_texts(*corpus, tasks, stop);
  return tasks;
}

}  // namespace

std::vector<Task> tasks_of_collection(const fs::path& directory, const TaskSelection& selection, const StopFlag& stop) {
  std::vector<Task> tasks;
  if (fs::exists(directory / "judgments.jsonl.gz")) {
    tasks = evidence_tasks(directory, selection, stop);
    check_count(tasks.size(), directory);
    fill_evidence_texts(directory, tasks, stop);
  } else {
    tasks = plain_tasks(directory, selection, stop);
  }
  for (auto& task : tasks) task.id = task_id(task);
  std::sort(tasks.begin(), tasks.end(), [](const Task& a, const Task& b) {
    return std::tie(a.topic, a.docid, a.member) < std::tie(b.topic, b.docid, b.member);
  });
  return tasks;
}

void add_gold(std::vector<Task>& tasks, const fs::path& file) {
  std::map<std::tuple<std::string, std::string, std::string>, int> grades;
  if (file.filename().string().find(".jsonl") != std::string::npos) {
    formats::labeling::for_each_annotation(file, [&](const formats::labeling::Annotation& answer) {
      if (answer.grade) grades[{answer.topic, answer.docid, answer.member}] = *answer.grade;
    });
  } else {
    formats::trec::for_each_qrel(file, [&](const formats::trec::QrelRecord& qrel, std::uint64_t number) {
      if (qrel.grade < 0 || qrel.grade > formats::labeling::kHighestGrade)
        bad_line(file, number, fmt::format("has the grade {}, and people are asked for 0 to 3", qrel.grade));
      grades[{qrel.topic, qrel.docid, ""}] = qrel.grade;
    });
  }
  std::size_t found = 0;
  for (auto& task : tasks) {
    const auto grade = grades.find({task.topic, task.docid, task.member});
    if (grade == grades.end() || task.kind == TaskKind::kSpans) continue;
    task.gold = grade->second;
    ++found;
  }
  if (found == 0)
    throw ConfigError(file.string() + " has the right answer of no task here; it must name their topics and docids");
}

}  // namespace touchstone::annotation
