#include "collection/automatic/validation/file_checks.hpp"

#include "collection/automatic/automatic_files.hpp"
#include "collection/automatic/locators.hpp"
#include "collection/release/files.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/json_tree.hpp"
#include "common/json_writer.hpp"
#include "formats/beir/beir_lines.hpp"
#include "formats/car/record_file.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>
#include <iterator>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::collection::automatic::validation {

using formats::car::CarReader;
using formats::fields::quote_for_message;

namespace {

std::string trec_line(const formats::trec::QrelRecord& qrel) {
  return fmt::format("{} 0 {} {}", qrel.topic, qrel.docid, qrel.grade);
}

}  // namespace

std::string of_beir_qrel(std::string_view line) {
  const auto qrel = formats::beir::parse_qrel(line);
  return qrel && fmt::format("{}\t{}\t{}", qrel->topic, qrel->docid, qrel->grade) == line ? trec_line(*qrel) : "";
}

std::string of_hub_qrel(std::string_view line) {
  try {
    const auto json = parse_json(line);
    const formats::trec::QrelRecord qrel{json.at("query-id").get<std::string>(),
                                         json.at("corpus-id").get<std::string>(), json.at("score").get<int>()};
    return formats::beir::qrel_json_line(qrel) == std::string(line) + "\n" ? trec_line(qrel) : "";
  } catch (const nlohmann::json::exception&) {
    return "";
  }
}

std::string beir_json(std::string_view id, std::string_view text, bool is_passage) {
  JsonWriter json({.escapes = JsonEscapes::kLineBreaks});
  json.begin_object().field("_id", id);
  if (is_passage) json.field("title", "");
  return json.field("text", text).key("metadata").begin_object().end_object().end_object().take();
}

std::vector<std::string> part_names(std::uint32_t folds) {
  std::vector<std::string> parts(std::begin(kSplits), std::end(kSplits));
  for (std::uint32_t fold = 0; folds > 1 && fold < folds; ++fold) {
    for (const auto split : kSplits) parts.push_back(fmt::format("fold-{}-{}", fold, split));
  }
  return parts;
}

std::string split_pages(std::size_t split) {
  return ReleaseFileNames{std::string(kSplits[split])}.pages();
}

std::string beir_qrels_name(std::string_view level, std::string_view split) {
  return level == "hierarchical" ? fmt::format("beir/qrels/{}.tsv", split)
                                 : fmt::format("beir/qrels-{}/{}.tsv", level, split);
}

std::vector<std::string> file_names(const std::filesystem::path& directory, const Manifest& manifest) {
  std::vector<std::string> names;
  for (const auto file :
       {std::string_view(kTitlesFile), std::string_view(kTopicsFile), std::string_view(kQidsFile),
        std::string_view(kEntityQidsFile), std::string_view(kIdMapFile), std::string_view(kDuplicatesFile),
        std::string_view(kTopicTextFile), std::string_view(kLocatorsFile), kCorpusFile, kLicenseFile,
        release::kCard.name, release::kManifest.name, release::kDigests.name, kQueriesFile,
        std::string_view("beir/corpus.jsonl"), std::string_view("hf/README.md"), std::string_view("hf/corpus.jsonl.gz"),
        std::string_view("hf/queries.jsonl.gz"), std::string_view("ir_datasets/docs.tsv")})
    names.emplace_back(file);
  names.emplace_back(kKnowledgePages);
  for (const auto& part : part_names(manifest.info.folds)) {
    const ReleaseFileNames of_part{part};
    for (const auto& [level, number] : kQrelsLevels) {
      names.push_back(of_part.passage_qrels(level));
      if (number != QrelsLevel::kTree) names.push_back(of_part.entity_qrels(level));
    }
    for (auto& file : {of_part.pages(), of_part.outlines(), of_part.paragraphs(), of_part.support_passages(),
                       of_part.clusters(), of_part.entity_linking(), of_part.faceted_qrels()})
      names.push_back(file);
  }
  for (const auto split : kSplits) {
    names.push_back(fmt::format("ir_datasets/queries.{}.tsv", split));
    names.push_back(fmt::format("trec/{}.unscored.tsv", split));
    for (const auto& [level, number] : kQrelsLevels) {
      names.push_back(fmt::format("trec/{}.{}.topics.tsv", split, level));
      names.push_back(fmt::format("trec/{}.{}.qrels", split, level));
      names.push_back(beir_qrels_name(level, split));
      names.push_back(fmt::format("hf/qrels/{}-{}.jsonl", level, split));
      names.push_back(fmt::format("ir_datasets/qrels.{}.{}.txt", split, level));
    }
  }
  for (const auto& splits : {"train.pages", "test.pages", "allButBenchmark.pages", "dedup.articles-paragraphs"}) {
    for (std::size_t i = 0; i == 0 || std::filesystem::exists(directory / split_file(splits, i)); ++i)
      names.push_back(split_file(splits, i));
  }
  if (manifest.baseline) {
    names.emplace_back(release::kBaselineRunFile);
    names.emplace_back(release::kBaselineScoresFile);
  }
  return names;
}

