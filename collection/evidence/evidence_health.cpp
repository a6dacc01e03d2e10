#include "collection/evidence/evidence_health.hpp"

#include "collection/evidence/collection_counter.hpp"
#include "collection/evidence/collection_lines.hpp"
#include "collection/evidence/evidence_texts.hpp"
#include "collection/evidence/mentions.hpp"
#include "collection/evidence/topic_grades.hpp"
#include "collection/health/passage_health.hpp"
#include "collection/health/topic_overlap.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/number_text.hpp"
#include "common/scratch_folder.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

namespace touchstone::collection::evidence {
namespace {

namespace fs = std::filesystem;
using formats::fields::quote_for_message;
using health::counted;
using health::share_of;

constexpr double kLeastTopics = 25;              ///< Buckley and Voorhees, 2000, section 4: fewer rank unstably
constexpr double kLeastMembers = 5;              ///< the paper: 23.71 on average
constexpr double kLeastMedianEvidence = 5;       ///< the paper: 22; its topics have 5 at least
constexpr double kLeastOutside = 0.4;            ///< the paper: 61.8 %
constexpr double kMostWithoutCandidates = 0.25;  ///< members that no passage was proposed for
constexpr double kMostUnlinked = 0.25;
constexpr double kMostOfOtherKind = 0.05;
constexpr double kMostUnjudged = 0.01;
constexpr double kMostOverlap = 0.02;

using health::Remedy;
using Unless = Remedy::Unless;

/// What more than one check asks for.
constexpr Remedy kSurvey{"let touchstone survey choose the settings, which tries whole articles and other sources",
                         Unless::kDiffers, "groups.list_prefixes", "[]"};
constexpr Remedy kMentions{"add \"mention\" to candidates.sources, and read what that brings", Unless::kHolds,
                           "candidates.sources", "\"mention\""};
constexpr Remedy kModel{"choose a language model as judge (judge.kind), which finds what is said in other words",
                        Unless::kDiffers, "judge.kind", health::kLexical};

health::PassageRemedies passage_remedies_of_evidence() {
  return {.repeats = {{"set passages.repeats = \"near\", which folds them into one passage", Unless::kDiffers,
                       "passages.repeats", "\"keep\""}},
          .near_repeats =
              {{"set passages.repeats = \"near\"", Unless::kDiffers, "passages.repeats", "\"exact\""},
               {"set passages.repeats = \"similar\", which folds texts of one mould about other pages or numbers",
                Unless::kEquals, "passages.repeats", "\"similar\""}},
          .short_passages = {{"set passages.min_words = 8, which costs topics whose passages are that short",
                              Unless::kAtLeast, "passages.min_words", "8"}},
          .long_passages = {{"set passages.max_words = 500, at which longer passages are cut", Unless::kAtMost,
                             "passages.max_words", "500"}},
          .damage = {{"set passages.keep_markup = false, which leaves such passages out", Unless::kEquals,
                      "passages.keep_markup", "false"},
                     {"let touchstone survey choose ingest.templates, which compares the damage", Unless::kDiffers,
                      "groups.list_prefixes", "[]"}}};
}

class EvidenceExaminer {
 public:
  EvidenceExaminer(fs::path directory, const CollectionInfo& info, const StopFlag& stop, const DamageOf& damage)
      : directory_(std::move(directory)),
        stop_(stop),
        damage_of_(damage),
        evidence_grade_(info.evidence_grade),
        options_(health::run_options(info.manifest_json)),
        counter_(info.evidence_grade),
        grades_(info.evidence_grade) {}

  std::vector<health::HealthCheck> run() {
    read_topics();
    read_members();
    read_judgments();
    read_corpus();
    numbers_ = counter_.numbers();
    checks_ = distribution_checks();
    add_member_checks();
    add_topic_checks();
    for (auto& check : evidence_.checks(options_)) checks_.push_back(std::move(check));
    if (topics_.empty()) {
      for (std::size_t i = 1; i < checks_.size(); ++i) health::leave_unmeasured(checks_[i], "there are no topics");
      checks_.front().remedy =
          "see what touchstone survey says; if no settings give a topic, make an automatic collection from titles and "
          "headings (touchstone build --to automatic).";
    }
    for (auto& check : passages_.checks(passage_remedies_of_evidence(), options_)) checks_.push_back(std::move(check));
    return std::move(checks_);
  }

 private:
  struct Topic {
    std::string id, query;
    std::uint64_t list_page = 0;
    std::vector<std::uint64_t> members;
  };

