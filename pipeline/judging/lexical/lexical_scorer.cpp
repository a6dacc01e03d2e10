#include "pipeline/judging/lexical/lexical_scorer.hpp"

#include "common/digest.hpp"
#include "common/json_tree.hpp"
#include "common/number_text.hpp"
#include "pipeline/judging/lexical/passage_words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::pipeline::judging::lexical {
namespace {

using llm_client::JudgeAnswer;

/// What the judge looks at; each lies in 0..1. Where a list has no scope or no headings, the share of its head is
/// for theirs.
enum Feature : std::size_t {
  kHeadNear,         ///< what is listed ("lighthouses"), in the sentences about the member
  kHeadDistance,     ///< 1 / (1 + words between the member and the nearest of them)
  kScopeAnywhere,    ///< the title's rest ("Ostrand"), in the whole passage
  kSectionAnywhere,  ///< the innermost heading, in the whole passage
  kOwnArticle,       ///< the member's own article, times the lesser share of head near and scope
  kOwnLead,          ///< the same for the lead of that article, which says what the member is
  kFeatureCount
};

/// Names in replies, and weights of the logistic function: fitted by ridge-penalised logistic regression
/// (scripts/fit_lexical_judge.py) and rounded. docs/lexical-judge.md says on which labels, and how far they carry.
struct FeatureInfo {
  const char* name;
  double weight;
};
constexpr auto kFeatures = std::to_array<FeatureInfo>({{"head near", 1.9},
                                                       {"head distance", 0.7},
                                                       {"scope anywhere", 2.0},
                                                       {"section anywhere", 0.6},
                                                       {"own article", 1.1},
                                                       {"own lead", 0.9}});
static_assert(kFeatures.size() == kFeatureCount);
constexpr double kBias = -1.9;

/// A word that more than this share of all passages hold says nothing about a passage.
constexpr double kCommonWord = 0.5;
/// Least shares of a clear yes: of the head near the member, and of the scope, and the heading where it tells.
constexpr double kHeadSaid = 0.6;
constexpr double kScopeSaid = 0.5;
/// A noun that more than this share of all passages hold says too little alone.
constexpr double kRareNoun = 0.1;
/// Words that define what is listed are its synonym if no more than this share of all passages have the rarest of them.
constexpr double kDefiningWord = 0.25;
/// The same of head and scope together, near the member, where one of them is said too little.
constexpr double kBothSaid = 0.75;
/// Highest probability of a passage that does not say as much.
constexpr double kUnsaidProbability = 0.33;
/// Below this probability the answer is no; from the threshold on it is yes; in between words do not tell.
constexpr double kClearNo = 0.15;
/// Highest probability of a passage without a word of the list.
constexpr double kNoWordProbability = 0.1;
/// The text of links is a synonym if at least this many links have it, and at least so many for each passage with its
/// rarest word.
constexpr std::uint64_t kLeastLinks = 2;
constexpr double kLeastLinkShare = 0.2;

/// How much of a group of words there is: "all", "none", "87 %".
std::string share_text(double share) {
  const auto rounded = std::lround(100 * share);
  return rounded >= 100 ? "all" : rounded <= 0 ? "none" : fmt::format("{} %", rounded);
}

std::string words_text(double share) {
  const auto text = share_text(share);
  return text == "all" ? "all words" : text == "none" ? "no words" : text + " of the words";
}

/// The phrases without what else the wiki calls them.
std::vector<ListPhrase> literal(std::vector<ListPhrase> phrases) {
  for (auto& phrase : phrases) phrase.synonyms.clear();
  return phrases;
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
      "lexical/6; bias {:.4g} common {:.4g} "
      "said {:.4g} {:.4g} {:.4g} {:.4g} rare {:.4g} no {:.4g} no word {:.4g} links {} {:.4g}",
      kBias, kCommonWord, kHeadSaid, kScopeSaid, kBothSaid, kUnsaidProbability, kRareNoun, kClearNo, kNoWordProbability,
      kLeastLinks, kLeastLinkShare);
  for (const auto& feature : kFeatures) text += fmt::format(" {} {:.4g}", feature.name, feature.weight);
  return text;
}

