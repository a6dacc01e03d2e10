#include "pipeline/judging/lexical/lexical_scorer.hpp"

#include "common/digest.hpp"
#include "common/json_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::pipeline::judging::lexical {
namespace {

using llm_client::JudgeAnswer;

/// What the judge looks at; each lies in 0..1.
enum Feature : std::size_t {
  kHeadNear,         ///< words of what is listed ("lighthouses"), in the sentences that name the member
  kHeadAnywhere,     ///< the same, in the whole passage
  kHeadDistance,     ///< 1 / (1 + words between the member and the nearest of them)
  kScopeAnywhere,    ///< words of the title's rest ("Ostrand")
  kSectionAnywhere,  ///< words of headings and header
  kOwnArticle,
  kOwnArticleInScope,  ///< the member's own article, times scope found: it need not say again what kind of thing it is
  kFeatureCount
};

/// Names in replies, and weights of the logistic function: fitted by ridge-penalised logistic regression on the labels
/// of the bundled wiki (scripts/fit_lexical_judge.py) and rounded. docs/lexical-judge.md says how far they carry.
struct FeatureInfo {
  const char* name;
  double weight;
};
constexpr auto kFeatures = std::to_array<FeatureInfo>({{"head near", 1.7},
                                                       {"head anywhere", 1.4},
                                                       {"head distance", 0.7},
                                                       {"scope anywhere", 0.9},
                                                       {"section anywhere", 0.5},
                                                       {"own article", 2.0},
                                                       {"own article in scope", 1.2}});
static_assert(kFeatures.size() == kFeatureCount);
constexpr double kBias = -2.6;

using StemSet = std::set<std::string>;

/// Share of the idf mass of `wanted` that `found` holds; 1 when nothing is wanted.
double coverage(const StemSet& wanted, const StemSet& found, const CorpusStatistics& statistics) {
  double all = 0, held = 0;
  for (const auto& stem : wanted) {
    const double weight = statistics.idf(stem) + 0.1;  // a word that every passage holds still counts a little
    all += weight;
    if (found.contains(stem)) held += weight;
  }
  return all == 0 ? 1.0 : held / all;
}

/// Marks the words of `terms` that are an occurrence of `name`; true when there is one.
bool mark_name(const std::vector<corpus::Term>& terms, const std::vector<corpus::Term>& name,
               std::vector<bool>& marked) {
  if (name.empty()) return false;
  bool any = false;
  for (std::size_t i = 0; i + name.size() <= terms.size(); ++i) {
    const bool here = std::equal(name.begin(), name.end(), terms.begin() + static_cast<std::ptrdiff_t>(i),
                                 [](const corpus::Term& a, const corpus::Term& b) { return a.stem == b.stem; });
    if (!here) continue;
    std::fill_n(marked.begin() + static_cast<std::ptrdiff_t>(i), name.size(), true);
    any = true;
  }
  return any;
}

/// "Mercury (planet)" is called "Mercury" in running text.
std::string without_qualifier(const std::string& title) {
  const auto open = title.rfind(" (");
  return open != std::string::npos && title.back() == ')' ? title.substr(0, open) : title;
}

double round4(double value) {
  return std::round(value * 1e4) / 1e4;
}

/// How much of a group of words there is: "all", "none", "87 %".
std::string share_text(double share) {
  const auto rounded = std::lround(100 * share);
  return rounded >= 100 ? "all" : rounded <= 0 ? "none" : fmt::format("{} %", rounded);
}

std::string words_text(double share) {
  const auto text = share_text(share);
  return text == "all" ? "all words" : text == "none" ? "no words" : text + " of the words";
}

}  // namespace

std::string LexicalScorer::version() {
  std::string text = fmt::format("lexical/1 bias {:.4g}", kBias);
  for (const auto& feature : kFeatures) text += fmt::format(" {} {:.4g}", feature.name, feature.weight);
  return text;
}

/// The words of a structured query by their part in it.
struct LexicalScorer::Query {
  StemSet head, scope, section;
};

LexicalScorer::LexicalScorer(std::string stemmer, std::vector<std::string> prefixes, double threshold)
    : stemmer_(std::move(stemmer)), prefixes_(std::move(prefixes)), threshold_(threshold) {}

LexicalScorer::Query LexicalScorer::query_of(const JudgeRequest& request, corpus::TermSplitter& splitter) const {
  Query query;
  std::string_view title = request.page;
  for (const auto& prefix : prefixes_) {
    if (prefix.starts_with('*') && title.ends_with(std::string_view(prefix).substr(1))) {
      title.remove_suffix(prefix.size() - 1);
      break;
    }
    if (title.starts_with(prefix)) {
      title.remove_prefix(prefix.size());
      break;
    }
  }
  // What is listed stands before the first function word: "[lighthouses] of Ostrand", "[ships] built at Norhaven".
  bool in_head = true;
  for (const auto& term : splitter.split(title)) {
    if (splitter.is_stop_word(term.stem)) {
      in_head = in_head && query.head.empty();
    } else {
      (in_head ? query.head : query.scope).insert(term.stem);
    }
  }
  std::vector<std::string> parts = request.section_path;
  parts.push_back(request.column);
  for (const auto& part : parts) {
    for (const auto& term : splitter.split(part)) {
      if (!splitter.is_stop_word(term.stem) && !query.head.contains(term.stem) && !query.scope.contains(term.stem))
        query.section.insert(term.stem);
    }
  }
  return query;
}

