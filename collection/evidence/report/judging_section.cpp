#include "collection/evidence/report/overview.hpp"
#include "collection/release/report/tables.hpp"
#include "common/error.hpp"
#include "common/json_tree.hpp"
#include "common/number_text.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::collection::evidence::report::internal {

using namespace release::report;
namespace {

using formats::html::raw;
using Json = nlohmann::ordered_json;

std::uint64_t count_of(const Json& counts, const std::string& name) {
  return counts.contains(name) ? counts.at(name).get<std::uint64_t>() : 0;
}

std::string dollars(const Json& judge) {
  if (!judge.at("priced").get<bool>()) return "no price given";
  return "$" + at_most_digits(judge.at("cost_dollars").get<double>(), 4);
}

std::string cached_share(const Json& tokens) {
  const auto prompt = tokens.at("prompt").get<double>();
  return prompt == 0 ? "none" : percent(tokens.at("cached").get<double>() / prompt);
}

/// A fact of a judge: a row of the table of judges.
struct Fact {
  Html name;
  std::function<std::string(const Json&)> value;
};

std::vector<Fact> facts_of_judges() {
  const auto count = [](const char* name) {
    return [name](const Json& judge) { return with_commas(judge.at(name).get<std::uint64_t>()); };
  };
  const auto tokens = [](const char* name) {
    return [name](const Json& judge) { return with_commas(judge.at("tokens").at(name).get<std::uint64_t>()); };
  };
  const auto latency = [](const char* name) {
    return [name](const Json& judge) { return at_most_digits(judge.at("latency_ms").at(name).get<double>(), 1); };
  };
  return {
      {"questions", count("questions")},
      {"replies", count("replies")},
      {"attempts", count("attempts")},
      {"answers with a probability", count("with_probability")},
      {"labels against their own log-probabilities", count("contradicted")},
      {"quotes kept", count("quotes")},
      {"quotes not in their passage", count("quotes_not_found")},
      {"prompt tokens", tokens("prompt")},
      {raw("of these from the server's cache"), [](const Json& judge) { return cached_share(judge.at("tokens")); }},
      {"reply tokens", tokens("reply")},
      {"cost", dollars},
      {"latency, median (ms)", latency("p50")},
      {"latency, 90th percentile (ms)", latency("p90")},
      {"latency, 99th percentile (ms)", latency("p99")},
  };
}

void add_judges(const Json& judges, std::vector<ColumnHead>& columns) {
  for (const auto& judge : judges) columns.push_back({judge.at("judge").get<std::string>(), "n"});
}

/// Rows are facts, columns the judges.
Html judges_table(const Json& judges) {
  std::vector<ColumnHead> columns{{"judge"}};
  add_judges(judges, columns);
  Html rows;
  for (const auto& fact : facts_of_judges()) {
    Html row = row_head(fact.name);
    for (const auto& judge : judges) row += number_cell(Html(fact.value(judge)));
    rows += element("tr", {}, row);
  }
  return element("table", {}, table_head(columns), element("tbody", {}, rows));
}

/// Counts by name, of the panel as a whole and, where there are several judges, of each.
Html counts_table(const char* title, std::string_view field, const Json& json) {
  const auto& judges = json.at("judges");
  const bool several = judges.size() > 1;
  Json names = json.at(field);
  for (const auto& judge : judges) names.update(judge.at(field));
  std::vector<ColumnHead> columns{{title}, {"in all", "n"}};
  if (several) add_judges(judges, columns);
  Html rows;
  for (const auto& [name, count] : names.items()) {
    Html row = row_head(name) + number_cell(count_of(json.at(field), name));
    if (several) {
      for (const auto& judge : judges) row += number_cell(count_of(judge.at(field), name));
    }
    rows += element("tr", {}, row);
  }
  return element("table", {}, table_head(columns), element("tbody", {}, rows));
}

Html cascade_note(const Json& json) {
  if (!json.contains("cascade")) return {};
  const auto& cascade = json.at("cascade");
  const auto decided = cascade.at("decided_by_first").get<std::uint64_t>();
  const auto asked = cascade.at("asked_on").get<std::uint64_t>();
  const auto saved = cascade.at("saved_dollars").get<double>();
  Html text = fmt::format(
      "As a cascade: the first judge alone decided {} of {} judgments, those with a probability outside of {} to {}; "
      "{} "
      "went on.",
      with_commas(decided), with_commas(decided + asked), at_most_digits(cascade.at("band_low").get<double>(), 2),
      at_most_digits(cascade.at("band_high").get<double>(), 2), with_commas(asked));
  if (saved > 0) text += raw(fmt::format(" At the others' mean price that saved ${}.", at_most_digits(saved, 4)));
  return note(text);
}

Html card(const char* title, const Html& content) {
  return element("div", {{"class", "card"}}, element("h3", {}, title), content);
}

/// False when all judges computed their answers: there are no requests, costs and latencies to show.
bool anybody_asked(const Json& json) {
  const auto& judges = json.at("judges");
  return std::any_of(judges.begin(), judges.end(), [](const Json& judge) { return judge.at("asked").get<bool>(); });
}

}  // namespace

Html judging_section(std::string_view text) {
  if (text.empty()) return {};
  try {
    const Json json = parse_json(text);
    if (!anybody_asked(json)) return {};
    const Html line_end = raw("\n");
    const Html counts =
        element("div", {{"class", "columns"}}, line_end, card("Grades", counts_table("grade", "grades", json)),
                line_end, card("Judged, and not", counts_table("state", "states", json)), line_end);
    const Html judges = card(
        "Judges", judges_table(json.at("judges")) + cascade_note(json) +
                      note("Over all topics, those too that were discarded later. Cost by the prices at the time of "
                           "asking; latency of the attempt that was answered, to the next fourth of an octave."));
    return element("section", {{"aria-labelledby", "judging"}}, line_end, element("h2", {{"id", "judging"}}, "Judging"),
                   line_end, counts, line_end, judges, line_end) +
           raw("\n\n");
  } catch (const Json::exception& error) {
    throw FormatError(std::string("the judge stage's summary, stages/judging.json, cannot be read (") + error.what() +
                      "); run touchstone judge again with --force");
  }
}

}  // namespace touchstone::collection::evidence::report::internal