std::string split_file(std::string_view records, std::size_t number) {
  return fmt::format("{}.jsonl-splits/{}-{}.jsonl.gz", records, records.substr(records.find_last_of(".-") + 1), number);
}

void FileChecks::check_lines(const std::string& file, Hashes expected, LineOrder order, const Canonical& canonical,
                             std::string_view header) {
  const bool sorted = order == LineOrder::kSorted;
  if (sorted) {
    std::sort(expected.begin(), expected.end());
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  }
  std::size_t found = 0;
  std::string before;
  bool ok = true;
  const bool read = read_lines(file, [&](std::string_view line, std::uint64_t number) -> std::string {
    if (number == 1 && !header.empty()) return std::string(header) + "\n";
    std::string text = canonical ? canonical(line) : std::string(line);
    const auto hash = xxh3_64(text);
    const bool fits = sorted ? before < text && std::binary_search(expected.begin(), expected.end(), hash)
                             : found < expected.size() && expected[found] == hash;
    const bool unsorted = sorted && !text.empty() && text <= before;
    ++found;
    before = std::move(text);
    if (fits) return std::string(line) + "\n";
    if (ok)
      problem(file, number,
              fmt::format("has the line {}, which {}{}", quote_for_message(line),
                          unsorted ? "is there twice or out of order, bytewise"
                                   : "does not follow from the pages, the corpus and the queries of the collection",
                          kExportAgain));
    ok = false;
    return "";
  });
  if (read && ok && found < expected.size())
    problem(file, 0,
            fmt::format("has {} lines where {} follow from the pages, the corpus and the queries of the collection{}",
                        found, expected.size(), kExportAgain));
}

void FileChecks::check_splits(std::string_view records, const Hashes& expected, std::size_t lines_per_file) {
  std::size_t done = 0, number = 0;
  do {
    const auto end = std::min(done + lines_per_file, expected.size());
    const auto file = split_file(records, number++);
    if (!is_present(file)) problem(file, 0, std::string("is missing") + std::string(kExportAgain));
    check_lines(file,
                Hashes(expected.begin() + static_cast<std::ptrdiff_t>(done),
                       expected.begin() + static_cast<std::ptrdiff_t>(end)),
                LineOrder::kOfPages);
    done = end;
  } while (done < expected.size());
  if (const auto next = split_file(records, number); is_present(next))
    problem(next, 0, "is one file more than the records need" + std::string(kExportAgain));
}

void FileChecks::check_records(const std::string& file, const Hashes& expected, formats::car::FileType type) {
  check_header(file, type);
  std::size_t found = 0;
  bool ok = true;
  formats::car::for_each_record(directory_ / file, [&](formats::car::ReadRecord read) {
    stop_.check();
    const auto hash =
        !read.record ? 0 : std::visit([](const auto& record) { return record_hash(record); }, *read.record);
    ok = found < expected.size() && expected[found++] == hash;
    if (!ok)
      problem(file, 0,
              fmt::format("has another record {} than follows from the pages, or one too many{}", read.number,
                          kExportAgain));
    return ok;
  });
  if (ok && found < expected.size())
    problem(file, 0,
            fmt::format("has {} records where {} follow from the pages{}", found, expected.size(), kExportAgain));
}

