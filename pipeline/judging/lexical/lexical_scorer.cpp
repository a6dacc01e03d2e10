#include "pipeline/judging/lexical/lexical_scorer.hpp"

#include "common/digest.hpp"
#include "common/json_tree.hpp"
#include "pipeline/judging/lexical/passage_words.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::pipeline::judging::lexical {
namespace {

using llm_client::JudgeAnswer;

/// What the judge looks at; each lies in 0..1. Where a list has no scope or no headings, the share of its head stands
/// for theirs.
enum Feature : std::size_t {
  kHeadNear,         ///< what is listed ("lighthouses"), in the sentences about the member
  kHeadDistance,     ///< 1 / (1 + words between the member and the nearest of them)
  kScopeNear,        ///< the title's rest ("Ostrand"), in the sentences about the member
  kScopeAnywhere,    ///< the same, in the whole passage
  kSectionAnywhere,  ///< the innermost heading, in the whole passage
  kOwnArticle,       ///< the member's own article, times the lesser share of head near and scope
  kOwnLead,          ///< the same for the lead of that article, which says what the member is
  kBystander,        ///< the sentence speaks of another page
  kFeatureCount
};

/// Names in replies, and weights of the logistic function: fitted by ridge-penalised logistic regression
/// (scripts/fit_lexical_judge.py) and rounded. docs/lexical-judge.md says on which labels, and how far they carry.
struct FeatureInfo {
  const char* name;
  double weight;
};
constexpr auto kFeatures = std::to_array<FeatureInfo>({{"head near", 0.5},
                                                       {"head distance", 1.0},
                                                       {"scope near", 1.0},
                                                       {"scope anywhere", 1.4},
                                                       {"section anywhere", 1.3},
                                                       {"own article", 1.3},
                                                       {"own lead", 0.7},
                                                       {"bystander", -0.4}});
static_assert(kFeatures.size() == kFeatureCount);
constexpr double kBias = -2.0;

/// A word that more than this share of all passages hold says nothing about a passage.
constexpr double kCommonWord = 0.5;
/// Least shares of a clear yes: of the head near the member, and of the scope, and the heading where it tells.
constexpr double kHeadSaid = 0.6;
constexpr double kScopeSaid = 0.5;
/// Highest probability of a passage that does not say as much.
constexpr double kUnsaidProbability = 0.4;
/// Below this probability the answer is no; from the threshold on it is yes; in between words do not tell.
constexpr double kClearNo = 0.15;
/// Highest probability of a passage without a word of the list.
constexpr double kNoWordProbability = 0.1;
/// The text of links is a synonym if at least this many links have it, and at least so many for each passage with its
/// rarest word.
constexpr std::uint64_t kLeastLinks = 2;
constexpr double kLeastLinkShare = 0.2;

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

template <class List, class Use>
void for_each_phrase(List& list, const Use& use) {
  for (auto* part : {&list.head, &list.scope, &list.section}) {
    for (auto& phrase : *part) use(phrase);
  }
}

}  // namespace

std::string LexicalScorer::version() {
  std::string text = fmt::format(
      "lexical/3; bias {:.4g} common {:.4g} said {:.4g} {:.4g} {:.4g} no {:.4g} no word {:.4g} links {} {:.4g}", kBias,
      kCommonWord, kHeadSaid, kScopeSaid, kUnsaidProbability, kClearNo, kNoWordProbability, kLeastLinks,
      kLeastLinkShare);
  for (const auto& feature : kFeatures) text += fmt::format(" {} {:.4g}", feature.name, feature.weight);
  return text;
}

LexicalScorer::LexicalScorer(std::string stemmer, std::vector<std::string> prefixes, double threshold)
    : stemmer_(std::move(stemmer)), lists_(stemmer_, std::move(prefixes)), threshold_(threshold) {}

ListWords LexicalScorer::list(const JudgeRequest& request) const {
  corpus::TermSplitter splitter(stemmer_);
  return lists_.read(request, splitter);
}

void LexicalScorer::watch(const ListWords& list, const std::map<std::string, Synonyms>& synonyms,
                          CorpusStatistics& statistics) {
  for_each_phrase(list, [&](const ListPhrase& phrase) {
    for (const auto& stem : phrase.words) statistics.watch(stem);
    const auto found = synonyms.find(phrase.text);
    if (found == synonyms.end()) return;
    for (const auto& title : found->second.titles) {
      for (const auto& stem : title) statistics.watch(stem);
    }
    for (const auto& [anchor, count] : found->second.anchors) {
      for (const auto& stem : anchor) statistics.watch(stem);
    }
  });
}

bool LexicalScorer::is_common(const std::string& stem) const {
  return static_cast<double>(statistics_.frequency(stem)) > kCommonWord * static_cast<double>(statistics_.passages());
}