  /// Calls `read(line)`, which returns why the line is wrong, or nothing.
  void read_lines(std::string_view file, const std::function<std::string(std::string_view)>& read) {
    const fs::path path = directory_ / file;
    for_each_line(
        path,
        [&](std::string_view line, std::uint64_t number) {
          stop_.check();
          const std::string problem = read(line);
          if (!problem.empty()) {
            throw FormatError(path.string() + " line " + std::to_string(number) + " " + problem +
                              "; touchstone validate lists all problems of the collection");
          }
          return true;
        },
        kMaxCollectionLineBytes);
  }

  void read_topics() {
    read_lines("queries.jsonl", [&](std::string_view line) -> std::string {
      const auto topic = reader_.query(line);
      if (!topic) return topic.error();
      if (!numbers_of_topics_.emplace(topic->id, topics_.size()).second)
        return "has topic " + quote_for_message(topic->id) + " a second time";
      topics_.push_back({topic->id, topic->query, topic->page_id, {}});
      list_titles_.emplace(topic->page, topic->page_id);
      evidence_.add(*topic);
      counter_.topic(topic->id);
      return "";
    });
  }

  void read_members() {
    read_lines("members.jsonl", [&](std::string_view line) -> std::string {
      const auto member = reader_.member(line);
      if (!member) return member.error();
      const auto topic = numbers_of_topics_.find(member->topic);
      if (topic == numbers_of_topics_.end() || !counter_.member(*member))
        return "names topic " + quote_for_message(member->topic) + ", which queries.jsonl does not have";
      topics_[topic->second].members.push_back(member->page_id);
      list_pages_.emplace(member->page_id, topics_[topic->second].list_page);
      mentions_.add_member(member->page_id, member->title);
      titles_.emplace(member->page_id, member->title);
      typed_ += member->types && !member->types->empty() ? 1 : 0;
      if (member->other_kind && of_other_kind_++ == 0) other_kind_sample_ = member->title;
      if (member->candidates == 0 && without_candidates_++ == 0) without_sample_ = member->title;
      return "";
    });
    for (auto& topic : topics_) {
      std::sort(topic.members.begin(), topic.members.end());
      topic.members.erase(std::unique(topic.members.begin(), topic.members.end()), topic.members.end());
    }
  }

  void read_judgments() {
    std::string topic;
    const auto finish_topic = [&] {
      for (const auto& entry : grades_.take()) counter_.qrel(topic, entry.grade, entry.own_article);
    };
    read_lines("judgments.jsonl.gz", [&](std::string_view line) -> std::string {
      std::optional<std::string> unknown_state;
      const auto judgment = reader_.judgment(line, &unknown_state);
      if (!judgment) return judgment.error();
      if (!counter_.knows_topic(judgment->topic))
        return "names topic " + quote_for_message(judgment->topic) + ", which queries.jsonl does not have";
      if (judgment->topic != topic) finish_topic();
      topic = judgment->topic;
      counter_.judgment(*judgment);
      evidence_.add(*judgment, evidence_grade_);
      grades_.add(*judgment);
      const bool fresh = judged_.insert(pair_hash(judgment->member_page_id, judgment->docid)).second;
      if (fresh && !judgment->own_article) ++mentioned_[judgment->member_page_id].judged;
      return "";
    });
    finish_topic();
  }

  void read_corpus() {
    std::vector<health::Word> words;
    read_lines("corpus.jsonl.gz", [&](std::string_view line) -> std::string {
      const auto passage = reader_.passage(line);
      if (!passage) return passage.error();
      counter_.passage();
      health::split_words(passage->text, words);
      passages_.add(passage->docid, passage->text, words,
                    damage_of_ ? damage_of_(passage->page_id, passage->text) : health::suspect_damage(passage->text));
      evidence_.add(*passage);
      mentions_.add_other(passage->page_id, passage->title);
      for (const auto page : mentions_.find(passage->text, words)) {
        if (page == passage->page_id || is_of_list(page, *passage) || judged_.contains(pair_hash(page, passage->docid)))
          continue;
        auto& mentioned = mentioned_[page];
        if (mentioned.unlinked++ == 0) mentioned.sample = passage->docid;
      }
      return "";
    });
  }

  /// Whether the passage is of a list that names the member, or of a translation of it, "Eyepieces/fr".
  bool is_of_list(std::uint64_t member, const PassageRecord& passage) const {
    if (list_pages_.contains({member, passage.page_id})) return true;
    const auto list = list_titles_.find(passage.title.substr(0, passage.title.rfind('/')));
    return list != list_titles_.end() && list_pages_.contains({member, list->second});
  }

  static std::uint64_t pair_hash(std::uint64_t page, const std::string& docid) {
    return xxh3_64(std::to_string(page) + "\n" + docid);
  }