LexicalScorer::LexicalScorer(std::string stemmer, std::vector<std::string> prefixes, double threshold)
    : stemmer_(std::move(stemmer)), lists_(stemmer_, std::move(prefixes)), denials_(stemmer_), threshold_(threshold) {}

ListWords LexicalScorer::list(const JudgeRequest& request) const {
  text::TermSplitter splitter(stemmer_);
  return lists_.read(request, splitter);
}

void LexicalScorer::watch(const ListWords& list, const std::map<std::string, Synonyms>& synonyms,
                          CorpusStatistics& statistics) {
  for_each_phrase(list, [&](const ListPhrase& phrase) {
    for (const auto& stem : phrase.words) statistics.watch(stem);
    statistics.watch(phrase.noun);
    for (const auto& stem : phrase.short_form) statistics.watch(stem);
    for (const auto& synonym : phrase.synonyms) {
      for (const auto& stem : synonym) statistics.watch(stem);
    }
    const auto found = synonyms.find(phrase.text);
    if (found == synonyms.end()) return;
    for (const auto& title : found->second.titles) {
      for (const auto& stem : title) statistics.watch(stem);
    }
    for (const auto& [anchor, count] : found->second.anchors) {
      for (const auto& stem : anchor) statistics.watch(stem);
    }
    for (const auto& words : found->second.defining) {
      for (const auto& stem : words) statistics.watch(stem);
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
  const auto rarity = [&](const StemPhrase& words) {
    std::uint64_t rarest = statistics_.passages();
    for (const auto& stem : words) rarest = std::min(rarest, statistics_.frequency(stem));
    return rarest;
  };
  for_each_phrase(list, [&](ListPhrase& phrase) {
    std::erase_if(phrase.words, [&](const auto& stem) { return is_common(stem); });
    std::erase_if(phrase.synonyms, all_common);
    if (!phrase.short_form.empty() && statistics_.is_name(phrase.short_form[0]) && !all_common(phrase.short_form))
      phrase.synonyms.push_back(phrase.short_form);
    const auto found = synonyms.find(phrase.text);
    if (found == synonyms.end()) return;
    std::set<StemPhrase> taken(phrase.synonyms.begin(), phrase.synonyms.end());
    for (const auto& title : found->second.titles) {
      if (!all_common(title)) taken.insert(title);
    }
    for (const auto& [anchor, count] : found->second.anchors) {
      const bool is_its_name = static_cast<double>(count) >= kLeastLinkShare * static_cast<double>(rarity(anchor));
      if (count >= kLeastLinks && is_its_name && !all_common(anchor)) taken.insert(anchor);
    }
    const auto& defining = found->second.defining;
    const auto rarest = std::min_element(defining.begin(), defining.end(),
                                         [&](const auto& a, const auto& b) { return rarity(a) < rarity(b); });
    const auto is_rare = [&](const StemPhrase& words) {
      return static_cast<double>(rarity(words)) <= kDefiningWord * static_cast<double>(statistics_.passages());
    };
    if (rarest != defining.end() && is_rare(*rarest)) taken.insert(*rarest);
    phrase.synonyms.assign(taken.begin(), taken.end());
  });
  settle(list);
  for (auto* part : {&list.head, &list.scope, &list.section})
    std::erase_if(*part, [](const ListPhrase& phrase) { return phrase.words.empty(); });
  // What is listed is a common word ("pages"): the rest of the name has to tell.
  for (auto* part : {&list.scope, &list.section}) {
    if (list.head.empty()) std::swap(list.head, *part);
  }
}

/// What the corpus tells about the title and the heading of a page that is not a list.
void LexicalScorer::settle(ListWords& list) const {
  if (!list.bare_title) return;
  const auto is_name = [&](const auto& stem) { return statistics_.is_name(stem); };
  // "Vuktyl District", with the heading "Villages": a title with a name is where they are, even if all leads speak of a
  // district.
  const auto has_name = [&](const ListPhrase& phrase) {
    return std::any_of(phrase.words.begin(), phrase.words.end(), is_name);
  };
  if (list.title_listed && !list.section.empty() && std::any_of(list.head.begin(), list.head.end(), has_name) &&
      std::none_of(list.section.begin(), list.section.end(), has_name)) {
    list.scope = std::exchange(list.head, std::exchange(list.section, {}));
    list.title_listed = list.kind_known = list.heading_sorts = false;
  }
  list.scope_named =
      !list.title_listed && list.heading_unsaid && std::any_of(list.scope.begin(), list.scope.end(), has_name);
  // "Makers", with the heading "Companies": the title names a wider kind, which goes without saying.
  if (!list.title_listed && list.kind_known && list.scope.size() == 1 && list.scope[0].words.size() == 1 &&
      std::none_of(list.scope.begin(), list.scope.end(), [&](const auto& phrase) { return is_name(phrase.noun); }))
    list.scope_implied = true;
  // Under "Clubs" the heading "Norway" says where they are, and not what.
  list.heading_sorts &= std::all_of(list.section.begin(), list.section.end(), [&](const auto& phrase) {
    return std::all_of(phrase.words.begin(), phrase.words.end(), is_name);
  });
}

std::string LexicalScorer::parameters(const ListWords& list) const {
  std::string text = fmt::format("{}; threshold {:.10g}; stemmer {}; passages {}{}", version(), threshold_, stemmer_,
                                 statistics_.passages(),
                                 list.section_tells  ? "; by section"
                                 : list.subject_only ? "; subject"
                                                     : "");
  if (list.titled_list) text += list.list_page ? "; titled" : "; titled section";
  if (list.bare_title) text += "; bare";
  if (list.title_listed) text += "; title listed";
  if (list.kind_known) text += "; kind known";
  if (list.heading_sorts) text += "; sorted";
  if (list.scope_implied) text += "; scope implied";
  if (list.scope_named) text += "; scope named";
  for (const auto* part : {&list.head, &list.scope, &list.section}) {
    text += ";";
    for (const auto& phrase : *part) {
      text += " " + phrase.noun + ":";
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

/// The noun of the list says alone what the member is, if it is a rare word: near the member if the members' leads show
/// that it names their kind; in the lead of the own article if the scope is said elsewhere: "a Debian based
/// distribution" is one of the derivative distributions of Debian.
bool LexicalScorer::is_defined(const ListWords& list, const JudgeRequest& request, const PassageWords& words) const {
  const auto is_rare = [&](const ListPhrase& phrase) {
    return static_cast<double>(statistics_.frequency(phrase.noun)) <=
           kRareNoun * static_cast<double>(statistics_.passages());
  };
  if (!std::all_of(list.head.begin(), list.head.end(), is_rare)) return false;
  const bool own_lead = request.own_article && request.lead;
  if (list.bare_title && list.kind_known && (own_lead || list.scope.empty()) &&
      (request.own_article ? words.has_noun(list.head, own_lead) : words.is_called(list.head)))
    return true;
  if (list.scope.empty()) return false;
  return own_lead ? !list.bare_title && words.has_noun(list.head, true)
                  : !request.own_article && words.is_compound(list.scope, list.head, statistics_);
}

/// The lead of an article says what its subject is: more than that need not be said there. But a heading tells among
/// "Applications" which kind is meant, unless the member's name has a word of it.
bool LexicalScorer::lead_tells(const ListWords& list, const JudgeRequest& request, const PassageWords& words) const {
  if (!request.own_article || !request.lead || words.near(list.head, statistics_) < kHeadSaid) return false;
  return !list.bare_title || words.name_has_word(list.section);
}

LexicalScorer::Shares LexicalScorer::shares(const ListWords& list, const JudgeRequest& request,
                                            const PassageWords& words) const {
  Shares shares;
  auto both = list.head;
  both.insert(both.end(), list.scope.begin(), list.scope.end());
  const bool has_scope = !list.scope.empty(), defined = is_defined(list, request, words);
  const double near_both = words.near_on_page(both, list.scope, statistics_);
  shares.near_member = defined || near_both >= kBothSaid;
  double together = near_both;
  if (!list.bare_title) together = std::max(together, words.in_one_sentence(both, statistics_));
  shares.together = request.own_article && has_scope && together >= kBothSaid;
  shares.head_near = defined ? 1 : words.near(list.head, statistics_);
  if (shares.together) shares.head_near = std::max(shares.head_near, together);
  shares.head = std::max(shares.head_near, words.anywhere(list.head, statistics_));
  const bool own_lead = request.own_article && request.lead;
  const bool no_scope = list.scope.empty() || (list.scope_implied && own_lead);
  // Where a lead says no more than the noun of the list, "Mer is a distribution", the scope follows at once.
  shares.scope = no_scope              ? shares.head
                 : defined && own_lead ? words.beginning(list.scope, statistics_)
                                       : words.anywhere(list.scope, statistics_);
  const bool sorted = list.heading_sorts && (list.bare_title ? own_lead : request.own_article);
  shares.section_matters = !list.section.empty() && !sorted;
  shares.of_section = words.anywhere(list.section, statistics_);
  shares.section = shares.section_matters ? shares.of_section : std::min(shares.head_near, shares.scope);
  return shares;
}

/// True if the passage says as much as a clear yes needs.
bool LexicalScorer::is_said(const ListWords& list, const JudgeRequest& request, const PassageWords& words,
                            const Shares& shares) const {
  const bool own_lead = request.own_article && request.lead;
  // "Formerly under the Jakarta Project", where no lead says what the heading calls them: "Subprojects".
  if (own_lead && list.scope_named && words.beginning(list.scope, statistics_) >= 1) return true;
  if (!shares.together && (shares.head_near < kHeadSaid || shares.scope < kScopeSaid)) return false;
  // Another's article that has the words somewhere speaks of much; only lists are named for what goes without saying.
  if (!list.list_page && !request.own_article && !shares.near_member) return false;
  // Sections of an article go into detail about its subject. What its kind is they say in the list's own words, or
  // they speak of something else.
  if (list.bare_title && request.own_article && !own_lead && words.near(literal(list.head), statistics_) < kBothSaid)
    return false;
  if (list.subject_only && !list.kind_known && !(own_lead && words.first(list.head, statistics_) >= kHeadSaid))
    return false;
  return !list.section_tells || !shares.section_matters || shares.section >= kScopeSaid ||
         lead_tells(list, request, words);
}

std::string LexicalScorer::score(const ListWords& list, const JudgeRequest& request) const {
  text::TermSplitter splitter(stemmer_);
  PassageWords words(request, list.titled_list, splitter, endings_for(stemmer_), denials_);
  if (!list.list_page) words.leave_out_names(list);
  if (makes_compounds(stemmer_)) words.join_forms(list);
  const auto shares = this->shares(list, request, words);
  std::array<double, kFeatureCount> features{};
  features[kHeadNear] = shares.head_near;
  features[kHeadDistance] = 1 / (1 + words.distance(list.head));
  features[kScopeAnywhere] = shares.scope;
  features[kSectionAnywhere] = shares.section;
  features[kOwnArticle] = request.own_article ? std::min(shares.head_near, shares.scope) : 0;
  features[kOwnLead] = request.lead ? features[kOwnArticle] : 0;
  double sum = kBias;
  nlohmann::ordered_json shown;
  for (std::size_t i = 0; i < kFeatureCount; ++i) {
    sum += kFeatures[i].weight * features[i];
    shown[kFeatures[i].name] = round_to(features[i], 4);
  }
  const bool any_word = shares.head > 0 || shares.scope > 0 || shares.of_section > 0;
  const bool said = is_said(list, request, words, shares);
  double probability = 1 / (1 + std::exp(-sum));
  if (!said) probability = std::min(probability, kUnsaidProbability);
  if (!any_word) probability = std::min(probability, kNoWordProbability);
  probability = round_to(probability, 4);
  nlohmann::ordered_json reply;
  reply["evidence"] = nullptr;
  if (said && probability >= threshold_) reply["evidence"] = true;
  if (!list.head.empty() && probability < std::min(kClearNo, threshold_)) reply["evidence"] = false;
  reply["probability"] = probability;
  reply["word"] = any_word;
  reply["features"] = shown;
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