void FileChecks::check_header(const std::string& file, formats::car::FileType type) {
  const CarReader reader(directory_ / file);
  const auto& provenance = reader.provenance();
  if (!reader.has_header() || reader.type() != type || provenance.release_name != manifest_.info.name ||
      provenance.sites.size() != 1 + manifest_.info.knowledge.size() ||
      provenance.sites.front().site_id != manifest_.info.wiki)
    problem(file, 0,
            fmt::format("has a header of another type, wiki or name than manifest.json says, which is {}{}",
                        quote_for_message(manifest_.info.name), kExportAgain));
}

void FileChecks::check_qrels(std::string_view split, const PageLines& lines) {
  for (const auto& [name, level] : kQrelsLevels) {
    const auto& expected = lines.qrels.at(static_cast<std::size_t>(level));
    check_lines(fmt::format("trec/{}.{}.qrels", split, name), expected, LineOrder::kSorted);
    check_lines(fmt::format("ir_datasets/qrels.{}.{}.txt", split, name), expected, LineOrder::kSorted);
    check_lines(beir_qrels_name(name, split), expected, LineOrder::kSorted, of_beir_qrel, formats::beir::kQrelsHeader);
    check_lines(fmt::format("hf/qrels/{}-{}.jsonl", name, split), expected, LineOrder::kSorted, of_hub_qrel);
  }
}

void FileChecks::check_locators(const Hashes& passages, std::unordered_map<std::uint64_t, std::string> places) {
  std::size_t found = 0;
  bool ok = true;
  const auto problem_of = [&](const LocatorLine& passage) -> std::string {
    if (found >= passages.size() || passages[found] != xxh3_64(passage.docid))
      return "is not about the passage that the corpus has at this place";
    return passage.places.listed.empty() ? "names no place" : "";
  };
  std::unordered_set<std::string> with_more;  // passages whose places are not all listed
  const bool read = read_lines(kLocatorsFile, [&](std::string_view line, std::uint64_t number) {
    LocatorLine passage;
    std::string why;
    try {
      passage = read_locator_line(line);
      why = problem_of(passage);
    } catch (const FormatError& error) {
      why = error.what();
    }
    ++found;
    for (const auto& locator : passage.places.listed) places.erase(place_hash(passage.docid, locator.page));
    if (passage.places.not_listed > 0) with_more.insert(passage.docid);
    if (ok && !why.empty()) problem(kLocatorsFile, number, why + std::string(kExportAgain));
    ok = ok && why.empty();
    return std::string(line) + "\n";
  });
  if (!read || !ok) return;
  if (found < passages.size())
    problem(kLocatorsFile, 0, fmt::format("has {} lines for {} passages{}", found, passages.size(), kExportAgain));
  std::erase_if(places, [&](const auto& place) { return with_more.contains(place.second); });
  if (!places.empty())
    problem(kLocatorsFile, 0,
            fmt::format("leaves out the query page that passage {} is on{}", quote_for_message(places.begin()->second),
                        kExportAgain));
}

void FileChecks::check_text(std::string_view file, std::string_view expected) {
  bool ok = true;
  const bool read = read_lines(file, [&](std::string_view line, std::uint64_t number) -> std::string {
    const auto wanted = expected.substr(0, expected.find('\n'));
    if (ok && !expected.empty() && line == wanted) {
      expected.remove_prefix(wanted.size() + 1);
      return std::string(line) + "\n";
    }
    if (ok)
      problem(file, number,
              fmt::format("says {} where {} from the other files{}", quote_for_message(line),
                          expected.empty() ? "nothing more follows" : quote_for_message(wanted) + " follows",
                          kExportAgain));
    ok = false;
    return "";
  });
  if (read && ok && !expected.empty())
    problem(file, 0,
            fmt::format("ends where {} follows from the other files{}",
                        quote_for_message(expected.substr(0, expected.find('\n'))), kExportAgain));
}

}  // namespace touchstone::collection::automatic::validation