  /// The paper's numbers: D-MERIT, section 2.6 and table 2: 1,196 queries, 23.71 members and 50.44 evidence on average,
  /// median evidence 22, and 61.8 % of the evidence from articles other than the members' own.
  std::vector<health::HealthCheck> distribution_checks() const {
    std::vector<health::HealthCheck> checks;
    const auto least = [&](std::string name, double value, double threshold, health::HealthUnit unit,
                           std::string verdict, const std::vector<Remedy>& remedies) {
      checks.push_back(
          {std::move(name), value, threshold, unit, true, std::move(verdict), health::remedy_text(remedies, options_)});
    };
    least("topics", static_cast<double>(numbers_.topics), kLeastTopics, health::HealthUnit::kNumber,
          fmt::format("The collection has {} (the paper: 1,196). Differences between systems are unstable over fewer "
                      "than {} topics.",
                      counted(numbers_.topics, "topic"), kLeastTopics),
          {kSurvey,
           {"add \"list-item\" to groups.sources", Unless::kHolds, "groups.sources", "\"list-item\""},
           kMentions,
           kModel,
           {"read in discarded.tsv why columns and topics were left out"}});
    least("members_per_topic", numbers_.members_mean, kLeastMembers, health::HealthUnit::kNumber,
          fmt::format("A topic has {} members on average, {} to {} (the paper: 23.71).",
                      health::short_number(numbers_.members_mean), with_commas(numbers_.members_min),
                      with_commas(numbers_.members_max)),
          {{"set groups.min_members = 5, which discards small columns", Unless::kAtLeast, "groups.min_members", "5"}});
    least("evidence_per_topic", numbers_.evidence_median, kLeastMedianEvidence, health::HealthUnit::kNumber,
          fmt::format("Half of the topics have {} evidence passages or fewer; the mean is {}, the range {} to {} (the "
                      "paper: median 22, mean 50.44, 5 to 682).",
                      health::short_number(numbers_.evidence_median), health::short_number(numbers_.evidence_mean),
                      with_commas(numbers_.evidence_min), with_commas(numbers_.evidence_max)),
          {{"set topics.min_evidence = 5, which discards poor topics", Unless::kAtLeast, "topics.min_evidence", "5"},
           kSurvey,
           kMentions,
           kModel});
    least("outside_own_article", numbers_.outside_own_article, kLeastOutside, health::HealthUnit::kShare,
          numbers_.evidence == 0
              ? "There is no evidence at all."
              : fmt::format("{} of the {} are from other articles than the members' own (the paper: 61.8 %). The rest "
                            "is easy to find: it stands under the member's own title.",
                            percent(numbers_.outside_own_article), counted(numbers_.evidence, "evidence passage")),
          {kSurvey, kMentions, kModel});
    return checks;
  }

  void add(std::string name, double value, double threshold, std::string verdict, const std::vector<Remedy>& remedies) {
    checks_.push_back(health::at_most(std::move(name), value, threshold, std::move(verdict), remedies, options_));
  }

  void add_member_checks() {
    add("members_without_candidates", share_of(without_candidates_, numbers_.members), kMostWithoutCandidates,
        fmt::format("{} of {} have no candidate passage{}.", with_commas(without_candidates_),
                    counted(numbers_.members, "member"), health::such_as(without_sample_)),
        {kSurvey, {"set candidates.own_article = true", Unless::kEquals, "candidates.own_article", "true"}, kMentions});
    if (typed_ > 0)
      add("members_of_other_kind", share_of(of_other_kind_, typed_), kMostOfOtherKind,
          fmt::format("{} of {} whose types Wikidata names are of another kind than nearly all other members of their "
                      "topic{}.",
                      with_commas(of_other_kind_), counted(typed_, "member"), health::such_as(other_kind_sample_)),
          {{"set groups.columns = \"subject\"", Unless::kEquals, "groups.columns", "\"subject\""},
           {"see \"other_kind\" in members.jsonl, and drop such topics with phrase.review"}});
    std::uint64_t unlinked = 0, judged = 0;
    std::string sample;
    for (const auto& [page, mentioned] : mentioned_) {
      if (!mentions_.is_searched(page)) continue;
      judged += mentioned.judged;
      unlinked += mentioned.unlinked;
      if (sample.empty() && mentioned.unlinked > 0)
        sample =
            fmt::format(", such as {} in {}", quote_for_message(titles_.at(page)), quote_for_message(mentioned.sample));
    }
    add("unlinked_mentions", share_of(unlinked, unlinked + judged), kMostUnlinked,
        fmt::format("The title of a member stands {} in a passage of another article that was not judged for it{}; {} "
                    "were judged. Evidence among the former counts as not relevant, so that measures which count it "
                    "against a system, all but "
                    "such as bpref, are lower bounds.",
                    unlinked == 1 ? "once" : with_commas(unlinked) + " times", sample,
                    counted(judged, "passage") + " of other articles"),
        {kMentions, {"set candidates.max_per_member = 0", Unless::kEquals, "candidates.max_per_member", "0"}});
    const auto failed = numbers_.unjudged - numbers_.unsure;
    add("unjudged", share_of(failed, numbers_.judgments), kMostUnjudged,
        fmt::format("{} of {} failed; unjudged.jsonl says why.", with_commas(failed),
                    counted(numbers_.judgments, "judgment")),
        {{"run touchstone judge with --retry-unjudged, raise judge.max_tokens if replies are cut off, or choose "
          "another "
          "judge.model"}});
  }

