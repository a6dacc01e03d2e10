#include "pipeline/judging/vote_aggregation.hpp"

#include "common/digest.hpp"
#include "llm_client/quotes.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace touchstone::pipeline::judging {
namespace {

using llm_client::JudgeReply;

constexpr std::size_t kMaxListedReply = 16384;

/// Key of the n-th time that a question is asked, after replies without a grade.
std::string key_of_round(const std::string& digest, std::uint32_t round) {
  return round == 0 ? digest
                    : Sha256().update_field("again").update_field(digest).update_field(std::to_string(round)).hex();
}

}  // namespace

PanelReader::PanelReader(const JudgePanel& panel, const JudgmentLog& log, std::vector<const Asker*> askers,
                         std::vector<ServerTraits> traits, const LexicalJudge* lexical)
    : panel_(panel), log_(log), askers_(std::move(askers)), traits_(std::move(traits)), lexical_(lexical) {}

bool PanelReader::sample_of(std::size_t judge, const std::string& topic, const JudgeQuestion& asked,
                            llm_client::Question question, bool ask_again, Consideration& found, Sample& sample) const {
  const auto& llm = *panel_.judges[judge].llm;
  bool any = false;
  std::uint32_t round = 0;
  for (;; ++round) {
    auto key = key_of_round(question.digest, round);
    auto logged = log_.find(key);
    if (!logged && !any && askers_[judge] != nullptr && askers_[judge]->failed(key)) {
      sample.key = std::move(key);
      sample.answer.state = JudgmentState::kFailed;
      sample.answer.reason = askers_[judge]->failure(sample.key);
      return true;
    }
    if (!logged) break;
    any = true;
    sample.key = std::move(key);
    sample.answer = llm.read(static_cast<int>(logged->status), logged->reply,
                             {asked.request.passage_text, question.size, traits_[judge].counting});
    sample.logged = std::move(*logged);
    if (sample.answer.state == JudgmentState::kJudged) return true;
    if (ask_again && askers_[judge] != nullptr && askers_[judge]->asked_again(sample.key)) return true;
  }
  if (any && !ask_again) return true;
  Errand errand;
  errand.key = key_of_round(question.digest, round);
  errand.body = llm.body(question, traits_[judge].limits);
  errand.topic = topic;
  errand.size = question.size;
  errand.again = round > 0;
  errand.shared_tokens = (question.prompt.system.size() + question.prompt.topic_bytes) / 4;
  found.missing.emplace_back(judge, std::move(errand));
  return false;
}

bool PanelReader::read_llm(std::size_t judge, const std::string& topic, const JudgeQuestion& question, bool ask_again,
                           Consideration& found, std::vector<Sample>& samples) const {
  const auto count = static_cast<std::uint32_t>(panel_.judges[judge].options.samples);
  bool complete = true;
  for (std::uint32_t i = 0; i < count; ++i) {
    Sample sample;
    complete &= sample_of(judge, topic, question, panel_.judges[judge].llm->question(question.request, i), ask_again,
                          found, sample);
    samples.push_back(std::move(sample));
  }
  return complete;
}

void PanelReader::read_lexical(const JudgeQuestion& question, Consideration& found,
                               std::vector<Sample>& samples) const {
  Sample sample;
  sample.key = llm_client::request_digest(*lexical_, question.request);
  if (auto logged = log_.find(sample.key)) {
    sample.logged = std::move(*logged);
  } else {
    sample.logged.judge = lexical_->id();
    sample.logged.reply = lexical_->ask(question.request);
    found.computed.push_back({sample.key, sample.logged});
  }
  sample.answer = lexical_->read(sample.logged.reply);
  samples.push_back(std::move(sample));
}

