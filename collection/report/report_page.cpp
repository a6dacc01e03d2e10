#include "collection/collection.hpp"
#include "collection/dataset_card.hpp"
#include "collection/report/report_assets.hpp"
#include "collection/report/report_charts.hpp"
#include "collection/report/report_data.hpp"
#include "collection/report/report_judging.hpp"
#include "common/error.hpp"
#include "common/unicode.hpp"
#include "formats/json/json_text.hpp"
#include "formats/text/field_text.hpp"

#include <algorithm>
#include <functional>
#include <unordered_map>

namespace touchstone::formats {
namespace {

using internal::ReportData;
using internal::ReportPassage;
using internal::ReportTopic;
using internal::two_digits;
using internal::with_commas;

/// The address in front of a page's title, from the wiki's base address (that of its main page); empty when there is
/// none. Only http and https, so that no dump can put another kind of link on the page.
std::string article_address(const std::string& base_url) {
  if (base_url.rfind("https://", 0) != 0 && base_url.rfind("http://", 0) != 0) return "";
  const auto title = base_url.find("title=");
  if (title != std::string::npos) return base_url.substr(0, title + 6);
  if (base_url.find('?') != std::string::npos) return "";
  const auto slash = base_url.rfind('/');
  return slash < 8 ? "" : base_url.substr(0, slash + 1);
}

std::string tile(std::string_view value, std::string_view name, std::string_view note = "") {
  return "<div class=\"tile\"><dt>" + escape_html(name) + "</dt><dd><b>" + escape_html(value) + "</b>" +
         (note.empty() ? "" : "<span>" + escape_html(note) + "</span>") + "</dd></div>";
}

std::string tiles(const CollectionNumbers& numbers) {
  return tile(with_commas(numbers.topics), "topics", "queries of the collection") +
         tile(with_commas(numbers.members), "members", with_commas(numbers.distinct_members) + " distinct articles") +
         tile(with_commas(numbers.passages), "passages", "in the corpus") +
         tile(with_commas(numbers.evidence), "evidence", "of " + with_commas(numbers.qrels) + " in the qrels") +
         tile(two_digits(numbers.evidence_mean), "evidence per topic",
              "mean; median " + fixed_number(numbers.evidence_median, 1)) +
         tile(internal::percent(numbers.outside_own_article), "outside own article",
              "of evidence is not from an article of a member");
}

std::string spread_row(std::string_view name, double mean, double median, std::uint64_t min, std::uint64_t max) {
  const auto cell = [](const std::string& value) { return "<td class=\"n\">" + value + "</td>"; };
  return "<tr><th scope=\"row\">" + std::string(name) + "</th>" + cell(two_digits(mean)) +
         cell(fixed_number(median, 1)) + cell(with_commas(min)) + cell(with_commas(max)) + "</tr>";
}

std::string spreads(const CollectionNumbers& numbers) {
  return "<table><thead><tr><th scope=\"col\">per topic</th><th scope=\"col\" class=\"n\">mean</th><th scope=\"col\" "
         "class=\"n\">median</th><th scope=\"col\" class=\"n\">min</th><th scope=\"col\" "
         "class=\"n\">max</th></tr></thead>"
         "<tbody>" +
         spread_row("members", numbers.members_mean, numbers.members_median, numbers.members_min, numbers.members_max) +
         spread_row("evidence", numbers.evidence_mean, numbers.evidence_median, numbers.evidence_min,
                    numbers.evidence_max) +
         "</tbody></table>";
}

std::string judgment_counts(const CollectionNumbers& numbers, const ReportData& data) {
  const double judged = static_cast<double>(std::max<std::uint64_t>(numbers.judgments, 1));
  const auto row = [&](std::string_view name, std::uint64_t count) {
    return "<tr><th scope=\"row\">" + std::string(name) + "</th><td class=\"n\">" + with_commas(count) +
           "</td><td class=\"n\">" + internal::percent(static_cast<double>(count) / judged) + "</td></tr>";
  };
  std::string out =
      "<table><thead><tr><th scope=\"col\">judgments of (topic, member, passage)</th><th scope=\"col\" "
      "class=\"n\">count</th><th scope=\"col\" class=\"n\">share</th></tr></thead><tbody>" +
      row("yes", numbers.judged_yes) + row("no", numbers.judged_no) + row("without a grade", numbers.unjudged) +
      "</tbody></table>";
  if (data.without_probability > 0) {
    out += "<p class=\"note\">" + with_commas(data.without_probability) +
           " judgments have no probability and are not in the chart.</p>";
  }
  return out;
}

std::string facts(const ReportData& data) {
  const CollectionInfo& info = data.manifest.info;
  std::string out;
  const auto fact = [&](std::string_view name, std::string_view value) {
    if (!is_blank(value)) out += "<dt>" + std::string(name) + "</dt><dd dir=\"auto\">" + escape_html(value) + "</dd>";
  };
  fact("collection", info.name);
  fact("wiki",
       info.site_name.empty() || info.site_name == info.wiki ? info.wiki : info.site_name + " (" + info.wiki + ")");
  fact("address", info.base_url);
  fact("language", info.language);
  fact("dump", joined(info.dump_names, ", "));
  fact("newest revision", info.dump_date);
  fact("corpus", info.corpus_scope);
  fact("reading of lists", info.mode);
  fact("judge", info.judge);
  if (data.judges.size() > 1 || (data.judges.size() == 1 && data.judges.front() != info.judge)) {
    fact("judges found in the judgments", joined(data.judges, ", "));
  }
  fact("licence of the texts", info.license);
  fact("made by", "touchstone " + info.program_version);
  return "<dl class=\"facts\">" + out + "</dl>";
}

std::string build_details(const CollectionInfo& info) {
  if (info.manifest_json.empty() || info.manifest_json == "{}") return "";
  const auto json = nlohmann::ordered_json::parse(info.manifest_json, nullptr, false);
  if (json.is_discarded()) return "";
  return "<details class=\"more\"><summary>Configuration, counts and digests of the build</summary><pre>" +
         escape_html(internal::pretty_json(json)) + "</pre></details>";
}

std::string discarded_list(const ReportData& data) {
  if (data.discarded.empty()) return "";
  std::string out = "<details class=\"more\"><summary>All that was left out, one by one (" +
                    with_commas(data.discarded_count) +
                    ")</summary><div class=\"scroll\"><table class=\"list\"><thead><tr><th scope=\"col\">kind</th><th "
                    "scope=\"col\">page</th><th scope=\"col\">section</th><th scope=\"col\">column</th><th "
                    "scope=\"col\">reason</th><th scope=\"col\">detail</th></tr></thead><tbody>";
  for (const auto& record : data.discarded) {
    out += "<tr>";
    for (const auto& value :
         {record.kind, record.page, join_path(record.section_path), record.column, record.reason, record.detail}) {
      out += "<td dir=\"auto\">" + escape_html(value) + "</td>";
    }
    out += "</tr>";
  }
  out += "</tbody></table></div>";
  if (data.discarded.size() < data.discarded_count) {
    out += "<p class=\"note\">" + with_commas(data.discarded_count - data.discarded.size()) +
           " more are in discarded.tsv.</p>";
  }
  return out + "</details>";
}

/// The topic as everyone sees it, scripts or not; report.js fills the body when it is opened.
std::string topic_summary(const ReportTopic& shown, std::size_t index) {
  const std::string id = escape_html(shown.topic.id);
  const std::string counts = "<span class=\"counts\"><span class=\"pill\">" + with_commas(shown.member_count) +
                             (shown.member_count == 1 ? " member" : " members") +
                             "</span><span class=\"pill strong\">" + with_commas(shown.evidence_count) +
                             " evidence</span></span>";
  return "<details class=\"topic\" id=\"topic-" + id + "\" data-index=\"" + std::to_string(index) +
         "\" data-evidence=\"" + std::to_string(shown.evidence_count) + "\" data-members=\"" +
         std::to_string(shown.member_count) + "\"><summary><span class=\"query\" dir=\"auto\">" +
         escape_html(shown.topic.query) + "</span>" + counts + "<span class=\"structured\" dir=\"auto\">" +
         escape_html(shown.topic.structured) +
         "</span></summary><div class=\"body\"><noscript><p class=\"note\">Topic " + id +
         ". Members and passages are shown with scripts on; without them, look into members.jsonl and "
         "judgments.jsonl.gz.</p></noscript></div></details>\n";
}

void append_ranges(std::string& out, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& ranges,
                   std::uint32_t first, std::size_t length) {
  out += '[';
  bool any = false;
  for (const auto& [start, end] : ranges) {
    if (start < first || end < first || end - first > length || start >= end) continue;  // in a part that is not shown
    if (any) out += ',';
    any = true;
    out += "[" + std::to_string(start - first) + "," + std::to_string(end - first) + "]";
  }
  out += ']';
}

void append_strings(std::string& out, const std::vector<std::string>& values) {
  out += '[';
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out += ',';
    append_json_string(out, values[i]);
  }
  out += ']';
}

/// For report.js, in short names: d docid, t title, s section, x text (null: left out), b and e cut at begin and end,
/// j judgments of [member, grade, probability, reason, own article, state, mentions, spans].
void append_passage(std::string& out, const ReportPassage& shown) {
  const std::size_t length = count_code_points(shown.passage.text);
  out += "{\"d\":";
  append_json_string(out, shown.passage.docid);
  out += ",\"t\":";
  append_json_string(out, shown.passage.title);
  out += ",\"s\":";
  append_strings(out, shown.passage.section_path);
  out += ",\"x\":";
  if (shown.found) {
    append_json_string(out, shown.passage.text);
  } else {
    out += "null";
  }
  if (shown.first_code_point > 0) out += ",\"b\":1";
  if (shown.cut_at_end) out += ",\"e\":1";
  out += ",\"j\":[";
  bool first = true;
  for (const auto& judgment : shown.judgments) {
    if (!first) out += ',';
    first = false;
    out += '[';
    append_json_string(out, judgment.member);
    out += "," + (judgment.grade ? std::to_string(*judgment.grade) : "null") + "," +
           (judgment.probability ? fixed_number(*judgment.probability, 4) : "null") + ",";
    append_json_string(out, judgment.reason);
    out += judgment.own_article ? ",1," : ",0,";
    append_json_string(out, judgment.state);
    out += ',';
    append_ranges(out, judgment.mentions, shown.first_code_point, length);
    out += ',';
    append_ranges(out, judgment.spans, shown.first_code_point, length);
    out += ']';
  }
  out += "]}";
}

void append_passages(std::string& out, std::string_view name, const std::vector<ReportPassage>& passages) {
  out += ",\"" + std::string(name) + "\":[";
  for (std::size_t i = 0; i < passages.size(); ++i) {
    if (i > 0) out += ',';
    append_passage(out, passages[i]);
  }
  out += ']';
}

void append_topic(std::string& out, const ReportTopic& shown) {
  out += "{\"id\":";
  append_json_string(out, shown.topic.id);
  if (!shown.opened) {
    out += '}';
    return;
  }
  out += ",\"page\":";
  append_json_string(out, shown.topic.page);
  out += ",\"section\":";
  append_strings(out, shown.topic.section_path);
  out += ",\"column\":";
  append_json_string(out, shown.topic.column);
  out += ",\"source\":";
  append_json_string(out, shown.topic.query_source);
  out += ",\"counts\":[" + std::to_string(shown.member_count) + "," + std::to_string(shown.evidence_count) + "," +
         std::to_string(shown.not_evidence_count) + "," + std::to_string(shown.unjudged_count) + "],\"members\":[";
  for (std::size_t i = 0; i < shown.members.size(); ++i) {
    const MemberRecord& member = shown.members[i];
    out += i == 0 ? "[" : ",[";
    append_json_string(out, member.title);
    out += ',';
    append_json_string(out, member.qid);
    out += "," + std::to_string(member.candidates) + "," + std::to_string(member.evidence) + ",";
    append_strings(out, member.aliases);
    out += ']';
  }
  out += ']';
  append_passages(out, "yes", shown.evidence);
  append_passages(out, "no", shown.not_evidence);
  append_passages(out, "unjudged", shown.unjudged);
  out += '}';
}

/// The data of report.js. No "<" leaves it, so nothing in a text can end the script element.
std::string topics_json(const ReportData& data) {
  std::string json = "{\"address\":";
  append_json_string(json, article_address(data.manifest.info.base_url));
  json += ",\"topics\":[";
  for (std::size_t i = 0; i < data.topics.size(); ++i) {
    json += i == 0 ? "\n" : ",\n";
    append_topic(json, data.topics[i]);
  }
  json += "\n]}";
  std::string out;
  out.reserve(json.size() + json.size() / 16);
  for (const char c : json) {
    switch (c) {
      case '<':
        out += "\\u003c";
        break;
      case '>':
        out += "\\u003e";
        break;
      case '&':
        out += "\\u0026";
        break;
      default:
        out += c;
    }
  }
  return out;
}

/// What the page does not show for want of room.
std::string left_out_note(const ReportData& data) {
  std::string out;
  const auto opened = static_cast<std::uint64_t>(
      std::count_if(data.topics.begin(), data.topics.end(), [](const ReportTopic& topic) { return topic.opened; }));
  if (opened < data.manifest.numbers.topics) {
    out += "Members and passages are embedded for the first " + with_commas(opened) + " of " +
           with_commas(data.manifest.numbers.topics) +
           " topics by id; the others are in members.jsonl and judgments.jsonl.gz. ";
  }
  if (data.topics.size() < data.manifest.numbers.topics) {
    out += "Only " + with_commas(data.topics.size()) + " topics are listed; all are in topics.tsv. ";
  }
  if (data.texts_left_out > 0) {
    out += "The texts of " + with_commas(data.texts_left_out) +
           " passages were left out to keep this page small; they are in corpus.jsonl.gz. ";
  }
  return out.empty() ? "" : "<p class=\"note\">" + out + "</p>";
}

std::string topic_list(const ReportData& data) {
  if (data.topics.empty())
    return "<p class=\"empty\">The collection has no topics. The table above says what was left out and why.</p>";
  std::vector<std::size_t> order(data.topics.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return data.topics[a].topic.structured < data.topics[b].topic.structured;
  });
  std::string out;
  for (const std::size_t index : order) out += topic_summary(data.topics[index], index);
  return out;
}

