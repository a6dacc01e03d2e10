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

/// What the judge looks at; each lies in 0..1. Where a list has no scope or no headings, the share of its title
/// in the passage stands for theirs.
enum Feature : std::size_t {
  kHeadNear,           ///< words of what is listed ("lighthouses"), in the sentences that name the member
  kHeadAnywhere,       ///< the same, in the whole passage
  kHeadDistance,       ///< 1 / (1 + words between the member and the nearest of them)
  kScopeAnywhere,      ///< words of the title's rest ("Ostrand")
  kSectionAnywhere,    ///< words of headings and header
  kOwnArticle,         ///< the member's own article, if the passage holds a word of the list
  kOwnArticleInScope,  ///< the member's own article, times scope found: it need not say again what kind of thing it is
  kOwnLead,            ///< the same two for the lead of that article, which says what the member is
  kOwnLeadInScope,
  kFeatureCount
};

/// Names in replies, and weights of the logistic function: fitted by ridge-penalised logistic regression
/// (scripts/fit_lexical_judge.py) and rounded. docs/lexical-judge.md says on which labels, and how far they carry.
struct FeatureInfo {
  const char* name;
  double weight;
};
constexpr auto kFeatures = std::to_array<FeatureInfo>({{"head near", 1.2},
                                                       {"head anywhere", 0.7},
                                                       {"head distance", 1.2},
                                                       {"scope anywhere", 1.5},
                                                       {"section anywhere", 1.6},
                                                       {"own article", 0.8},
                                                       {"own article in scope", 0.4},
                                                       {"own lead", 1.1},
                                                       {"own lead in scope", 0.5}});
static_assert(kFeatures.size() == kFeatureCount);
constexpr double kBias = -2.9;

/// A word that more than this share of all passages hold says nothing about a passage.
constexpr double kCommonWord = 0.5;
/// Highest probability of a passage without a word of the list.
constexpr double kNoWordProbability = 0.05;

/// Share of the idf mass of `wanted` that `found` holds; `otherwise` when nothing is wanted.
double coverage(const StemSet& wanted, const StemSet& found, const CorpusStatistics& statistics, double otherwise) {
  double all = 0, held = 0;
  for (const auto& stem : wanted) {
    const double weight = statistics.idf(stem) + 0.1;  // a word that every passage holds still counts a little
    all += weight;
    if (found.contains(stem)) held += weight;
  }
  return all == 0 ? otherwise : held / all;
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
  std::string text =
      fmt::format("lexical/2 bias {:.4g} common {:.4g} no word {:.4g}", kBias, kCommonWord, kNoWordProbability);
  for (const auto& feature : kFeatures) text += fmt::format(" {} {:.4g}", feature.name, feature.weight);
  return text;
}

LexicalScorer::LexicalScorer(std::string stemmer, std::vector<std::string> prefixes, double threshold)
    : stemmer_(std::move(stemmer)), lists_(stemmer_, std::move(prefixes)), threshold_(threshold) {}

void LexicalScorer::watch(const JudgeRequest& request, CorpusStatistics& statistics) const {
  corpus::TermSplitter splitter(stemmer_);
  const auto query = lists_.read(request, splitter);
  for (const auto* part : {&query.head, &query.scope, &query.section}) {
    for (const auto& stem : *part) statistics.watch(stem);
  }
}

std::string LexicalScorer::parameters(const JudgeRequest& request) const {
  corpus::TermSplitter splitter(stemmer_);
  const auto query = lists_.read(request, splitter);
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
  digest.update_field(request.own_article ? "own" : "other").update_field(request.lead ? "lead" : "body");
  return digest.hex();
}

namespace {

/// What a passage says of a member, in words.
struct PassageWords {
  StemSet anywhere, near;
  double head_distance = 1e9;  ///< words between the member and the nearest near word of the head
};

/// Marks words of the member's names and of links to it: they say where it is spoken of, and nothing about it.
bool mark_member(const JudgeRequest& request, const std::vector<corpus::Term>& terms, corpus::TermSplitter& splitter,
                 Endings endings, std::vector<bool>& is_name) {
  bool named = mark_name(terms, compared_words(splitter, request.member, endings), is_name);
  named |= mark_name(terms, compared_words(splitter, without_qualifier(request.member), endings), is_name);
  for (const auto& alias : request.aliases)
    named |= mark_name(terms, compared_words(splitter, alias, endings), is_name);
  for (const auto& [begin, end] : request.mentions) {
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (terms[i].begin < end && terms[i].end > begin) is_name[i] = true, named = true;
    }
  }
  return named;
}

