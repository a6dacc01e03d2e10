#include "collection/automatic/report/automatic_overview.hpp"

#include "collection/automatic/leak_check.hpp"
#include "collection/release/report/shown_text.hpp"
#include "collection/release/report/tables.hpp"
#include "common/number_text.hpp"

#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace touchstone::collection::automatic::report::internal {

using namespace release::report;
namespace {

SplitNumbers sum_of(const AutomaticOverview& overview) {
  SplitNumbers all = overview.train;
  all.add(overview.test);
  return all;
}

Html overview_tile(std::uint64_t value, const Html& name, const Html& remark) {
  return element("div", {{"class", "tile"}}, element("dt", {}, name),
                 element("dd", {}, element("b", {}, with_commas(value)), element("span", {}, remark)));
}

std::string ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "–" : fixed_digits(static_cast<double>(part) / static_cast<double>(whole), 1);
}

/// A row with our numbers and those of the paper; texts, so that a cell may be empty.
Html compared_row(const Html& name, const std::vector<std::string>& ours, const std::vector<std::string>& paper) {
  Html cells = row_head(name);
  for (const auto& value : ours) cells += number_cell(value);
  for (const auto& value : paper) cells += element("td", {{"class", "n paper"}}, value);
  return element("tr", {}, cells);
}

Html compared_table(const std::vector<ColumnHead>& heads, const Html& rows, const Html& remark) {
  return element("table", {}, table_head(heads), element("tbody", {}, rows)) + note(remark);
}

}  // namespace

Html automatic_tiles(const AutomaticOverview& overview) {
  const auto all = sum_of(overview);
  const auto split = [](std::uint64_t train, std::uint64_t test) {
    return with_commas(train) + " train, " + with_commas(test) + " test";
  };
  return overview_tile(all.topics, "topics", split(overview.train.topics, overview.test.topics)) +
         overview_tile(all.facets, "facets", split(overview.train.facets, overview.test.facets)) +
         overview_tile(all.passages, "relevant passages", "pairs of facet and passage") +
         overview_tile(all.entities, "relevant entities", "pairs of facet and entity") +
         overview_tile(overview.manifest.numbers.passages, "passages in the corpus", "near-duplicates replaced") +
         overview_tile(overview.manifest.numbers.knowledge_pages, "pages in the knowledge base",
                       "without the query pages");
}

Html passage_table(const AutomaticOverview& overview) {
  const auto& train = overview.train;
  const auto& test = overview.test;
  const auto both = [](std::uint64_t a, std::uint64_t b) {
    return std::vector<std::string>{with_commas(a), with_commas(b)};
  };
  const Html rows =
      compared_row("Size of the passage corpus, duplicates removed",
                   both(overview.manifest.numbers.passages, overview.manifest.numbers.passages),
                   {"29,678,367", "29,678,367"}) +
      compared_row("Topics (title)", both(train.topics, test.topics), {"117", "133"}) +
      compared_row("Facets (title/heading) with passages directly below",
                   both(train.facets_with_passages, test.facets_with_passages), {"1,816", "2,125"}) +
      compared_row("Relevant passages, each with its innermost facet",
                   both(train.passages - train.lead_passages, test.passages - test.lead_passages), {"4,530", "5,820"}) +
      compared_row("Relevant passages per such facet",
                   {ratio(train.passages - train.lead_passages, train.facets_with_passages),
                    ratio(test.passages - test.lead_passages, test.facets_with_passages)},
                   {"2.5", "2.7"}) +
      compared_row("Headings, with and without passages", both(train.facets, test.facets), {"", ""}) +
      compared_row("Relevant passages of leads, which are of no facet", both(train.lead_passages, test.lead_passages),
                   {"", ""}) +
      compared_row("Relevant passages of topics (article qrels)", both(train.article_passages, test.article_passages),
                   {"", ""}) +
      compared_row("Relevant passages with every facet around them (tree qrels)",
                   both(train.tree_passages, test.tree_passages), {"", ""});
  return compared_table(
      {{"statistic"}, {"train", "n"}, {"test", "n"}, {"paper: Y1 train", "n paper"}, {"paper: Y1 test ★", "n paper"}},
      rows,
      "Paper: Dietz and Dalton, “Humans optional?”, table 1 (benchmarkY1train and benchmarkY1test, English Wikipedia "
      "of 2016); passages per facet are "
      "computed from it. Empty: the paper gives no such number. Its rows on manual judgments are left out, because "
      "this collection has none.");
}