  void add_topic_checks() {
    health::OverlapFinder finder(temporary_folder());
    for (const auto& topic : topics_) finder.add(topic.members);
    const auto overlap = finder.find();
    add("topic_overlap", share_of(overlap.topics, topics_.size()), kMostOverlap,
        fmt::format("{} of {} have at least {} of their members in common with an earlier topic{}.",
                    with_commas(overlap.topics), counted(topics_.size(), "topic"), percent(health::kEqualTopics),
                    overlap.topics == 0 ? "" : pair_sample(overlap.sample)),
        {{"set groups.columns = \"subject\"", Unless::kEquals, "groups.columns", "\"subject\""},
         {"lower groups.max_overlap, or leave out copies and drafts of lists with groups.list_prefixes"}});
    std::unordered_map<std::string_view, std::size_t> queries;
    std::uint64_t equal = 0;
    std::pair<std::size_t, std::size_t> sample;
    for (std::size_t i = 0; i < topics_.size(); ++i) {
      const auto [first, fresh] = queries.emplace(topics_[i].query, i);
      if (!fresh && equal++ == 0) sample = {i, first->second};
    }
    add("equal_queries", share_of(equal, topics_.size()), 0,
        fmt::format("{} of {} have the same query as an earlier topic{}.", with_commas(equal),
                    counted(topics_.size(), "topic"), equal == 0 ? "" : pair_sample(sample)),
        {{"set groups.columns = \"subject\"", Unless::kEquals, "groups.columns", "\"subject\""},
         {"write other words into queries-review.tsv of the work directory with the decision \"reword\", and build "
          "with "
          "--set phrase.review=FILE"}});
  }

  std::string pair_sample(const std::pair<std::size_t, std::size_t>& pair) const {
    return fmt::format(", such as {} ({}) and {} ({})", quote_for_message(topics_[pair.first].query),
                       topics_[pair.first].id, quote_for_message(topics_[pair.second].query), topics_[pair.second].id);
  }

  fs::path directory_;
  const StopFlag& stop_;
  const DamageOf& damage_of_;
  int evidence_grade_;
  health::RunOptions options_;
  CollectionLineReader reader_;
  CollectionCounter counter_;
  TopicGrades grades_;
  CollectionNumbers numbers_;
  std::vector<Topic> topics_;
  std::unordered_map<std::string, std::size_t> numbers_of_topics_;
  internal::MentionFinder mentions_;
  internal::EvidenceTexts evidence_;
  health::PassageHealth passages_;
  std::unordered_set<std::uint64_t> judged_;                      ///< hashes of (member, passage)
  std::set<std::pair<std::uint64_t, std::uint64_t>> list_pages_;  ///< (member, page of a list that names it)
  /// Passages of other articles that name a member.
  struct Mentioned {
    std::uint64_t judged = 0, unlinked = 0;
    std::string sample;  ///< docid of an unlinked one
  };
  std::map<std::uint64_t, Mentioned> mentioned_;                ///< by page of the member
  std::unordered_map<std::string, std::uint64_t> list_titles_;  ///< title of a list page -> page
  std::uint64_t without_candidates_ = 0;
  std::unordered_map<std::uint64_t, std::string> titles_;  ///< of members
  std::string without_sample_;
  std::uint64_t typed_ = 0, of_other_kind_ = 0;  ///< members whose types are known; of these, of another kind
  std::string other_kind_sample_;
  std::vector<health::HealthCheck> checks_;
};

}  // namespace

std::vector<health::HealthCheck> examine_evidence(const fs::path& directory, const CollectionInfo& info,
                                                  const StopFlag& stop, const DamageOf& damage) {
  return EvidenceExaminer(directory, info, stop, damage).run();
}

}  // namespace touchstone::collection::evidence
