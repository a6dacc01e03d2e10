#include "analysis/presentation/votes_text.hpp"

#include "analysis/presentation/text_parts.hpp"
#include "common/json_writer.hpp"
#include "common/number_text.hpp"
#include "formats/fields/one_line.hpp"

#include <array>
#include <iterator>

#include <fmt/format.h>

namespace touchstone::analysis::presentation {

using formats::fields::one_line;
using formats::labeling::TaskKind;
using votes::Agreement;
using votes::ItemVote;
using votes::LeftOut;
using votes::Votes;

namespace {

constexpr std::size_t kAgreements = std::size(Choices<Agreement>::table);

struct GradeRow {
  std::size_t items = 0;
  std::array<std::size_t, kAgreements> by_agreement{};
};

std::string share(std::size_t part, std::size_t whole) {
  return whole == 0 ? "-" : percent(static_cast<double>(part) / static_cast<double>(whole));
}

std::vector<std::string> cells(std::string name, const GradeRow& row, std::size_t all) {
  std::vector<std::string> made = {std::move(name), with_commas(row.items), share(row.items, all)};
  for (const std::size_t count : row.by_agreement) made.push_back(share(count, row.items));
  return made;
}

std::string counts_text(const ItemVote& item) {
  std::string text;
  for (const auto& [grade, count] : item.counts) text += fmt::format("{}{}:{}", text.empty() ? "" : " ", grade, count);
  return text;
}

std::string item_cells(const ItemVote& item) {
  return fmt::format("{}\t{}\t{}\t{}", item.topic, item.docid, one_line(item.member), choice_text(item.kind));
}

}  // namespace

std::string votes_text(const Votes& votes) {
  std::map<int, GradeRow> rows;
  GradeRow all;
  std::size_t without_grades = 0;
  std::map<LeftOut, std::size_t> left_out;
  for (const auto& item : votes.items) {
    if (item.left_out) ++left_out[*item.left_out];
    if (!item.left_out && item.kind == TaskKind::kSpans) ++without_grades;
    if (!item.grade) continue;
    for (auto* row : {&rows[*item.grade], &all}) {
      ++row->items;
      ++row->by_agreement[static_cast<std::size_t>(*item.agreement)];
    }
  }
  internal::TextTable numbers;
  numbers.row({"answers", with_commas(votes.answers)});
  if (votes.replaced > 0) numbers.row({"  replaced by a later one of the same annotator", with_commas(votes.replaced)});
  numbers.row({"annotators", with_commas(votes.annotators)});
  numbers.row({"items", with_commas(votes.items.size())});
  if (without_grades > 0) numbers.row({"  with selections and no grade", with_commas(without_grades)});
  for (const auto& [why, count] : left_out)
    numbers.row({"  left out: " + std::string(choice_text(why)), with_commas(count)});
  if (all.items == 0) return numbers.aligned();
  internal::TextTable table;
  std::vector<std::string> header = {"grade", "items", "share"};
  for (const auto& choice : Choices<Agreement>::table) header.emplace_back(choice.text);
  table.row(std::move(header));
  for (const auto& [grade, row] : rows) table.row(cells(std::to_string(grade), row, all.items));
  table.row(cells("all", all, all.items));
  return numbers.aligned() + "\n" + table.aligned();
}

std::string votes_tsv(const Votes& votes) {
  std::string text = "topic\tdocid\tmember\tkind\tgrade\tagreement\tvotes\tskipped\tcounts\n";
  for (const auto& item : votes.items) {
    if (item.left_out) continue;
    text +=
        fmt::format("{}\t{}\t{}\t{}\t{}\t{}\n", item_cells(item), item.grade ? std::to_string(*item.grade) : "",
                    item.agreement ? choice_text(*item.agreement) : "", item.voters, item.skipped, counts_text(item));
  }
  return text;
}

std::string left_out_tsv(const Votes& votes) {
  std::string text = "topic\tdocid\tmember\tkind\tvotes\tskipped\tcounts\treason\n";
  for (const auto& item : votes.items) {
    if (!item.left_out) continue;
    text += fmt::format("{}\t{}\t{}\t{}\t{}\n", item_cells(item), item.voters, item.skipped, counts_text(item),
                        choice_text(*item.left_out));
  }
  return text;
}

std::string spans_json_lines(const Votes& votes) {
  std::string lines;
  for (const auto& item : votes.items) {
    if (item.left_out || item.span_voters == 0) continue;
    JsonWriter json({.escapes = JsonEscapes::kLineBreaks});
    json.begin_object().field("topic", item.topic).field("docid", item.docid);
    if (!item.member.empty()) json.field("member", item.member);
    json.field("kind", choice_text(item.kind))
        .field("grade", item.grade)
        .field("voters", item.span_voters)
        .field("spans", item.spans)
        .key("heat")
        .begin_array();
    for (const auto& run : item.heat) json.begin_array().value(run.begin).value(run.end).value(run.voters).end_array();
    lines += json.end_array().end_object().take_line();
  }
  return lines;
}

}  // namespace touchstone::analysis::presentation
