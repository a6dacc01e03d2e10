#include "analysis/adjudication/judging_session.hpp"
#include "cli/command.hpp"
#include "cli/statistics_flags.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_writer.hpp"
#include "common/options.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/quote.hpp"
#include "formats/json/field_reader.hpp"
#include "retrieval/collection_source.hpp"

#include <cstdio>
#include <iostream>
#include <map>
#include <set>

#include <fmt/format.h>

namespace touchstone::cli {
namespace {

namespace adjudication = analysis::adjudication;

struct AdjudicateFlags {
  std::vector<std::string> pool;
  std::string method = "hedge", qrels, out, collection, topics;
  bool interactive = false;
  std::size_t depth = 100;
  int min_grade = 1;
  adjudication::AdjudicationOptions options;
};

adjudication::AdjudicationMethod method_of(const std::string& name) {
  std::string names;
  for (const auto& choice : Choices<adjudication::AdjudicationMethod>::table) {
    if (choice.text == name) return choice.value;
    names += (names.empty() ? "" : ", ") + std::string(choice.text);
  }
  throw ConfigError(fmt::format("--method {}: there is no such method; choose one of {}",
                                formats::fields::quote_for_message(name), names));
}

/// The grade of a line of standard input: a whole number, or a JSON object with the field "grade".
std::optional<int> grade_of(const std::string& line) {
  int grade = 0;
  using formats::trec::kMaxGrade, formats::trec::kMinGrade;
  if (formats::fields::parse_integer(line, kMinGrade, kMaxGrade, grade)) return grade;
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  std::string error;
  std::int64_t value = 0;
  if (!formats::json::parse_object(parser, line, object, error)) return std::nullopt;
  if (object["grade"].get(value) != simdjson::SUCCESS || value < kMinGrade || value > kMaxGrade) return std::nullopt;
  return static_cast<int>(value);
}

/// What a judge needs to see: the queries of the topics and the texts of the documents of the pools.
class JudgingTexts {
 public:
  /// Shows nothing but ids.
  JudgingTexts() = default;
  /// Reads the collection once and keeps what the pools need. Throws as retrieval::open_collection() does, and
  /// ConfigError if a query or a text is missing.
  JudgingTexts(const std::string& collection, const std::string& topics,
               const std::vector<adjudication::NamedPool>& pools) {
    const auto source = retrieval::open_collection(collection, {.topics = topics});
    for (auto& topic : source->topics()) queries_.emplace(std::move(topic.id), std::move(topic.text));
    std::set<std::string> wanted;
    for (const auto& [topic, pool] : pools) {
      if (!queries_.contains(topic)) {
        throw ConfigError(fmt::format("{} has no query of the topic {} of the runs; name the topics with --topics FILE",
                                      topics.empty() ? collection : topics, formats::fields::quote_for_message(topic)));
      }
      wanted.insert(pool.docids.begin(), pool.docids.end());
    }
    source->for_each_document([&](retrieval::Document&& document) {
      if (wanted.erase(document.id) == 0) return;
      texts_.emplace(std::move(document.id), std::pair(std::move(document.title), std::move(document.text)));
    });
    if (wanted.empty()) return;
    throw ConfigError(
        fmt::format("{} lacks {} documents of the pool, such as {}; name the collection that the runs are of",
                    collection, wanted.size(), formats::fields::quote_for_message(*wanted.begin())));
  }

  void add_to(JsonWriter& json, const adjudication::JudgmentRequest& request) const {
    if (queries_.empty()) return;
    const auto& [title, text] = texts_.at(request.docid);
    json.field("query", queries_.at(request.topic)).field("title", title).field("text", text);
  }

