#include "collection/evidence/dataset_card.hpp"

#include "collection/evidence/audit_texts.hpp"
#include "collection/evidence/collection_files.hpp"
#include "collection/evidence/descriptions.hpp"
#include "collection/evidence/embedded_texts.hpp"
#include "collection/evidence/label_history.hpp"
#include "collection/health/remedies.hpp"
#include "collection/release/card.hpp"
#include "collection/release/license.hpp"
#include "common/json_writer.hpp"
#include "common/number_text.hpp"
#include "formats/fields/one_line.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace touchstone::collection::evidence {
namespace {

using formats::fields::is_blank;
using release::card_row;
using release::markdown;
using release::yaml;

/// The hub's own categories.
std::string size_category(std::uint64_t passages) {
  constexpr std::array<std::pair<std::uint64_t, const char*>, 9> kCategories{{{1'000, "n<1K"},
                                                                              {10'000, "1K<n<10K"},
                                                                              {100'000, "10K<n<100K"},
                                                                              {1'000'000, "100K<n<1M"},
                                                                              {10'000'000, "1M<n<10M"},
                                                                              {100'000'000, "10M<n<100M"},
                                                                              {1'000'000'000, "100M<n<1B"},
                                                                              {10'000'000'000, "1B<n<10B"},
                                                                              {100'000'000'000, "10B<n<100B"}}};
  for (const auto& [limit, name] : kCategories) {
    if (passages < limit) return name;
  }
  return "100B<n<1T";
}

/// Whether the members have types: the build had a dump of Wikidata.
bool has_types(const CollectionInfo& info) {
  const auto options = health::run_options(info.manifest_json);
  const auto dumps = options.find("link.wikidata");
  return dumps != options.end() && dumps->second != "[]";
}

/// Adds the two fields of members that such a collection has.
void add_type_configs(std::string& configs) {
  constexpr std::string_view kLastField = "  - name: evidence\n    dtype: int64\n";
  const auto at = configs.find(kLastField, configs.find("- config_name: members\n  features:\n"));
  configs.insert(at + kLastField.size(), "  - name: types\n    list: string\n  - name: other_kind\n    dtype: bool\n");
}

/// Adds to the configurations for hubs what a collection with a history has: the file gone.jsonl and two fields.
void add_history_configs(std::string& configs) {
  constexpr std::string_view kDetails = "dataset_info:\n", kLastField = "  - name: reply\n    dtype: string\n";
  configs.insert(configs.find(kDetails), "- config_name: gone\n  data_files:\n  - split: test\n    path: gone.jsonl\n");
  for (auto at = configs.find(kLastField); at != std::string::npos; at = configs.find(kLastField, at + 1))
    configs.insert(at + kLastField.size(),
                   "  - name: kept_from\n    dtype: string\n  - name: history\n    struct:\n    - name: state\n      "
                   "dtype: string\n    - name: reason\n      "
                   "dtype: string\n    - name: from\n      dtype: string\n");
  configs +=
      "- config_name: gone\n  features:\n  - name: topic\n    dtype: string\n  - name: docid\n    dtype: string\n"
      "  - name: member\n    dtype: string\n  - name: member_page_id\n    dtype: int64\n  - name: grade\n"
      "    dtype: int64\n  - name: reason\n    dtype: string\n";
}

/// Adds the file audit.jsonl; hubs find out its fields.
void add_audit_config(std::string& configs) {
  constexpr std::string_view kDetails = "dataset_info:\n";
  configs.insert(configs.find(kDetails),
                 "- config_name: audit\n  data_files:\n  - split: test\n    path: audit.jsonl\n");
}

std::string front_matter(const CollectionInfo& info, const CollectionNumbers& numbers) {
  std::string out = "---\n";
  out += "pretty_name: " + yaml(info.name) + "\n";
  out += release::hub_license(info.license);
  if (!is_blank(info.language)) out += "language:\n- " + yaml(info.language) + "\n";
  out += "task_categories:\n- text-retrieval\n";
  out += "size_categories:\n- " + size_category(numbers.passages) + "\n";
  out += "tags:\n- information-retrieval\n- test-collection\n- evidence-retrieval\n";
  if (info.baseline_judge) out += "- baseline-labels\n";
  std::string configs(hub_configs().front().text);
  if (has_types(info)) add_type_configs(configs);
  if (info.has_history()) add_history_configs(configs);
  if (info.audit) add_audit_config(configs);
  return out + configs + "---\n";
}

std::string spread_row(std::string_view name, double mean, double median, std::uint64_t min, std::uint64_t max) {
  return card_row(name, fmt::format("{}, {}, {}-{}", fixed_digits(mean, 2), fixed_digits(median, 1), with_commas(min),
                                    with_commas(max)));
}

std::string numbers_section(const CollectionNumbers& numbers) {
  std::string out = "## Numbers\n\n| | |\n|---|---:|\n";
  out += card_row("topics", with_commas(numbers.topics));
  out +=
      card_row("members", with_commas(numbers.members) + " (" + with_commas(numbers.distinct_members) + " distinct)");
  out += spread_row("members per topic: mean, median, range", numbers.members_mean, numbers.members_median,
                    numbers.members_min, numbers.members_max);
  out += card_row("passages in the corpus", with_commas(numbers.passages));
  out += card_row(
      numbers.unsure > 0 ? "judgments: yes, no, without grade, of these unsure" : "judgments: yes, no, without grade",
      with_commas(numbers.judged_yes) + ", " + with_commas(numbers.judged_no) + ", " + with_commas(numbers.unjudged) +
          (numbers.unsure > 0 ? ", " + with_commas(numbers.unsure) : ""));
  out += card_row("qrels (topic, passage)", with_commas(numbers.qrels));
  out += card_row("of these evidence", with_commas(numbers.evidence));
  out += spread_row("evidence per topic: mean, median, range", numbers.evidence_mean, numbers.evidence_median,
                    numbers.evidence_min, numbers.evidence_max);
  out += card_row("evidence outside the members' own articles", percent(numbers.outside_own_article));
  if (!numbers.buckets.empty()) {
    out += "\n| members per topic | topics | members | evidence | evidence per topic |\n|---|---:|---:|---:|---:|\n";
    for (const auto& bucket : numbers.buckets) {
      out +=
          fmt::format("| {} | {} | {} | {} | {} |\n", bucket.label, with_commas(bucket.topics),
                      with_commas(bucket.members), with_commas(bucket.evidence), fixed_digits(bucket.evidence_mean, 2));
    }
  }
  if (!numbers.by_source.empty()) {
    out +=
        "\nWhere candidates come from, and what the judge confirmed (one that several sources propose counts for the "
        "first):\n\n| source | the passage | candidates | judged | evidence | share |\n|---|---|---:|---:|---:|---:|\n";
    for (const auto& source : numbers.by_source) {
      out += fmt::format("| {} | {} | {} | {} | {} | {} |\n", to_string(source.source), source_meaning(source.source),
                         with_commas(source.candidates), with_commas(source.judged), with_commas(source.evidence),
                         percent(source.evidence_share));
    }
  }
  if (!numbers.discarded.empty()) {
    out += "\nLeft out, and listed one by one in `discarded.tsv`:\n\n| reason | count |\n|---|---:|\n";
    for (const auto& [reason, count] : numbers.discarded) out += card_row(markdown(reason), with_commas(count));
  }
  return out;
}

std::string labels_section(const CollectionInfo& info) {
  std::string out = "\n## How the labels came about\n\n" + markdown(label_method(info)) + "\n\n";
  out += "- Judge: " + markdown(info.judge) + "\n";
  out += "- Lists were read in `" + info.mode + "` mode; corpus: " + markdown(info.corpus_scope) + ".\n";
  out += "- Source: " + markdown(info.title()) + (info.base_url.empty() ? "" : " (" + markdown(info.base_url) + ")") +
         "; dump: " + markdown(fmt::format("{}", fmt::join(info.dump_names, ", "))) +
         (info.dump_date.empty() ? "" : "; newest revision " + markdown(info.dump_date)) + ".\n";
  out += "- Made by touchstone " + markdown(info.program_version) +
         "; configuration, counts and digests are in `manifest.json`.\n\n";
  return out;
}

std::string history_section(const std::vector<CollectionNumbers::OfHistory>& history) {
  std::uint64_t carried = 0, kept = 0, again = 0, added = 0, gone = 0;
  std::map<std::string, std::uint64_t> reasons;
  for (const auto& kind : history) {
    auto& of_state = kind.state == to_string(LabelState::kCarried)      ? carried
                     : kind.state == to_string(LabelState::kKept)       ? kept
                     : kind.state == to_string(LabelState::kAskedAgain) ? again
                     : kind.state == to_string(LabelState::kNew)        ? added
                                                                        : gone;
    of_state += kind.labels;
    if (!kind.reason.empty()) reasons[kind.reason] += kind.labels;
  }
  std::string out = fmt::format(
      "Of the judgments, {} were carried over from the collection of the dump before, {} were asked again and {} are "
      "new; {} of its judgments are not here and are listed in `gone.jsonl`.",
      with_commas(carried), with_commas(again), with_commas(added), with_commas(gone));
  if (kept > 0)
    out += fmt::format(
        " {} were kept though their passage was edited, because the edit changed no sentence that the judge had "
        "marked; "
        "`kept_from` in `judgments.jsonl.gz` marks them, and those that earlier collections kept.",
        with_commas(kept));
  const auto most = std::max_element(reasons.begin(), reasons.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most != reasons.end())
    out += fmt::format(" Each change has its reason; the most common is \"{}\" ({}).", most->first,
                       with_commas(most->second));
  return out + "\n\n";
}

std::string files_section(const CollectionInfo& info, bool run) {
  std::string out = "## Files\n\n| file | what it holds |\n|---|---|\n";
  const auto add = [&](const release::CollectionFile& file) {
    out += card_row("`" + std::string(file.name) + "`", std::string(file.summary));
  };
  for (const auto* file : data_files({info.reading_copies, run, info.has_history(), info.audit.has_value()}))
    add(*file);
  for (const auto& file : {release::kManifest, release::kCroissant, release::kCard, release::kDigests}) add(file);
  return out;
}

constexpr std::string_view kHubLoading = R"MD(
## How to load it

Hugging Face `datasets`; each file of JSON lines is a configuration:

```python
from datasets import load_dataset
corpus = load_dataset(".", "corpus", split="corpus")
queries = load_dataset(".", "queries", split="queries")
qrels = load_dataset(".", "default", split="test")
evidence = load_dataset(".", "evidence", split="test")
members = load_dataset(".", "members", split="test")
judgments = load_dataset(".", "judgments", split="test")
unjudged = load_dataset(".", "unjudged", split="test")
```

)MD";

constexpr std::string_view kReaderLoading = R"MD(The BEIR reader:

```python
from beir.datasets.data_loader import GenericDataLoader
corpus, queries, qrels = GenericDataLoader(".").load(split="test")
```

Pyserini and trec_eval:

```sh
python -m pyserini.index.lucene --collection JsonCollection --input pyserini --index index \
  --generator DefaultLuceneDocumentGenerator --storeRaw
python -m pyserini.search.lucene --index index --topics topics.tsv --output run.txt --bm25
trec_eval -m map -m recall.100 qrels.txt run.txt
```

ir_datasets:

```python
import ir_datasets
dataset = ir_datasets.create_dataset(docs_tsv="ir_datasets/docs.tsv", queries_tsv="topics.tsv", qrels_trec="qrels.txt")
```

)MD";

constexpr std::string_view kWithoutReadingCopies =
    "The corpus is here only as `corpus.jsonl.gz` (`export.copies = false`). BEIR's own reader needs `gunzip -k "
    "corpus.jsonl.gz`.\n\n";

std::string loading_section(bool reading_copies) {
  return std::string(kHubLoading) + std::string(reading_copies ? kReaderLoading : kWithoutReadingCopies);
}

std::string license_section(const CollectionInfo& info) {
  return "## Licence of the texts\n\n" +
         (release::is_unknown(info.license)
              ? "The dump does not name a licence for its texts. Look it up at the wiki before you pass the passages "
                "on.\n\n"
              : "The passages and titles come from the wiki and are under its licence: " + markdown(info.license) +
                    ". Keep its attribution when you pass them on; each passage names its page.\n\n");
}

std::string limits_section(const CollectionInfo& info) {
  std::string out = "## Limits\n\n";
  if (info.baseline_judge) {
    out += "- The judge is a baseline: it sees words, not meaning, so labels are wrong in both directions.\n";
  }
  out +=
      "- The candidates of a member are " + candidate_passages(info) +
      ", and the passages of its own article. Other evidence is absent from the qrels; treat absent as not judged.\n";
  out +=
      "- A list page may itself be wrong or out of date; membership is what the dump says.\n"
      "- The labels describe one dump. The next dump's collection is another version, not an addition.\n";
  return out;
}

}  // namespace

std::string dataset_card(const Manifest& manifest) {
  const auto& [info, numbers, health, baseline, files] = manifest;
  std::string out = front_matter(info, numbers);
  out += "\n# " + markdown(info.name) + "\n\n";
  out += markdown(what_it_is(info)) + "\n\n";
  out += "> **" + std::string(info.baseline_judge ? "Baseline labels." : "Labels.") + "** " +
         markdown(label_statement(info)) + "\n\n";
  out += numbers_section(numbers);
  out += release::health_card(health);
  if (baseline) out += release::baseline_card(*baseline);
  if (info.audit) out += audit_card(info);
  out += labels_section(info);
  if (info.has_history()) out += history_section(numbers.history);
  out += files_section(info, baseline.has_value());
  out += loading_section(info.reading_copies);
  out += license_section(info);
  out += limits_section(info);
  return out;
}

}  // namespace touchstone::collection::evidence
