#include "collection/report/report_judging.hpp"

#include "collection/dataset_card.hpp"
#include "collection/report/report_charts.hpp"
#include "common/error.hpp"
#include "formats/json/json_text.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include <nlohmann/json.hpp>

namespace touchstone::formats::internal {
namespace {

using Json = nlohmann::ordered_json;

std::string cell(const std::string& value) {
  return "<td class=\"n\">" + escape_html(value) + "</td>";
}

std::string count_of(const Json& counts, const std::string& name) {
  return with_commas(counts.contains(name) ? counts.at(name).get<std::uint64_t>() : 0);
}

std::string dollars(const Json& judge) {
  if (!judge.at("priced").get<bool>()) return "no price given";
  return "$" + fixed_number(judge.at("cost_dollars").get<double>(), 4);
}

std::string cached_share(const Json& tokens) {
  const auto prompt = tokens.at("prompt").get<double>();
  return prompt == 0 ? "none" : percent(tokens.at("cached").get<double>() / prompt);
}

/// Rows are facts, columns the judges.
std::string judges_table(const Json& judges) {
  struct Row {
    const char* name;
    std::function<std::string(const Json&)> value;
  };
  const auto count = [](const char* name) {
    return [name](const Json& judge) { return with_commas(judge.at(name).get<std::uint64_t>()); };
  };
  const auto tokens = [](const char* name) {
    return [name](const Json& judge) { return with_commas(judge.at("tokens").at(name).get<std::uint64_t>()); };
  };
  const auto latency = [](const char* name) {
    return [name](const Json& judge) { return fixed_number(judge.at("latency_ms").at(name).get<double>(), 1); };
  };
  const std::vector<Row> rows = {
      {"questions", count("questions")},
      {"replies", count("replies")},
      {"attempts", count("attempts")},
      {"answers with a probability", count("with_probability")},
      {"quotes kept", count("quotes")},
      {"quotes not in their passage", count("quotes_not_found")},
      {"prompt tokens", tokens("prompt")},
      {"of these from the server's cache", [](const Json& judge) { return cached_share(judge.at("tokens")); }},
      {"reply tokens", tokens("reply")},
      {"cost", dollars},
      {"latency, median (ms)", latency("p50")},
      {"latency, 90th percentile (ms)", latency("p90")},
      {"latency, 99th percentile (ms)", latency("p99")},
  };
  std::string out = "<table><thead><tr><th scope=\"col\">judge</th>";
  for (const auto& judge : judges)
    out += "<th scope=\"col\" class=\"n\">" + escape_html(judge.at("judge").get<std::string>()) + "</th>";
  out += "</tr></thead><tbody>";
  for (const auto& row : rows) {
    out += "<tr><th scope=\"row\">" + std::string(row.name) + "</th>";
    for (const auto& judge : judges) out += cell(row.value(judge));
    out += "</tr>";
  }
  return out + "</tbody></table>";
}

/// Counts by name, of the panel as a whole and, where there are several, of each judge.
std::string counts_table(std::string_view title, std::string_view field, const Json& json) {
  Json names = Json::object();
  for (const auto& [name, count] : json.at(field).items()) names[name] = count;
  for (const auto& judge : json.at("judges")) {
    for (const auto& [name, count] : judge.at(field).items()) {
      if (!names.contains(name)) names[name] = 0;
    }
  }
  std::string out =
      "<table><thead><tr><th scope=\"col\">" + std::string(title) + "</th><th scope=\"col\" class=\"n\">in all</th>";
  const bool several = json.at("judges").size() > 1;
  if (several) {
    for (const auto& judge : json.at("judges"))
      out += "<th scope=\"col\" class=\"n\">" + escape_html(judge.at("judge").get<std::string>()) + "</th>";
  }
  out += "</tr></thead><tbody>";
  for (const auto& [name, count] : names.items()) {
    out += "<tr><th scope=\"row\">" + escape_html(name) + "</th>" + cell(count_of(json.at(field), name));
    if (several) {
      for (const auto& judge : json.at("judges")) out += cell(count_of(judge.at(field), name));
    }
    out += "</tr>";
  }
  return out + "</tbody></table>";
}

std::string cascade_note(const Json& json) {
  if (!json.contains("cascade")) return "";
  const auto& cascade = json.at("cascade");
  const auto decided = cascade.at("decided_by_first").get<std::uint64_t>(),
             asked = cascade.at("asked_on").get<std::uint64_t>();
  const auto saved = cascade.at("saved_dollars").get<double>();
  return "<p class=\"note\">As a cascade: the first judge alone decided " + with_commas(decided) + " of " +
         with_commas(decided + asked) + " judgments, those with a probability outside of " +
         fixed_number(cascade.at("band_low").get<double>(), 2) + " to " +
         fixed_number(cascade.at("band_high").get<double>(), 2) + "; " + with_commas(asked) + " went on." +
         (saved > 0 ? " At the others' mean price that saved $" + fixed_number(saved, 4) + "." : "") + "</p>";
}

/// False when all judges computed their answers: there are no requests, costs and latencies to show.
bool anybody_asked(const Json& json) {
  const auto& judges = json.at("judges");
  return std::any_of(judges.begin(), judges.end(), [](const Json& judge) { return judge.at("asked").get<bool>(); });
}

}  // namespace

std::string judging_section(std::string_view text) {
  if (text.empty()) return "";
  try {
    const Json json = Json::parse(text);
    if (!anybody_asked(json)) return "";
    return "<section aria-labelledby=\"judging\">\n<h2 id=\"judging\">Judging</h2>\n<div class=\"columns\">\n<div "
           "class=\"card\"><h3>Grades</h3>" +
           counts_table("grade", "grades", json) + "</div>\n<div class=\"card\"><h3>Judged, and not</h3>" +
           counts_table("state", "states", json) + "</div>\n</div>\n<div class=\"card\"><h3>Judges</h3>" +
           judges_table(json.at("judges")) + cascade_note(json) +
           "<p class=\"note\">Over all topics, those too that were discarded later. Cost by the prices at the time of "
           "asking; "
           "latency of the attempt that was answered, to the next fourth of an octave.</p></div>\n</section>\n\n";
  } catch (const Json::exception& error) {
    throw FormatError(std::string("the judge stage's summary, stages/judging.json, cannot be read (") + error.what() +
                      "); run touchstone judge again with --force");
  }
}

}  // namespace touchstone::formats::internal
