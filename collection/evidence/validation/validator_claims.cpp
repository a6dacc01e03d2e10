#include "collection/evidence/croissant.hpp"
#include "collection/evidence/dataset_card.hpp"
#include "collection/evidence/evidence_health.hpp"
#include "collection/evidence/validation/validator.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"
#include "common/version.hpp"
#include "formats/fields/one_line.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

// What the files about a collection say of it, compared with its judgments, passages and topics.
namespace touchstone::collection::evidence::validation {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kRemedy = "; export the collection again";

/// The id of the embedded judge says that it is a baseline.
bool is_baseline(const std::string& judge) {
  return judge.ends_with("(baseline)");
}

/// Panels are named after their rule: "majority of a, b".
bool is_panel(const std::string& judge) {
  return judge.starts_with("majority of ") || judge.starts_with("cascade of ");
}

/// A date, or a date and a time, of ISO 8601.
bool is_time(const std::string& text) {
  constexpr std::string_view kDate = "dddd-dd-dd";
  const bool date = text.size() >= kDate.size() &&
                    std::equal(kDate.begin(), kDate.end(), text.begin(),
                               [](char form, char c) { return form == 'd' ? c >= '0' && c <= '9' : c == form; });
  return date && text.find_first_not_of("0123456789-+:.TZ", kDate.size()) == std::string::npos;
}

/// An address that a reader may follow. Wikis state theirs with or without the scheme.
bool is_address(const std::string& text) {
  const auto colon = text.find(':');
  const bool has_scheme = colon != std::string::npos && colon < text.find('/');
  const bool of_web = !has_scheme || text.starts_with("https://") || text.starts_with("http://");
  return of_web && std::all_of(text.begin(), text.end(), [](unsigned char c) { return c > ' ' && c != 0x7F; }) &&
         text.find_first_of("\"<>\\") == std::string::npos;
}

/// The lines of a text, without their ends.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

/// The front matter of a card: everything up to its second line "---".
std::string_view front_matter(std::string_view card) {
  const auto end = card.find("\n---\n", 3);
  return end == std::string_view::npos ? card : card.substr(0, end);
}

/// Where two trees differ first: "collection.judge". Empty if they are equal.
std::string difference(const ordered_json& a, const ordered_json& b) {
  if (a == b) return "";
  if (a.type() != b.type() || !(a.is_object() || a.is_array()) || a.size() != b.size()) return "its value";
  if (a.is_array()) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (a[i] != b[i]) return std::to_string(i) + "." + difference(a[i], b[i]);
    }
  }
  for (auto at = a.begin(), other = b.begin(); a.is_object() && at != a.end(); ++at, ++other) {
    if (at.key() != other.key()) return "the name \"" + at.key() + "\"";
    if (at.value() != other.value()) return at.key() + "." + difference(at.value(), other.value());
  }
  return "the order of its names";
}

}  // namespace

void Validator::note_judges(const JudgmentRecord& judgment) {
  if (is_by_people(judgment)) return;  // the audit says who judged before
  judges_.insert(judgment.judge);
  if (judgment.votes.empty()) voters_.insert(judgment.judge);
  for (const auto& vote : judgment.votes) voters_.insert(vote.judge);
}

void Validator::check_claims() {
  const std::string_view name = release::kManifest.name;
  if (!manifest_) return;
  const auto& info = manifest_->info;
  if (formats::fields::is_blank(info.name)) problem(name, 0, "gives the collection no name" + std::string(kRemedy));
  if (passages_read_ && !docids_prefix_.empty() && info.wiki != docids_prefix_) {
    problem(name, 0,
            "says that the wiki is " + quote(info.wiki) + ", but the docids begin with " + quote(docids_prefix_) +
                std::string(kRemedy));
  }
  if (!info.dump_date.empty() && !is_time(info.dump_date))
    problem(name, 0,
            "has the dump_date " + quote(info.dump_date) + ", which is no time in ISO 8601" + std::string(kRemedy));
  if (!info.base_url.empty() && !is_address(info.base_url))
    problem(name, 0,
            "has the base_url " + quote(info.base_url) + ", which is no address of a web page" + std::string(kRemedy));
  std::set<std::string> listed;
  for (const auto& file : manifest_->files) {
    if (!is_ours(file.name) || !listed.insert(file.name).second)
      problem(name, 0,
              "lists the file " + quote(file.name) + ", which a collection does not have or has once" +
                  std::string(kRemedy));
  }
  if (judgments_read_) check_judge_claims();
  check_config_claims();
}

