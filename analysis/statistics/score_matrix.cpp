#include "analysis/statistics/score_matrix.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/one_line.hpp"
#include "formats/fields/quote.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>

#include <fmt/format.h>

namespace touchstone::analysis::statistics {
namespace {

using formats::fields::quote_for_message;

constexpr std::size_t kMaxLineBytes = std::size_t{1} << 26;

[[noreturn]] void refuse(const std::filesystem::path& path, std::uint64_t line, const std::string& what) {
  throw FormatError(fmt::format("{}:{}: {}", path.string(), line, what));
}

/// Separates fields by runs of blanks.
constexpr char kBlanks = '\0';

/// Fields of a line. Tabs and commas keep empty fields.
std::vector<std::string_view> split(std::string_view line, char separator) {
  if (separator == kBlanks) return text::parts_of(line, " \t");
  auto fields = formats::fields::split_at(line, separator);
  for (auto& field : fields) field = text::trimmed(field, " \t\r\"");
  return fields;
}

bool parse_score(std::string_view text, double& value) {
  return formats::fields::parse_real(text, value) && std::isfinite(value);
}

double score_of(const std::filesystem::path& path, std::uint64_t line, std::string_view text) {
  double value = 0;
  if (!parse_score(text, value))
    refuse(path, line, fmt::format("has the score {}, which is no finite number; correct it", quote_for_message(text)));
  return value;
}

bool parse_count(std::string_view text, std::size_t& count) {
  return formats::fields::parse_integer(text, std::size_t{1}, std::size_t{99'999'999}, count);
}

/// Names in the order of their first use.
class Names {
 public:
  /// Index of a name that must be new.
  void add(const std::filesystem::path& path, std::uint64_t line, std::string_view name, const char* kind) {
    if (name.empty()) refuse(path, line, fmt::format("has an empty name of a {}; name it", kind));
    if (!index_.emplace(std::string(name), names.size()).second)
      refuse(
          path, line,
          fmt::format("names the {} {} a second time; give each one name of its own", kind, quote_for_message(name)));
    names.emplace_back(name);
  }
  std::size_t find_or_add(std::string_view name) {
    const auto [found, added] = index_.emplace(std::string(name), names.size());
    if (added) names.emplace_back(name);
    return found->second;
  }
  std::vector<std::string> names;

 private:
  std::unordered_map<std::string, std::size_t> index_;
};

struct Line {
  std::uint64_t number;
  std::string text;
};

std::vector<Line> read_lines(const std::filesystem::path& path) {
  std::vector<Line> lines;
  for_each_line(
      path,
      [&](std::string_view line, std::uint64_t number) {
        if (number == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
        const bool is_comment = lines.empty() && line.starts_with('#');
        if (!is_comment && !formats::fields::is_blank(line)) lines.push_back({number, std::string(line)});
        return true;
      },
      kMaxLineBytes);
  if (lines.empty()) throw FormatError(fmt::format("{}: is empty; a table of scores was expected", path.string()));
  return lines;
}

std::vector<std::string> numbered(const char* kind, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 1; i <= count; ++i) names.push_back(fmt::format("{}{}", kind, i));
  return names;
}

std::string counted(std::size_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// [columns][rows] of a matrix with [rows][columns].
std::vector<double> transposed(const std::vector<double>& values, std::size_t rows, std::size_t columns) {
  std::vector<double> out(values.size());
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c) out[c * rows + r] = values[r * columns + c];
  return out;
}

/// Whether a header is that of `touchstone evaluate --format tsv`.
bool is_long_form(const std::vector<std::string_view>& header) {
  return header == std::vector<std::string_view>{"run", "measure", "topic", "value"};
}

ScoreMatrix read_long_form(const std::filesystem::path& path, const std::vector<Line>& lines) {
  Names systems, topics;
  std::string measure;
  std::unordered_map<std::uint64_t, double> cells;  // grows with the lines, not with systems x topics
  const auto key = [](std::size_t system, std::size_t topic) { return std::uint64_t{system} << 32 | topic; };
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto fields = split(lines[i].text, '\t');
    if (fields.size() != 4)
      refuse(path, lines[i].number,
             fmt::format("has {} instead of the 4 of \"run measure topic value\"; repair it",
                         counted(fields.size(), "column")));
    if (fields[2] == "all") continue;
    if (measure.empty()) measure = fields[1];
    if (measure != fields[1])
      refuse(path, lines[i].number,
             fmt::format("has the measure {} after {}; keep one measure in the file", quote_for_message(fields[1]),
                         quote_for_message(measure)));
    const double value = score_of(path, lines[i].number, fields[3]);
    if (!cells.emplace(key(systems.find_or_add(fields[0]), topics.find_or_add(fields[2])), value).second)
      refuse(path, lines[i].number,
             fmt::format("scores {} on topic {} a second time; keep one of the lines", quote_for_message(fields[0]),
                         quote_for_message(fields[2])));
  }
  ScoreMatrix matrix;
  for (std::size_t s = 0; s < systems.names.size(); ++s) {
    for (std::size_t t = 0; t < topics.names.size(); ++t) {
      const auto found = cells.find(key(s, t));
      if (found == cells.end())
        throw FormatError(
            fmt::format("{}: has no score of {} on topic {}; evaluate with --complete, so that it counts as 0",
                        path.string(), quote_for_message(systems.names[s]), quote_for_message(topics.names[t])));
      matrix.values.push_back(found->second);
    }
  }
  matrix.systems = std::move(systems.names);
  matrix.topics = std::move(topics.names);
  matrix.source.measure = measure;
  return matrix;
}

/// `TOPICS SYSTEMS`, then a line of scores for each topic.
ScoreMatrix read_counted_form(const std::filesystem::path& path, const std::vector<Line>& lines, std::size_t topics,
                              std::size_t systems) {
  if (lines.size() - 1 != topics)
    refuse(path, lines[0].number,
           fmt::format("announces {}, and {} of scores follow; correct the count or the lines",
                       counted(topics, "topic"), counted(lines.size() - 1, "line")));
  std::vector<double> values;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto fields = split(lines[i].text, kBlanks);
    if (fields.size() != systems)
      refuse(path, lines[i].number,
             fmt::format("has {} where line {} announces {}; complete the line", counted(fields.size(), "score"),
                         lines[0].number, systems));
    for (const auto field : fields) values.push_back(score_of(path, lines[i].number, field));
  }
  return {numbered("system", systems), numbered("topic", topics), transposed(values, topics, systems)};
}