Html entity_table(const AutomaticOverview& overview) {
  const auto& train = overview.train;
  const auto& test = overview.test;
  const auto both = [](std::uint64_t a, std::uint64_t b) {
    return std::vector<std::string>{with_commas(a), with_commas(b)};
  };
  const Html rows =
      compared_row("Size of the knowledge base, without query pages",
                   both(overview.manifest.numbers.knowledge_pages, overview.manifest.numbers.knowledge_pages),
                   {"5,153,990", "5,153,990", "5,153,990"}) +
      compared_row("Topics (title)", both(train.topics, test.topics), {"117", "31", "34"}) +
      compared_row("Facets (title/heading) with passages directly below",
                   both(train.facets_with_passages, test.facets_with_passages), {"1,816", "277", "699"}) +
      compared_row("Relevant entities, each with its innermost facet",
                   both(train.entities - train.lead_entities, test.entities - test.lead_entities),
                   {"13,031", "1,727", "15,317"}) +
      compared_row("Relevant entities per such facet",
                   {ratio(train.entities - train.lead_entities, train.facets_with_passages),
                    ratio(test.entities - test.lead_entities, test.facets_with_passages)},
                   {"7.2", "6.2", "21.9"}) +
      compared_row("Facets with entities directly below", both(train.facets_with_entities, test.facets_with_entities),
                   {"", "", ""}) +
      compared_row("Relevant entities of leads, which are of no facet", both(train.lead_entities, test.lead_entities),
                   {"", "", ""}) +
      compared_row("Relevant entities of topics (article qrels)", both(train.article_entities, test.article_entities),
                   {"", "", ""});
  return compared_table({{"statistic"},
                         {"train", "n"},
                         {"test", "n"},
                         {"paper: Y1 train", "n paper"},
                         {"paper: TQA ★", "n paper"},
                         {"paper: Wiki-18 ★", "n paper"}},
                        rows,
                        "Paper: table 2 (benchmarkY1train and the two parts of benchmarkY2test). Its entities of TQA "
                        "and Wiki-18 come from an entity linker, "
                        "and their facets are headings of every level; ours are the targets of the links that editors "
                        "made, each counted for the innermost heading. "
                        "Entities per facet are computed from the table.");
}

Html fold_table(const AutomaticOverview& overview) {
  const auto hierarchical = static_cast<std::size_t>(QrelsLevel::kHierarchical);
  Html rows;
  for (const auto& [name, part] : overview.manifest.numbers.parts) {
    if (name.starts_with("fold-"))
      rows += element("tr", {}, row_head(name), number_cell(part.pages), number_cell(part.facets),
                      number_cell(part.passages.at(hierarchical)), number_cell(part.entities.at(hierarchical)));
  }
  if (rows.empty()) return {};
  return element(
      "div", {{"class", "card wide-table"}}, element("h3", {}, "Folds"),
      element("table", {},
              table_head(
                  {{"part"}, {"topics", "n"}, {"facets", "n"}, {"relevant passages", "n"}, {"relevant entities", "n"}}),
              element("tbody", {}, rows)),
      note("Relevant passages and entities are pairs of the hierarchical qrels, those of leads included."));
}

Html distribution_table(const SplitNumbers& all) {
  Html rows;
  const auto add = [&](const Html& name, const Distribution& of) {
    Html cells = row_head(name) + number_cell(of.size()) + number_cell(fixed_digits(of.mean(), 2));
    for (const double share : {0.0, 0.25, 0.5, 0.75, 0.9, 1.0}) cells += number_cell(of.quantile(share));
    rows += element("tr", {}, cells);
  };
  add("facets per topic", all.facets_per_topic);
  add("relevant passages per topic", all.passages_per_topic);
  add("relevant passages per facet", all.passages_per_facet);
  add("relevant entities per facet", all.entities_per_facet);
  return element("table", {},
                 table_head({{"of"},
                             {"number", "n"},
                             {"mean", "n"},
                             {"min", "n"},
                             {"25 %", "n"},
                             {"median", "n"},
                             {"75 %", "n"},
                             {"90 %", "n"},
                             {"max", "n"}}),
                 element("tbody", {}, rows)) +
         note(
             "A passage or entity counts for the innermost heading it stands below. Headings with inner headings only "
             "count as 0.");
}