void LexicalScorer::watch(const JudgeRequest& request, CorpusStatistics& statistics) const {
  corpus::TermSplitter splitter(stemmer_);
  const auto query = query_of(request, splitter);
  for (const auto* part : {&query.head, &query.scope, &query.section}) {
    for (const auto& stem : *part) statistics.watch(stem);
  }
}

std::string LexicalScorer::parameters(const JudgeRequest& request) const {
  corpus::TermSplitter splitter(stemmer_);
  const auto query = query_of(request, splitter);
  std::string text = fmt::format("{}; threshold {:.10g}; stemmer {}; passages {}", version(), threshold_, stemmer_,
                                 statistics_.passages());
  for (const auto* part : {&query.head, &query.scope, &query.section}) {
    text += ";";
    for (const auto& stem : *part) text += " " + stem + " " + std::to_string(statistics_.frequency(stem));
  }
  return text;
}

std::string LexicalScorer::digest(const JudgeRequest& request) const {
  Sha256 digest;
  const auto texts = [&](const std::vector<std::string>& list) {
    digest.update_field(std::to_string(list.size()));
    for (const auto& text : list) digest.update_field(text);
  };
  constexpr std::string_view kNoPrompt;
  digest.update_field("judgment/1").update_field(kId).update_field(parameters(request)).update_field(kNoPrompt);
  digest.update_field(request.page);
  texts(request.section_path);
  digest.update_field(request.column).update_field(request.member);
  texts(request.aliases);
  digest.update_field(request.passage_title).update_field(request.passage_text);
  for (const auto& [begin, end] : request.mentions)
    digest.update_field(std::to_string(begin)).update_field(std::to_string(end));
  digest.update_field(request.own_article ? "own" : "other");
  return digest.hex();
}

std::string LexicalScorer::score(const JudgeRequest& request) const {
  corpus::TermSplitter splitter(stemmer_);
  const auto query = query_of(request, splitter);
  const auto terms = splitter.split(request.passage_text);

  // Words of the member's names and of links to it: they say where it is spoken of, and nothing about it.
  std::vector<bool> is_name(terms.size(), false);
  bool named = mark_name(terms, splitter.split(request.member), is_name);
  named |= mark_name(terms, splitter.split(without_qualifier(request.member)), is_name);
  for (const auto& alias : request.aliases) named |= mark_name(terms, splitter.split(alias), is_name);
  for (const auto& [begin, end] : request.mentions) {
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (terms[i].begin < end && terms[i].end > begin) is_name[i] = true, named = true;
    }
  }
  std::set<std::uint32_t> near_sentences;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (is_name[i]) near_sentences.insert(terms[i].sentence);
  }
  // A passage of the member's own page speaks of it throughout.
  const bool all_near = request.own_article || !named;

  StemSet anywhere, near;
  double distance = 1e9;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (is_name[i]) continue;
    anywhere.insert(terms[i].stem);
    if (!all_near && !near_sentences.contains(terms[i].sentence)) continue;
    near.insert(terms[i].stem);
    if (!query.head.contains(terms[i].stem)) continue;
    for (std::size_t j = 0; j < terms.size(); ++j) {
      if (is_name[j]) distance = std::min(distance, std::abs(static_cast<double>(i) - static_cast<double>(j)) - 1);
    }
    if (!named) distance = std::min(distance, static_cast<double>(i));
  }
  if (!request.own_article) {
    for (const auto& term : splitter.split(request.passage_title)) anywhere.insert(term.stem);
  }

  std::array<double, kFeatureCount> features{};
  features[kHeadNear] = coverage(query.head, near, statistics_);
  features[kHeadAnywhere] = coverage(query.head, anywhere, statistics_);
  features[kHeadDistance] = 1 / (1 + distance);
  features[kScopeAnywhere] = coverage(query.scope, anywhere, statistics_);
  features[kSectionAnywhere] = coverage(query.section, anywhere, statistics_);
  features[kOwnArticle] = request.own_article ? 1 : 0;
  features[kOwnArticleInScope] = features[kOwnArticle] * features[kScopeAnywhere];
  double sum = kBias;
  nlohmann::ordered_json shares;
  for (std::size_t i = 0; i < kFeatureCount; ++i) {
    sum += kFeatures[i].weight * features[i];
    shares[kFeatures[i].name] = round4(features[i]);
  }
  const double probability = round4(1 / (1 + std::exp(-sum)));
  nlohmann::ordered_json reply;
  reply["evidence"] = probability >= threshold_;
  reply["probability"] = probability;
  reply["features"] = shares;
  return json_text(reply);
}

JudgeAnswer LexicalScorer::read(std::string reply) {
  JudgeAnswer result;
  result.reply = std::move(reply);
  try {
    const auto json = parse_json(result.reply);
    const bool evidence = json.at("evidence").get<bool>();
    const double probability = json.at("probability").get<double>();
    const auto& features = json.at("features");
    result.grade = evidence ? 1 : 0;
    result.probability = probability;
    const auto share = [&](const char* name) { return features.at(name).get<double>(); };
    result.reason =
        fmt::format("The passage has {} for what is listed ({} near the member), {} for where, and {} of the section{}",
                    words_text(share("head anywhere")), share_text(share("head near")),
                    words_text(share("scope anywhere")), words_text(share("section anywhere")),
                    share("own article") > 0 ? "; it is from the member's own article." : ".");
    result.state = JudgmentState::kJudged;
  } catch (const nlohmann::ordered_json::exception&) {
    result.grade.reset();
    result.probability.reset();
    result.state = JudgmentState::kUnparseable;
  }
  return result;
}

}  // namespace touchstone::pipeline::judging::lexical