 private:
  std::map<std::string, std::string> queries_;
  std::map<std::string, std::pair<std::string, std::string>> texts_;  ///< title and text by docid
};

void print_request(const adjudication::JudgmentRequest& request, const JudgingTexts& texts) {
  JsonWriter json({.escapes = JsonEscapes::kLineBreaks});
  json.begin_object()
      .field("topic", request.topic)
      .field("docid", request.docid)
      .field("judged", request.judged)
      .field("budget", request.budget);
  texts.add_to(json, request);
  print(json.end_object().take() + "\n");
  std::fflush(stdout);
}

/// Writes each document to standard output and reads its grade from standard input.
std::optional<int> ask_judge(const adjudication::JudgmentRequest& request, const JudgingTexts& texts) {
  print_request(request, texts);
  for (std::string line; std::getline(std::cin, line);) {
    if (const auto grade = grade_of(line)) return grade;
    fmt::print(stderr, "{} is not a grade; give a whole number, or a JSON object with the field \"grade\"\n",
               formats::fields::quote_for_message(line));
  }
  return std::nullopt;
}

std::string describe(const adjudication::SessionCounts& counts, std::size_t topics) {
  return fmt::format("{} documents of {} topics are judged, {} of them now; {} are relevant", counts.judged, topics,
                     counts.asked, counts.relevant);
}

void check_flags(const AdjudicateFlags& flags) {
  if (flags.interactive == !flags.qrels.empty()) {
    throw ConfigError("say where grades come from: --interactive for a judge on standard input, or --qrels FILE");
  }
  if (flags.interactive && flags.out.empty()) {
    throw ConfigError("--interactive needs --out FILE, which keeps each judgment");
  }
  if (!flags.collection.empty() && !flags.interactive)
    throw ConfigError("--collection shows query and text to a judge; it needs --interactive");
  if (!flags.topics.empty() && flags.collection.empty())
    throw ConfigError("--topics needs --collection DIR, which has the texts of the documents");
}

ExitStatus adjudicate_interactively(const AdjudicateFlags& flags, const std::vector<adjudication::NamedPool>& pools) {
  const auto texts = flags.collection.empty() ? JudgingTexts() : JudgingTexts(flags.collection, flags.topics, pools);
  const auto record = record_of(flags.options, flags.depth, flags.min_grade, pools, adjudication::kInteractive);
  keep_record(flags.out, record);
  adjudication::JudgmentFile judgments(flags.out);
  bool ended = false;
  const auto counts = run_session(pools, flags.options, flags.min_grade, judgments, [&](const auto& request) {
    const auto grade = ask_judge(request, texts);
    ended = !grade;
    return grade;
  });
  fmt::print(stderr, "{} (chosen by {}; {} records this)\n", describe(counts, pools.size()), describe(record),
             adjudication::record_file(flags.out).string());
  if (!ended) return ExitStatus::kDone;
  fmt::print(stderr, "stopped: standard input ended; the judgments are in {}; run again to go on\n", flags.out);
  return ExitStatus::kStopped;
}

/// Grades come from qrels. A document that they lack counts as grade 0 for the method, as in evaluation, and no label
/// that nobody gave is written.
ExitStatus adjudicate_by_qrels(const AdjudicateFlags& flags, const std::vector<adjudication::NamedPool>& pools) {
  require_files({flags.qrels});
  const auto record = record_of(flags.options, flags.depth, flags.min_grade, pools, sha256_file(flags.qrels));
  std::map<std::pair<std::string, std::string>, int> grades;
  for (auto& qrel : formats::trec::read_qrels(flags.qrels)) grades[{qrel.topic, qrel.docid}] = qrel.grade;
  std::size_t unknown = 0;
  std::string lines;
  adjudication::JudgmentFile judgments;
  const auto counts = run_session(pools, flags.options, flags.min_grade, judgments, [&](const auto& request) {
    const auto found = grades.find({request.topic, request.docid});
    unknown += found == grades.end() ? 1 : 0;
    if (found == grades.end()) return std::optional(0);
    lines += formats::trec::qrel_line({request.topic, request.docid, found->second});
    return std::optional(found->second);
  });
  if (flags.out.empty()) {
    print(lines);
  } else {
    keep_record(flags.out, record);
    write_file_atomically(flags.out, lines, InTheWay::kRefuse);
  }
  fmt::print(stderr, "{} (chosen by {}); {} of them are not in {}: they count as grade 0 here and are not written\n",
             describe(counts, pools.size()), describe(record), unknown, flags.qrels);
  return ExitStatus::kDone;
}

}  // namespace

void add_adjudicate(CLI::App* app, Context& context) {
  auto flags = std::make_shared<AdjudicateFlags>();
  auto* command = app->add_subcommand("adjudicate", "Choose the documents of a pool to be judged, one by one");
  command->add_option("POOL", flags->pool, "TREC runs, plain or .gz, or folders of them")->required()->type_name("");
  command->add_option("--method", flags->method, "top-k, mtf, mm, mm-ns, ts, ts-ns, hedge (default) or ntcir")
      ->type_name("NAME");
  command->add_option("--budget", flags->options.budget, "Judgments of each topic")
      ->required()
      ->type_name("N")
      ->check(CLI::Range(1U, 4294967295U))
      ->transform(whole_number);
  command->add_option("--pool-depth", flags->depth, "Ranks of each run that are in the pool (default: 100)")
      ->type_name("N")
      ->check(CLI::Range(1U, 1000000U))
      ->transform(whole_number);
  command->add_flag("--interactive", flags->interactive,
                    "Print each document as a line of JSON and read its grade from standard input");
  command
      ->add_option(
          "--collection", flags->collection,
          "Show query and text of each document to the judge: a collection, or a data set as retrieve reads it")
      ->type_name("DIR");
  command->add_option("--topics", flags->topics, "Other topics than those of the collection: id, tab, text")
      ->type_name("FILE");
  command->add_option("--qrels", flags->qrels, "Take the grades from these qrels")->type_name("FILE");
  command
      ->add_option("--out", flags->out,
                   "Write the judgments as qrels, and how they were chosen to FILE.json; with --interactive, a session "
                   "goes on with what the file holds")
      ->type_name("FILE");
  command->add_option("--min-grade", flags->min_grade, "Lowest relevant grade (default: 1)")
      ->type_name("G")
      ->check(CLI::Range(-127, 127));
  command->add_option("--seed", flags->options.seed, "Seed of the methods that draw (default: 0)")->type_name("N");
  add_footer(command);
  command->callback([flags, &context] {
    flags->options.method = method_of(flags->method);
    check_flags(*flags);
    const auto files = adjudication::expand_folders(flags->pool);
    std::vector<std::string> names;
    for (const auto& file : files) names.push_back(file.string());
    require_files(names);
    if (!flags->topics.empty()) require_files({flags->topics});
    const auto pools = adjudication::read_pools(files, flags->depth);
    context.exit_status =
        flags->interactive ? adjudicate_interactively(*flags, pools) : adjudicate_by_qrels(*flags, pools);
  });
}

}  // namespace touchstone::cli