void Validator::check_judge_claims() {
  const std::string_view name = release::kManifest.name;
  const auto& info = manifest_->info;
  if (judges_.empty()) return;
  const bool named = is_panel(info.judge) ? judges_.contains(info.judge) || info.judge.starts_with("cascade of ")
                                          : judges_.size() == 1 && *judges_.begin() == info.judge;
  if (!named) {
    problem(name, 0,
            "says that the judge is " + quote(info.judge) + ", but judgments.jsonl.gz names " +
                quote(*judges_.begin()) + (judges_.size() > 1 ? " and others" : "") + std::string(kRemedy));
  }
  const bool baseline = std::all_of(voters_.begin(), voters_.end(), is_baseline);
  // The later judges of a cascade may never have been asked.
  const bool hidden = baseline && !info.baseline_judge && !is_panel(info.judge);
  if (hidden || (info.baseline_judge && !baseline)) {
    problem(name, 0,
            std::string("says that the labels are ") + (info.baseline_judge ? "" : "not ") +
                "those of a baseline, but judgments.jsonl.gz names the judge " + quote(*voters_.begin()) +
                (voters_.size() > 1 ? " and others" : "") + std::string(kRemedy));
  }
}

bool Validator::keeps_topics(const CollectionInfo& info) {
  const auto build = parse_json_or_discard(info.manifest_json);
  return build.is_object() && build.contains("config") && build["config"].is_object() &&
         build["config"].value("previous.freeze_topics", "") == "true";
}

/// The build adds its options and dumps to the manifest; where they are, they must agree with what it says.
void Validator::check_config_claims() {
  const std::string_view name = release::kManifest.name;
  const auto& info = manifest_->info;
  const auto build = parse_json_or_discard(info.manifest_json);
  if (!build.is_object()) return;
  const auto config = build.contains("config") ? build["config"] : ordered_json();
  const auto check = [&](const char* option, const char* field, const std::string& stated) {
    if (!config.is_object() || !config.contains(option) || !config[option].is_string()) return;
    const auto value = config[option].get<std::string>();  // TOML
    const auto quoted = parse_json_or_discard(value);
    if (!quoted.is_string() || quoted.get<std::string>().empty()) return;
    if (quoted.get<std::string>() != stated) {
      problem(name, 0,
              std::string("says ") + field + " " + quote(stated) + ", but its option " + option + " is " +
                  quote(value) + std::string(kRemedy));
    }
  };
  check("wiki.license", "license", info.license);
  check("wiki.name", "wiki", info.wiki);
  check("groups.mode", "mode", info.mode);
  check("export.name", "name", info.name);
  if (!build.contains("dumps") || !build["dumps"].is_array()) return;
  std::vector<std::string> dumps;
  for (const auto& dump : build["dumps"]) {
    if (dump.is_object() && dump.contains("name") && dump["name"].is_string()) dumps.push_back(dump["name"]);
  }
  if (dumps != info.dump_names)
    problem(name, 0, "names other dumps in dump_names than in dumps" + std::string(kRemedy));
}

void Validator::check_derived() {
  if (!manifest_ || report_.problem_count > 0) return;
  constexpr std::string_view kCorpus = "corpus.jsonl.gz";
  Sha256 evidence;
  evidence_->for_each_line(directory_ / kCorpus, manifest_->info.base_url, stop_,
                           [&](std::string_view line) { evidence.update(line); });
  check_follows("evidence.jsonl", std::move(evidence), "judgments.jsonl.gz and the files it names");
  check_follows("qrels/test.jsonl", std::move(qrels_json_), "qrels.txt");
  if (!has_.reading_copies) return;
  check_follows("corpus.jsonl", std::move(plain_corpus_), kCorpus);
  check_follows("pyserini/docs-00000.jsonl", std::move(pyserini_), kCorpus);
  check_follows("ir_datasets/docs.tsv", std::move(docs_tsv_), kCorpus);
}

