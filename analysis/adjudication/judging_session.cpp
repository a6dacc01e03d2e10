#include "analysis/adjudication/judging_session.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_writer.hpp"
#include "formats/json/field_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace touchstone::analysis::adjudication {
namespace {

[[noreturn]] void fail_to_write(const std::filesystem::path& path) {
  const int code = errno;
  throw StorageError(fmt::format("{} cannot be written: {}", path.string(), system_reason(code)));
}

/// Removes what is behind the last line end.
void remove_torn_line(const std::filesystem::path& path, const Descriptor& file) {
  const auto text = read_file(path);
  const auto whole = text.empty() || text.back() == '\n' ? text.size() : text.rfind('\n') + 1;
  if (whole < text.size() && ::ftruncate(file.get(), static_cast<off_t>(whole)) != 0) fail_to_write(path);
}

namespace fs = std::filesystem;

bool draws(const std::string& method) {
  const auto& table = Choices<AdjudicationMethod>::table;
  const auto* const at =
      std::find_if(std::begin(table), std::end(table), [&](const auto& c) { return c.text == method; });
  return at != std::end(table) && is_stochastic(at->value);
}

SessionRecord read_record(const fs::path& file) {
  const auto text = read_file(file);
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  std::string error;
  SessionRecord record;
  if (formats::json::parse_object(parser, text, object, error)) {
    formats::json::FieldReader fields(object, error);
    record.method = fields.text("method");
    record.seed = fields.number("seed");
    record.pool_depth = fields.number("pool_depth");
    record.budget = fields.number("budget");
    record.min_grade = fields.integer_or_null("min_grade", -127, 127).value_or(1);
    record.pool = fields.text("pool");
    record.grades = fields.text("grades");
  }
  if (!error.empty())
    throw FormatError(
        fmt::format("{}, which says how the documents of the judgments were chosen, {}; name another file "
                    "with --out",
                    file.string(), error));
  return record;
}

void write_record(const fs::path& file, const SessionRecord& record) {
  JsonWriter json({.indent = 2});
  json.begin_object()
      .field("method", record.method)
      .field("seed", record.seed)
      .field("pool_depth", record.pool_depth)
      .field("budget", record.budget)
      .field("min_grade", record.min_grade)
      .field("pool", record.pool)
      .field("grades", record.grades)
      .end_object();
  write_file_atomically(file, json.take_line(), InTheWay::kRefuse);
}

/// What the old choice has and the new one lacks, and the other way round.
struct Differences {
  std::vector<std::string> old_words, new_words;

  template <class Value>
  void add(std::string_view name, const Value& before, const Value& now) {
    if (before == now) return;
    old_words.push_back(fmt::format("{} {}", name, before));
    new_words.push_back(fmt::format("{} {}", name, now));
  }
  void add_other(bool differ, std::string before, std::string now) {
    if (!differ) return;
    old_words.push_back(std::move(before));
    new_words.push_back(std::move(now));
  }
};

std::string grades_words(const SessionRecord& record) {
  return record.grades == kInteractive ? "grades of a judge (--interactive)"
                                       : "grades of qrels with the digest " + record.grades.substr(0, 8);
}

void refuse_differences(const fs::path& judgments, const SessionRecord& before, const SessionRecord& now) {
  Differences found;
  found.add("--method", before.method, now.method);
  if (draws(before.method) || draws(now.method)) found.add("--seed", before.seed, now.seed);
  found.add("--pool-depth", before.pool_depth, now.pool_depth);
  found.add("--min-grade", before.min_grade, now.min_grade);
  if (now.method == "top-k") found.add("--budget", before.budget, now.budget);
  found.add_other(before.pool != now.pool && before.pool_depth == now.pool_depth, "other runs", "these runs");
  found.add_other(before.grades != now.grades, grades_words(before), grades_words(now));
  if (found.old_words.empty()) return;
  throw ConfigError(fmt::format(
      "{} holds judgments of documents that were chosen with {}, and this command has {}; judgments of different "
      "choices "
      "do not mix in one file, because nobody could tell which documents were left out: name another file with --out",
      judgments.string(), fmt::join(found.old_words, " and "), fmt::join(found.new_words, " and ")));
}

}  // namespace