bool one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

void need_values(const std::filesystem::path& path, const ScoreMatrix& matrix) {
  if (matrix.values.empty())
    throw FormatError(fmt::format("{}: has a header and no scores; add lines of scores", path.string()));
}

}  // namespace

std::vector<double> ScoreMatrix::means() const {
  std::vector<double> means(systems.size());
  for (std::size_t s = 0; s < systems.size(); ++s) {
    for (std::size_t t = 0; t < topics.size(); ++t) means[s] += at(s, t);
    means[s] /= static_cast<double>(topics.size());
  }
  return means;
}

namespace {

ScoreMatrix read_any_form(const std::filesystem::path& path) {
  const auto lines = read_lines(path);
  const std::string& header = lines[0].text;
  const auto words = split(header, kBlanks);
  std::size_t counted_topics = 0, counted_systems = 0;
  if (words.size() == 2 && parse_count(words[0], counted_topics) && parse_count(words[1], counted_systems))
    return read_counted_form(path, lines, counted_topics, counted_systems);

  const char separator = header.find('\t') != std::string::npos ? '\t' : ',';
  const auto columns = split(header, separator);
  ScoreMatrix matrix;
  if (is_long_form(columns)) {
    matrix = read_long_form(path, lines);
    need_values(path, matrix);
    return matrix;
  }
  double ignored = 0;
  if (columns.size() < 2 || parse_score(columns[0], ignored))
    refuse(path, lines[0].number,
           "is no header of a table of scores; start it with \"run\" and topics, with \"topic\" and systems, or with "
           "the counts of topics and systems");
  const bool systems_in_rows = one_of(columns[0], {"run", "system"});
  const bool rows_have_names = systems_in_rows || one_of(columns[0], {"topic", "query", "qid", ""});
  Names across, down;
  for (std::size_t c = rows_have_names ? 1 : 0; c < columns.size(); ++c)
    across.add(path, lines[0].number, columns[c], systems_in_rows ? "topic" : "system");
  std::vector<double> values;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto fields = split(lines[i].text, separator);
    if (fields.size() != columns.size())
      refuse(path, lines[i].number,
             fmt::format("has {} where the header has {}; complete the line", counted(fields.size(), "column"),
                         columns.size()));
    if (rows_have_names) down.add(path, lines[i].number, fields[0], systems_in_rows ? "system" : "topic");
    for (std::size_t c = rows_have_names ? 1 : 0; c < fields.size(); ++c)
      values.push_back(score_of(path, lines[i].number, fields[c]));
  }
  const std::size_t rows = lines.size() - 1;
  if (systems_in_rows) {
    matrix = {std::move(down.names), std::move(across.names), std::move(values)};
  } else {
    matrix.values = transposed(values, rows, across.names.size());
    matrix.systems = std::move(across.names);
    matrix.topics = rows_have_names ? std::move(down.names) : numbered("topic", rows);
  }
  need_values(path, matrix);
  return matrix;
}

}  // namespace

ScoreMatrix read_score_matrix(const std::filesystem::path& path) {
  auto matrix = read_any_form(path);
  matrix.source.matrix = path.string();
  return matrix;
}