/// The card, croissant.json and manifest.json follow from the manifest's facts and the counted numbers. They are
/// compared only when nothing else was wrong, so that one damage gives one message, and only if this version of the
/// program wrote them, since another one may word things differently.
void Validator::check_descriptions() {
  if (!manifest_ || report_.problem_count > 0 || manifest_->info.program_version != program_version()) return;
  auto expected = *manifest_;
  expected.numbers = counter_.numbers();
  if (!expected.health.empty()) expected.health = examine_evidence(directory_, expected.info, stop_);
  check_tree(release::kManifest.name, manifest_text(expected));
  expected.files.clear();
  for (const auto* file : data_files(has_)) expected.files.push_back(present_.at(std::string(file->name)));
  check_tree(release::kCroissant.name, croissant(expected));
  check_card_text(dataset_card(expected));
}

void Validator::check_baseline() {
  if (!manifest_ || !manifest_->baseline || report_.problem_count > 0) return;
  auto& baseline = *manifest_->baseline;
  try {
    if (score_) baseline.scores = score_(directory_);
  } catch (const FormatError& error) {
    damaged(release::kBaselineRunFile, error);
    return;
  }
  Sha256 scores;
  scores.update(release::baseline_scores_tsv(baseline.scores));
  check_follows(release::kBaselineScoresFile, std::move(scores),
                std::string(release::kBaselineRunFile) + " and " + baseline.qrels);
}

void Validator::check_tree(std::string_view name, const std::string& expected) {
  const auto found = parse_json_or_discard(read_file(directory_ / name, release::kMaxManifestBytes));
  const auto where = difference(found, parse_json(expected));
  if (!where.empty())
    problem(name, 0, "does not say what follows from the other files, at " + quote(where) + std::string(kRemedy));
}

/// People may add to the text of a card, but neither change nor remove what it says, nor touch the front matter.
void Validator::check_card_text(const std::string& expected) {
  const std::string_view name = release::kCard.name;
  const std::string card = read_file(directory_ / name, kMaxCardBytes);
  if (front_matter(card) != front_matter(expected)) {
    const auto found = lines_of(front_matter(card)), wanted = lines_of(front_matter(expected));
    const auto [at, missing] = std::mismatch(found.begin(), found.end(), wanted.begin(), wanted.end());
    problem(name, static_cast<std::uint64_t>(at - found.begin()) + 1,
            "has other front matter than follows from manifest.json: here should be " +
                quote(missing == wanted.end() ? "---" : *missing) + std::string(kRemedy));
    return;
  }
  const auto lines = lines_of(card);
  auto at = lines.begin();
  for (const auto line : lines_of(expected)) {
    const auto found = std::find(at, lines.end(), line);
    if (found == lines.end()) {
      problem(name, 0,
              "lacks the line " + quote(line) + ", which follows from manifest.json, or has it elsewhere" +
                  std::string(kRemedy));
      return;
    }
    at = found + 1;
  }
}

void Validator::check_source(std::string_view name, std::uint64_t number, const JudgmentRecord& judgment,
                             std::uint64_t page_id, const std::string& where) {
  if (judgment.own_article != (page_id == judgment.member_page_id)) {
    problem(name, number,
            "says own_article " + std::string(judgment.own_article ? "true" : "false") + where +
                ", but the passage is from page " + std::to_string(page_id) + " and the member is page " +
                std::to_string(judgment.member_page_id) + "; correct it");
  }
  if (!judgment.source) return;
  if (judgment.own_article && judgment.source != CandidateSource::kOwnArticle) {
    problem(name, number,
            "has the source " + std::string(to_string(*judgment.source)) + where +
                ", but own_article is true; passages of the member's own article have the source own-article; correct "
                "it");
  }
  if (judgment.source == CandidateSource::kPage && !judgment.mentions.empty()) {
    problem(name, number,
            "has the source page" + where +
                " and mentions; what links to the member has the source link, what names it the source mention; "
                "correct it");
  }
}

}  // namespace touchstone::collection::evidence::validation