Html duplicate_section(const AutomaticOverview& overview) {
  const auto replaced = overview.train.replaced + overview.test.replaced;
  Html out = element(
      "p", {},
      fmt::format("{} of the wiki's passages are near-duplicates, for which another passage stands in the corpus and "
                  "in all qrels. On query pages {} replaced. Passages with equal text have one id and are not counted.",
                  with_commas(overview.duplicates), replaced == 1 ? "one was" : with_commas(replaced) + " were"));
  if (overview.pairs.empty()) return out;
  Html pairs;
  for (const auto& pair : overview.pairs) {
    const Html text = pair.representative_text.empty() ? Html("not in the corpus") : shown(pair.representative_text);
    pairs += element("div", {{"class", "pair"}},
                     element("p", {{"dir", "auto"}}, element("b", {}, shown(pair.topic)), Html(": "), shown(pair.text)),
                     element("p", {{"dir", "auto"}}, element("b", {}, "stands for it: "), text),
                     element("p", {{"class", "ids"}}, element("code", {}, shown(pair.id)), Html(" → "),
                             element("code", {}, shown(pair.representative))));
  }
  return out +
         element("details", {{"class", "more"}},
                 element("summary", {}, "The first " + counted(overview.pairs.size(), "pair") + " of query pages"),
                 pairs);
}

Html leak_section(const AutomaticOverview& overview) {
  const auto total = std::accumulate(overview.leaks.begin(), overview.leaks.end(), std::uint64_t{0});
  if (total == 0)
    return element("p", {}, element("span", {{"class", "good"}}, "No leak found. "),
                   Html("No page of the knowledge base is a query page, a redirect to one, or has a copy of a text of "
                        "one. Texts of fewer than 8 words are not compared, and copies of single sentences are not "
                        "found. touchstone validate makes the same check."));
  Html samples;
  for (const auto& sample : overview.leak_samples) samples += element("li", {{"dir", "auto"}}, shown(sample));
  Html counts;
  for (const auto& [name, kind] : automatic::kLeakKinds)
    counts +=
        element("li", {}, fmt::format("{}: {}", name, with_commas(overview.leaks.at(static_cast<std::size_t>(kind)))));
  return element("p", {}, "The knowledge base leaks answers:") + element("ul", {}, counts) + element("ul", {}, samples);
}

Html automatic_facts(const AutomaticOverview& overview) {
  const auto& info = overview.manifest.info;
  Html out;
  const auto fact = [&](const Html& name, const std::string& value) {
    if (!value.empty()) out += element("dt", {}, name) + element("dd", {{"dir", "auto"}}, shown(value));
  };
  fact("collection", info.name);
  fact("wiki",
       info.site_name.empty() || info.site_name == info.wiki ? info.wiki : info.site_name + " (" + info.wiki + ")");
  fact("address", info.base_url);
  fact("language", info.language);
  fact("languages of known headings", fmt::format("{}", fmt::join(overview.languages, ", ")));
  fact("dump", fmt::format("{}", fmt::join(info.dump_names, ", ")));
  fact("newest revision", info.dump_date);
  fact("passages", std::string("paragraphs") + (info.list_items ? ", items of lists" : "") +
                       (info.captions ? ", captions of images" : ""));
  fact("licence of the texts", info.license);
  fact("made by", "touchstone " + info.program_version);
  return element("dl", {{"class", "facts"}}, out);
}

Html warning_list(const std::vector<std::string>& warnings) {
  if (warnings.empty()) return empty_note("Nothing to warn of was found.");
  Html items;
  for (const auto& warning : warnings) items += element("li", {{"dir", "auto"}}, shown(warning));
  return element("ul", {{"class", "warnings"}}, items);
}

}  // namespace touchstone::collection::automatic::report::internal