std::string missing_answers(const ScoreMatrix& scores) {
  constexpr std::size_t kMostNamed = 5;
  std::string runs;
  std::size_t lacking = 0;
  for (std::size_t s = 0; s < scores.source.unanswered.size(); ++s) {
    if (scores.source.unanswered[s] == 0 || ++lacking > kMostNamed) continue;
    runs += fmt::format("{}{} {}", runs.empty() ? "" : ", ", scores.systems[s], scores.source.unanswered[s]);
  }
  if (lacking > kMostNamed) runs += fmt::format(" and {} more runs", lacking - kMostNamed);
  if (scores.source.complete && lacking > 0) return fmt::format("topics without an answer count as 0 ({})", runs);
  if (scores.topics_left_out == 0) return "";
  return fmt::format("topics left out: {} of {} ({})", scores.topics_left_out,
                     scores.topics_left_out + scores.topics.size(),
                     lacking > 0 ? "not answered: " + runs : "a run has no value");
}

ScoreMatrix select_systems(const ScoreMatrix& scores, const std::vector<std::string>& names) {
  ScoreMatrix selected{names, scores.topics, {}, scores.topics_left_out, scores.source};
  selected.source.run_files.clear();
  selected.source.run_tags.clear();
  selected.source.unanswered.clear();
  for (const auto& name : names) {
    const auto found = std::find(scores.systems.begin(), scores.systems.end(), name);
    if (found == scores.systems.end())
      throw Error(
          fmt::format("the second matrix has no system {}; give both the same systems", quote_for_message(name)));
    const auto system = static_cast<std::size_t>(found - scores.systems.begin());
    if (!scores.source.run_files.empty()) {
      selected.source.run_files.push_back(scores.source.run_files[system]);
      selected.source.run_tags.push_back(scores.source.run_tags[system]);
      if (!scores.source.unanswered.empty()) selected.source.unanswered.push_back(scores.source.unanswered[system]);
    }
    const auto row =
        scores.values.begin() + (found - scores.systems.begin()) * static_cast<std::ptrdiff_t>(scores.topics.size());
    selected.values.insert(selected.values.end(), row, row + static_cast<std::ptrdiff_t>(scores.topics.size()));
  }
  return selected;
}

std::size_t find_system(const ScoreMatrix& scores, std::string_view name) {
  const auto& systems = scores.systems;
  const auto named = std::find(systems.begin(), systems.end(), name);
  if (named != systems.end()) return static_cast<std::size_t>(named - systems.begin());
  std::vector<std::size_t> found;
  const auto& files = scores.source.run_files;
  for (std::size_t s = 0; s < files.size(); ++s) {
    const std::filesystem::path file = files[s];
    const auto base = file.filename().string();
    if (name == files[s] || name == base || (file.extension() == ".gz" && name == file.stem().string()))
      found.push_back(s);
  }
  if (found.size() == 1) return found.front();
  std::string known;
  for (std::size_t s = 0; s < std::min<std::size_t>(systems.size(), 5); ++s)
    known += (s == 0 ? "" : ", ") + quote_for_message(systems[s]);
  if (systems.size() > 5) known += ", ...";
  throw ConfigError(fmt::format("{} {}; name one of {}", quote_for_message(name),
                                found.empty() ? "is not a compared system" : "names several of the compared systems",
                                known));
}

SystemScores read_system_scores(const std::filesystem::path& path, std::string_view column) {
  const auto lines = read_lines(path);
  const char separator = lines[0].text.find('\t') != std::string::npos ? '\t' : kBlanks;
  const auto header = split(lines[0].text, separator);
  const bool has_header = one_of(header[0], {"run", "system", "name"});
  const bool from_evaluate = is_long_form(header);
  std::size_t wanted = from_evaluate ? 3 : 1;
  if (!column.empty()) {
    const auto found = std::find(header.begin(), header.end(), column);
    if (!has_header || found == header.end())
      refuse(path, lines[0].number,
             fmt::format("has no column {}; name one of a header that starts with run, system or name",
                         quote_for_message(column)));
    wanted = static_cast<std::size_t>(found - header.begin());
  } else if (header.size() > 2 && !from_evaluate) {
    refuse(path, lines[0].number,
           fmt::format("has {} columns; name the one with the scores by --column-a or --column-b, or keep name and "
                       "score alone",
                       header.size()));
  }
  Names names;
  SystemScores scores;
  for (std::size_t i = has_header ? 1 : 0; i < lines.size(); ++i) {
    const auto fields = split(lines[i].text, separator);
    if (fields.size() != header.size() || fields.size() < 2)
      refuse(path, lines[i].number,
             fmt::format("has {} instead of {} (name, score); repair it", counted(fields.size(), "column"),
                         std::max<std::size_t>(2, header.size())));
    if (from_evaluate && fields[2] != "all") continue;
    if (from_evaluate) scores.measure = fields[1];
    names.add(path, lines[i].number, fields[0], "system");
    scores.scores.push_back(score_of(path, lines[i].number, fields[wanted]));
  }
  scores.systems = std::move(names.names);
  scores.file = path.string();
  scores.column = column;
  if (scores.systems.size() < 2)
    throw FormatError(fmt::format("{}: scores fewer than two systems; a ranking needs two", path.string()));
  return scores;
}

}  // namespace touchstone::analysis::statistics
