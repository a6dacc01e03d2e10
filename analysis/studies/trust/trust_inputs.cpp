#include "analysis/studies/trust/trust_inputs.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "formats/beir/beir_lines.hpp"
#include "formats/trec/qrels.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

namespace touchstone::analysis::studies::trust {
namespace {

namespace fs = std::filesystem;

struct KnownPlace {
  std::string_view name;
  QrelsForm form;
};

/// The first that is there counts.
constexpr std::array<KnownPlace, 4> kKnownPlaces{{{"qrels.txt", QrelsForm::kTrec},
                                                  {"trec/test.hierarchical.qrels", QrelsForm::kTrec},
                                                  {"trec/train.hierarchical.qrels", QrelsForm::kTrec},
                                                  {"qrels/test.tsv", QrelsForm::kBeir}}};

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool has_any(const fs::path& directory, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(), [&](const char* name) { return is_file(directory / name); });
}

/// Files of the directory itself whose names have the word qrels, in byte order.
std::vector<fs::path> files_named_qrels(const fs::path& directory) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(directory)) {
    if (entry.is_regular_file() && entry.path().filename().string().find("qrels") != std::string::npos)
      found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

[[noreturn]] void refuse_choice(const fs::path& directory, const std::vector<fs::path>& found) {
  if (found.empty())
    throw ConfigError(directory.string() +
                      " has no qrels: neither qrels.txt, trec/test.hierarchical.qrels nor qrels/test.tsv, and no file "
                      "whose name has the word qrels; name the file of qrels in place of the directory");
  throw ConfigError(
      fmt::format("{} has several files of qrels, such as {} and {}; name one of them in place of the "
                  "directory",
                  directory.string(), found[0].filename().string(), found[1].filename().string()));
}

}  // namespace

TrustInputs find_trust_inputs(const fs::path& place) {
  TrustInputs inputs;
  if (is_file(place)) {
    inputs.qrels = place;
    return inputs;
  }
  std::error_code ignored;
  if (!fs::is_directory(place, ignored))
    throw ConfigError(place.string() + " is neither a directory nor a file; name a collection or a file of qrels");
  for (const auto& [name, form] : kKnownPlaces) {
    if (!is_file(place / name)) continue;
    inputs.qrels = place / name;
    inputs.form = form;
    break;
  }
  if (inputs.qrels.empty()) {
    const auto found = files_named_qrels(place);
    if (found.size() != 1) refuse_choice(place, found);
    inputs.qrels = found.front();
  }
  if (has_any(place, {"corpus.jsonl.gz", "corpus.jsonl"})) inputs.corpus = place;
  inputs.has_topics = (!inputs.corpus.empty() && has_any(place, {"topics.tsv", "queries.jsonl"})) ||
                      has_any(place, {"dedup.articles-paragraphs.cbor"}) ||
                      (is_file(place / "docs.tsv") && is_file(place / "queries.tsv"));
  return inputs;
}

void write_trec_qrels(const fs::path& beir, const fs::path& trec) {
  TextWriter out(trec);
  for_each_line(beir, [&](std::string_view line, std::uint64_t number) {
    if (number == 1 || line.empty()) return true;  // readers of BEIR skip the first line without looking at it
    const auto qrel = formats::beir::parse_qrel(line);
    if (!qrel) throw FormatError(fmt::format("{} line {}: {}", beir.string(), number, qrel.error()));
    out.write(formats::trec::qrel_line(*qrel));
    return true;
  });
  out.finish();
}

}  // namespace touchstone::analysis::studies::trust