/// Replaces every `{{name}}` of the template by its value; values are not looked into.
std::string fill(std::string_view page, const std::unordered_map<std::string, std::string>& values) {
  std::string out;
  for (;;) {
    const auto open = page.find("{{");
    out += page.substr(0, open);
    if (open == std::string_view::npos) return out;
    const auto close = page.find("}}", open);
    TS_CHECK(close != std::string_view::npos, "web/report.html closes its placeholders");
    const auto value = values.find(std::string(page.substr(open + 2, close - open - 2)));
    TS_CHECK(value != values.end(), "web/report.html uses known placeholders");
    out += value->second;
    page.remove_prefix(close + 2);
  }
}

}  // namespace

std::string render_report(const std::filesystem::path& directory, const ReportLimits& limits,
                          std::string_view judging) {
  const ReportData data = internal::read_report_data(directory, limits);
  const CollectionInfo& info = data.manifest.info;
  const CollectionNumbers& numbers = data.manifest.numbers;
  const std::string site = info.site_name.empty() ? info.wiki : info.site_name;
  return fill(internal::kReport_html,
              {{"style", std::string(internal::kReport_css)},
               {"script", std::string(internal::kReport_js)},
               {"title", escape_html(info.name)},
               {"lead", escape_html("Evidence retrieval collection built from " + site + ", " +
                                    (info.dump_date.empty() ? "" : "as of " + info.dump_date.substr(0, 10) + ", ") +
                                    "by touchstone " + info.program_version + ".")},
               {"label-class", info.baseline_judge ? "banner baseline" : "banner"},
               {"label-title", info.baseline_judge ? "Baseline labels" : "Labels"},
               {"label-statement", escape_html(internal::label_statement(info))},
               {"label-method", escape_html(internal::label_method())},
               {"tiles", tiles(numbers)},
               {"spreads", spreads(numbers)},
               {"judgment-counts", judgment_counts(numbers, data)},
               {"judging", internal::judging_section(judging)},
               {"buckets", internal::bucket_table(numbers)},
               {"evidence-histogram", internal::evidence_histogram(data.evidence_per_topic)},
               {"probability-histogram", internal::probability_histogram(data.probabilities)},
               {"discarded", internal::discarded_table(numbers.discarded)},
               {"discarded-list", discarded_list(data)},
               {"facts", facts(data)},
               {"build", build_details(info)},
               {"left-out", left_out_note(data)},
               {"topics", topic_list(data)},
               {"data", topics_json(data)}});
}

}  // namespace touchstone::formats