JudgeReply PanelReader::combine(const std::vector<const JudgeReply*>& answers, bool share_is_probability) const {
  if (answers.size() == 1) return *answers.front();
  JudgeReply result;
  std::vector<int> grades;
  double positive = 0, probability = 0;
  std::size_t with_probability = 0;
  for (const auto* answer : answers) {
    result.quotes_not_found += answer->quotes_not_found;
    if (!answer->grade) continue;
    grades.push_back(*answer->grade);
    positive += *answer->grade > 0 ? 1 : 0;
    if (answer->probability) probability += *answer->probability, ++with_probability;
  }
  if (grades.empty()) {
    result.state = answers.front()->state;
    result.reason = answers.front()->reason;
    result.reply = answers.front()->reply;
    return result;
  }
  result.grade = llm_client::majority_grade(grades, panel_.tie);
  result.state = result.grade ? JudgmentState::kJudged : JudgmentState::kTied;
  const auto voters = static_cast<double>(grades.size());
  const bool averages = !share_is_probability && with_probability == grades.size();
  result.probability = std::round(1e4 * (averages ? probability : positive) / voters) / 1e4;
  if (!result.grade) {
    result.reason = "as many votes for one grade as for another";
    result.probability.reset();
    return result;
  }
  for (const auto* answer : answers) {
    if (answer->grade && (*answer->grade > 0) == (*result.grade > 0))
      result.spans.insert(result.spans.end(), answer->spans.begin(), answer->spans.end());
  }
  result.spans = llm_client::merge_spans(std::move(result.spans));
  return result;
}

Consideration PanelReader::consider(const std::string& topic, const JudgeQuestion& question, bool ask_again) const {
  Consideration found;
  std::vector<std::vector<Sample>> samples(panel_.judges.size());
  std::vector<JudgeReply> answers(panel_.judges.size());
  std::vector<std::size_t> voters;
  const auto consult = [&](std::size_t judge) {
    const auto& panelist = panel_.judges[judge];
    bool complete = true;
    if (panelist.llm) {
      complete = read_llm(judge, topic, question, ask_again, found, samples[judge]);
    } else {
      read_lexical(question, found, samples[judge]);
    }
    if (!complete) return;
    std::vector<const JudgeReply*> said;
    for (const auto& sample : samples[judge]) said.push_back(&sample.answer);
    answers[judge] = combine(said, true);
    voters.push_back(judge);
  };
  std::size_t next = 0;
  if (panel_.cascade) {
    consult(next++);
    if (!found.missing.empty()) return found;
    const auto& cheap = answers.front();
    found.cheap_decided = cheap.grade && cheap.probability &&
                          (*cheap.probability < panel_.band_low || *cheap.probability > panel_.band_high);
    if (!found.cheap_decided) voters.clear();
  }
  if (!found.cheap_decided) {
    for (; next < panel_.judges.size(); ++next) consult(next);
  }
  if (!found.missing.empty()) return found;

  std::vector<const JudgeReply*> said;
  for (const auto judge : voters) said.push_back(&answers[judge]);
  const auto answer = combine(said, false);
  const auto& deciding = samples[voters.front()].front();
  const auto& first = panel_.judges[voters.front()];
  auto& record = found.record;
  record.topic = topic;
  record.docid = question.docid;
  record.member = question.request.member;
  record.member_page_id = question.member_page.value;
  record.digest = deciding.key;
  record.judge = voters.size() > 1 ? panel_.name() : first.llm ? first.llm->id() : lexical_->id();
  record.prompt = first.llm ? first.llm->prompt().digest() : std::string();
  record.grade = answer.grade;
  record.state = answer.state;
  record.probability = answer.probability;
  record.reason = answer.reason;
  if (answer.quotes_not_found > 0)
    record.reason += fmt::format("{}{} of its quotes not in the passage", record.reason.empty() ? "" : "; ",
                                 answer.quotes_not_found);
  record.own_article = question.request.own_article;
  record.mentions = question.request.mentions;
  record.spans = answer.spans;
  if (!answer.grade) record.reply = deciding.answer.reply.substr(0, kMaxListedReply);
  std::size_t asked = 0;
  for (const auto& of_judge : samples) asked += of_judge.size();
  for (std::size_t judge = 0; judge < samples.size(); ++judge) {
    if (samples[judge].empty()) continue;
    Consideration::Said entry;
    entry.judge = judge;
    entry.answer = answers[judge];
    for (auto& sample : samples[judge]) {
      if (asked > 1)
        record.votes.push_back({panel_.judges[judge].llm ? panel_.judges[judge].llm->id() : lexical_->id(),
                                sample.answer.grade, sample.answer.probability, sample.answer.state, sample.key});
      if (!sample.logged.judge.empty()) {
        sample.logged.reply.clear();
        entry.replies.push_back(std::move(sample.logged));
      }
    }
    found.said.push_back(std::move(entry));
  }
  return found;
}

}  // namespace touchstone::pipeline::judging