void LexicalScorer::refine(ListWords& list, const std::map<std::string, Synonyms>& synonyms) const {
  const auto all_common = [&](const auto& words) {
    return std::all_of(words.begin(), words.end(), [&](const auto& stem) { return is_common(stem); });
  };
  for_each_phrase(list, [&](ListPhrase& phrase) {
    std::erase_if(phrase.words, [&](const auto& stem) { return is_common(stem); });
    const auto found = synonyms.find(phrase.text);
    if (found == synonyms.end()) return;
    std::set<StemPhrase> taken(phrase.synonyms.begin(), phrase.synonyms.end());
    for (const auto& title : found->second.titles) {
      if (!all_common(title)) taken.insert(title);
    }
    for (const auto& [anchor, count] : found->second.anchors) {
      std::uint64_t rarest = statistics_.passages();
      for (const auto& stem : anchor) rarest = std::min(rarest, statistics_.frequency(stem));
      const bool is_its_name = static_cast<double>(count) >= kLeastLinkShare * static_cast<double>(rarest);
      if (count >= kLeastLinks && is_its_name && !all_common(anchor)) taken.insert(anchor);
    }
    phrase.synonyms.assign(taken.begin(), taken.end());
  });
  for (auto* part : {&list.head, &list.scope, &list.section})
    std::erase_if(*part, [](const ListPhrase& phrase) { return phrase.words.empty(); });
  // What is listed is a common word ("pages"): the rest of the name has to tell.
  for (auto* part : {&list.scope, &list.section}) {
    if (list.head.empty()) std::swap(list.head, *part);
  }
}

std::string LexicalScorer::parameters(const ListWords& list) const {
  std::string text = fmt::format("{}; threshold {:.10g}; stemmer {}; passages {}{}", version(), threshold_, stemmer_,
                                 statistics_.passages(),
                                 list.section_tells  ? "; by section"
                                 : list.subject_only ? "; subject"
                                                     : "");
  if (list.titled_list) text += "; titled";
  for (const auto* part : {&list.head, &list.scope, &list.section}) {
    text += ";";
    for (const auto& phrase : *part) {
      for (const auto& stem : phrase.words) text += " " + stem + " " + std::to_string(statistics_.frequency(stem));
      for (const auto& synonym : phrase.synonyms) {
        text += " =";
        for (const auto& stem : synonym) text += " " + stem;
      }
    }
  }
  return text;
}

std::string LexicalScorer::digest(const ListWords& list, const JudgeRequest& request) const {
  Sha256 digest;
  const auto texts = [&](const std::vector<std::string>& all) {
    digest.update_field(std::to_string(all.size()));
    for (const auto& text : all) digest.update_field(text);
  };
  constexpr std::string_view kNoPrompt;
  digest.update_field("judgment/1").update_field(kId).update_field(parameters(list)).update_field(kNoPrompt);
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

std::string LexicalScorer::score(const ListWords& list, const JudgeRequest& request) const {
  corpus::TermSplitter splitter(stemmer_);
  const auto endings = endings_for(stemmer_);
  const PassageWords words(request, list.titled_list, splitter, endings);
  std::array<double, kFeatureCount> features{};
  const double head = words.anywhere(list.head, statistics_), section = words.anywhere(list.section, statistics_);
  features[kHeadNear] = words.near(list.head, statistics_);
  features[kHeadDistance] = 1 / (1 + words.distance(list.head));
  features[kScopeNear] = list.scope.empty() ? features[kHeadNear] : words.near(list.scope, statistics_);
  features[kScopeAnywhere] = list.scope.empty() ? head : words.anywhere(list.scope, statistics_);
  features[kSectionAnywhere] = list.section.empty() ? std::min(head, features[kScopeAnywhere]) : section;
  features[kOwnArticle] = request.own_article ? std::min(features[kHeadNear], features[kScopeAnywhere]) : 0;
  features[kOwnLead] = request.lead ? features[kOwnArticle] : 0;
  features[kBystander] = words.bystander() ? 1 : 0;
  double sum = kBias;
  nlohmann::ordered_json shares;
  for (std::size_t i = 0; i < kFeatureCount; ++i) {
    sum += kFeatures[i].weight * features[i];
    shares[kFeatures[i].name] = round4(features[i]);
  }
  const bool any_word = head > 0 || features[kScopeAnywhere] > 0 || section > 0;
  // The first sentence of an article says what its subject is: more than that need not be said there.
  const bool defines = request.own_article && request.lead && words.first(list.head, statistics_) >= kHeadSaid;
  const bool told = !list.section_tells || list.section.empty() || section >= kScopeSaid || defines;
  const bool said = features[kHeadNear] >= kHeadSaid && features[kScopeAnywhere] >= kScopeSaid && told &&
                    (!list.subject_only || defines);
  double probability = 1 / (1 + std::exp(-sum));
  if (!said) probability = std::min(probability, kUnsaidProbability);
  if (!any_word) probability = std::min(probability, kNoWordProbability);
  probability = round4(probability);
  nlohmann::ordered_json reply;
  reply["evidence"] = nullptr;
  if (said && probability >= threshold_) reply["evidence"] = true;
  if (!list.head.empty() && probability < std::min(kClearNo, threshold_)) reply["evidence"] = false;
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
    const auto& verdict = json.at("evidence");
    const int grade = verdict.is_null() ? 0 : verdict.get<bool>() ? 1 : 0;
    const double probability = json.at("probability").get<double>();
    const auto& features = json.at("features");
    const auto share = [&](const char* name) { return features.at(name).get<double>(); };
    result.reason = fmt::format(
        "Near the member, the passage has {} for what is listed; it has {} for where, and {} of the section{}",
        words_text(share("head near")), words_text(share("scope anywhere")), words_text(share("section anywhere")),
        share("own article") > 0 ? "; it is from the member's own article." : ".");
    result.probability = probability;
    if (!verdict.is_null()) result.grade = grade;
    result.state = result.grade ? JudgmentState::kJudged : JudgmentState::kUnsure;
  } catch (const nlohmann::ordered_json::exception&) {
    result.grade.reset();
    result.probability.reset();
    result.state = JudgmentState::kUnparseable;
  }
  return result;
}

}  // namespace touchstone::pipeline::judging::lexical