PassageWords read_passage(const JudgeRequest& request, const StemSet& head, corpus::TermSplitter& splitter,
                          Endings endings) {
  const auto terms = compared_words(splitter, request.passage_text, endings);
  std::vector<bool> is_name(terms.size(), false);
  const bool named = mark_member(request, terms, splitter, endings, is_name);
  std::set<std::uint32_t> near_sentences;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (is_name[i]) near_sentences.insert(terms[i].sentence);
  }
  // A passage of the member's own page speaks of it throughout.
  const bool all_near = request.own_article || !named;
  PassageWords words;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (is_name[i]) continue;
    words.anywhere.insert(terms[i].stem);
    if (!all_near && !near_sentences.contains(terms[i].sentence)) continue;
    words.near.insert(terms[i].stem);
    if (!head.contains(terms[i].stem)) continue;
    for (std::size_t j = 0; j < terms.size(); ++j) {
      if (!is_name[j]) continue;
      const double between = std::abs(static_cast<double>(i) - static_cast<double>(j)) - 1;
      words.head_distance = std::min(words.head_distance, between);
    }
    if (!named) words.head_distance = std::min(words.head_distance, static_cast<double>(i));
  }
  if (!request.own_article) {
    for (const auto& term : compared_words(splitter, request.passage_title, endings)) words.anywhere.insert(term.stem);
  }
  return words;
}

}  // namespace

bool LexicalScorer::holds_a_word(const ListWords& list, const StemSet& found) const {
  bool all_common = true, any = false;
  for (const auto* part : {&list.head, &list.scope, &list.section}) {
    for (const auto& stem : *part) {
      const auto frequency = static_cast<double>(statistics_.frequency(stem));
      const bool common = frequency > kCommonWord * static_cast<double>(statistics_.passages());
      const bool here = found.contains(stem);
      if (here && !common) return true;
      all_common &= common;
      any |= here;
    }
  }
  return any && all_common;
}

std::string LexicalScorer::score(const JudgeRequest& request) const {
  corpus::TermSplitter splitter(stemmer_);
  const auto list = lists_.read(request, splitter);
  const auto words = read_passage(request, list.head, splitter, endings_for(stemmer_));
  const bool any_word = holds_a_word(list, words.anywhere);

  std::array<double, kFeatureCount> features{};
  const double title = coverage(list.title(), words.anywhere, statistics_, 0);
  features[kHeadNear] = coverage(list.head, words.near, statistics_, title);
  features[kHeadAnywhere] = coverage(list.head, words.anywhere, statistics_, title);
  features[kHeadDistance] = 1 / (1 + words.head_distance);
  features[kScopeAnywhere] = coverage(list.scope, words.anywhere, statistics_, title);
  features[kSectionAnywhere] = coverage(list.section, words.anywhere, statistics_, title);
  features[kOwnArticle] = request.own_article && any_word ? 1 : 0;
  features[kOwnArticleInScope] = features[kOwnArticle] * features[kScopeAnywhere];
  features[kOwnLead] = request.lead ? features[kOwnArticle] : 0;
  features[kOwnLeadInScope] = features[kOwnLead] * features[kScopeAnywhere];
  double sum = kBias;
  nlohmann::ordered_json shares;
  for (std::size_t i = 0; i < kFeatureCount; ++i) {
    sum += kFeatures[i].weight * features[i];
    shares[kFeatures[i].name] = round4(features[i]);
  }
  double probability = 1 / (1 + std::exp(-sum));
  if (!any_word) probability = std::min(probability, kNoWordProbability);
  probability = round4(probability);
  nlohmann::ordered_json reply;
  reply["evidence"] = any_word && probability >= threshold_;
  reply["probability"] = probability;
  reply["word"] = any_word;
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