JudgmentFile::JudgmentFile(std::filesystem::path path) : path_(std::move(path)) {
  file_ = Descriptor(::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (!file_.is_open()) fail_to_write(path_);
  remove_torn_line(path_, file_);
  formats::trec::for_each_qrel(path_, [&](const formats::trec::QrelRecord& qrel, std::uint64_t) {
    grades_[{qrel.topic, qrel.docid}] = qrel.grade;
  });
}

std::optional<int> JudgmentFile::find(const std::string& topic, const std::string& docid) const {
  const auto found = grades_.find({topic, docid});
  return found == grades_.end() ? std::nullopt : std::optional(found->second);
}

void JudgmentFile::add(const formats::trec::QrelRecord& qrel) {
  grades_[{qrel.topic, qrel.docid}] = qrel.grade;
  if (!file_.is_open()) return;
  const auto line = formats::trec::qrel_line(qrel);
  for (std::size_t written = 0; written < line.size();) {
    const auto bytes = ::write(file_.get(), line.data() + written, line.size() - written);
    if (bytes < 0 && errno != EINTR) fail_to_write(path_);
    if (bytes > 0) written += static_cast<std::size_t>(bytes);
  }
  if (::fdatasync(file_.get()) != 0 && errno != EINVAL) fail_to_write(path_);  // EINVAL: a device
}

SessionCounts run_session(std::span<const NamedPool> pools, const AdjudicationOptions& options, int min_grade,
                          JudgmentFile& judgments,
                          const std::function<std::optional<int>(const JudgmentRequest&)>& ask) {
  SessionCounts counts;
  for (const auto& [topic, pool] : pools) {
    const auto adjudicator = make_adjudicator(options, pool, xxh3_64(topic));
    const auto budget = std::min(options.budget, pool.docids.size());
    for (std::size_t judged = 0; judged < budget; ++judged) {
      const auto document = adjudicator->next();
      if (!document) break;
      const auto& docid = pool.docids[*document];
      auto grade = judgments.find(topic, docid);
      if (!grade) {
        grade = ask({topic, docid, judged, budget});
        if (!grade) return counts;
        judgments.add({topic, docid, *grade});
        ++counts.asked;
      }
      adjudicator->judge(*grade >= min_grade);
      ++counts.judged;
      counts.relevant += *grade >= min_grade ? 1 : 0;
    }
  }
  return counts;
}

SessionRecord record_of(const AdjudicationOptions& options, std::size_t pool_depth, int min_grade,
                        std::span<const NamedPool> pools, std::string grades) {
  Sha256 digest;
  for (const auto& [topic, pool] : pools) {
    digest.update_field(topic).update_field(fmt::to_string(pool.runs.size()));
    for (const auto& run : pool.runs) {
      digest.update_field(fmt::to_string(run.size()));
      for (const auto document : run) digest.update_field(pool.docids[document]);
    }
  }
  return {std::string(choice_text(options.method)),
          options.seed,
          pool_depth,
          options.budget,
          min_grade,
          digest.hex(),
          std::move(grades)};
}

std::string describe(const SessionRecord& record) {
  return fmt::format("method {}{}, pool depth {}, budget {}, lowest relevant grade {}", record.method,
                     draws(record.method) ? fmt::format(", seed {}", record.seed) : "", record.pool_depth,
                     record.budget, record.min_grade);
}

fs::path record_file(const fs::path& judgments) {
  return judgments.string() + ".json";
}

void keep_record(const fs::path& judgments, const SessionRecord& record) {
  const auto file = record_file(judgments);
  std::error_code ignored;
  auto kept = record;
  const auto bytes = fs::is_regular_file(judgments, ignored) ? fs::file_size(judgments, ignored) : 0;
  if (bytes > 0) {
    if (!fs::exists(file, ignored)) {
      throw ConfigError(
          fmt::format("{} is not empty, and {}, which says how the documents of its judgments were chosen, is not "
                      "there; name another "
                      "file with --out",
                      judgments.string(), file.string()));
    }
    const auto before = read_record(file);
    refuse_differences(judgments, before, record);
    if (record.grades == kInteractive) kept.budget = std::max(kept.budget, before.budget);
  }
  write_record(file, kept);
}

}  // namespace touchstone::analysis::adjudication
