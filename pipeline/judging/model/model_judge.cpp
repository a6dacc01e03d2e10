#include "pipeline/judging/model/model_judge.hpp"

#include "common/digest.hpp"
#include "llm_client/batch_requester.hpp"
#include "llm_client/online_requester.hpp"
#include "pipeline/judging/kept_replies.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace touchstone::pipeline::judging::model {
namespace {

using llm_client::PendingRequest;
using llm_client::prompts::PromptField;
using llm_client::prompts::PromptValues;

constexpr std::string_view kBelow = " » ";
constexpr std::size_t kMaxAliases = 10;
constexpr std::uint64_t kBytesPerToken = 4;

std::string& value_of(PromptValues& values, PromptField field) {
  return values[static_cast<std::size_t>(field)];
}

std::string joined(const std::vector<std::string>& texts, std::string_view between, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < std::min(texts.size(), most); ++i) out += (i > 0 ? std::string(between) : "") + texts[i];
  return out;
}

/// Digest of the n-th time that a question is asked, after replies without a grade.
std::string digest_of_round(const std::string& digest, std::uint32_t round) {
  return round == 0 ? digest
                    : Sha256().update_field("again").update_field(digest).update_field(std::to_string(round)).hex();
}

std::unique_ptr<llm_client::Requester> make_requester(const llm_client::ServedModel& served, RequestRoute route,
                                                      const JudgeServices& services) {
  if (route == RequestRoute::kBatch)
    return std::make_unique<llm_client::BatchRequester>(served, services.replies, services.budget, services.stop);
  return std::make_unique<llm_client::OnlineRequester>(served, services.replies, services.budget, services.stop,
                                                       services.progress);
}

}  // namespace

PromptValues topic_values(const std::string& page, const std::vector<std::string>& section_path,
                          const std::string& column) {
  PromptValues values;
  value_of(values, PromptField::kArticle) = page;
  value_of(values, PromptField::kSection) = joined(section_path, kBelow, section_path.size());
  value_of(values, PromptField::kColumn) = column;
  auto& structured = value_of(values, PromptField::kStructured);
  structured = page;
  for (const auto& heading : section_path) structured += std::string(kBelow) + heading;
  structured += std::string(kBelow) + column;
  return values;
}

PromptValues values_of(const JudgeRequest& request) {
  auto values = topic_values(request.page, request.section_path, request.column);
  value_of(values, PromptField::kQuery) = request.query;
  value_of(values, PromptField::kMember) = request.member;
  value_of(values, PromptField::kAliases) = joined(request.aliases, ", ", kMaxAliases);
  value_of(values, PromptField::kPassageTitle) = request.passage_title;
  value_of(values, PromptField::kPassage) = request.passage_text;
  return values;
}

JudgeDescription ModelJudge::describe(const llm_client::ServedModel& served, std::uint32_t samples) {
  const auto& model = served.model;
  JudgeDescription description;
  description.id = description.name = model.id();
  description.prompt_digest = model.prompt().digest();
  description.replies = samples;
  description.highest_grade = llm_client::prompts::highest_grade(model.prompt().answer());
  description.evidence_grade = model.evidence_grade();
  description.needs_queries = model.prompt().uses(PromptField::kQuery);
  description.fingerprint = fmt::format("{} samples; {}", samples, model.fingerprint());
  if (description.highest_grade > 1)
    description.fingerprint += fmt::format("; evidence from grade {}", description.evidence_grade);
  description.model = {model.parameters().model, model.prompt().name(), served.server.prices.known()};
  return description;
}

ModelJudge::ModelJudge(llm_client::ServedModel served, std::uint32_t samples, RequestRoute route,
                       const JudgeServices& services)
    : served_(std::move(served)),
      samples_(samples),
      route_(route),
      description_(describe(served_, samples)),
      replies_(services.replies),
      reads_kept_(services.reads_kept),
      traits_(llm_client::remembered_traits(served_, replies_)),
      requester_(make_requester(served_, route, services)) {}

ModelJudge::~ModelJudge() = default;

void ModelJudge::resume() {
  requester_->resume();
  traits_ = llm_client::remembered_traits(served_, replies_);
}

void ModelJudge::begin_reads() {
  requester_->begin_lookup();
}

bool ModelJudge::open() {
  const auto traits = requester_->open();
  if (traits) traits_ = *traits;
  return traits.has_value();
}

void ModelJudge::ask(PendingRequest request) {
  requester_->ask(std::move(request));
}

void ModelJudge::finish() {
  requester_->finish();
  if (route_ == RequestRoute::kBatch) traits_ = llm_client::remembered_traits(served_, replies_);
}

llm_client::RequestCounts ModelJudge::counts() const {
  return requester_->counts();
}

JudgeReading ModelJudge::read(const std::string& topic, const JudgeRequest& request, Ungraded ungraded) const {
  JudgeReading reading;
  const auto values = values_of(request);
  for (std::uint32_t i = 0; i < samples_; ++i)
    read_sample(served_.model.question(values, i), i, topic, request, ungraded, reading);
  return reading;
}

void ModelJudge::read_sample(const llm_client::Question& question, std::uint32_t number, const std::string& topic,
                             const JudgeRequest& request, Ungraded ungraded, JudgeReading& reading) const {
  const bool ask_again = ungraded == Ungraded::kAskAgain;
  std::optional<Sample> latest;
  std::uint32_t round = 0;
  for (;; ++round) {
    auto digest = digest_of_round(question.digest, round);
    auto stored = replies_.find(digest);
    if (!stored && round == 0 && reads_kept_) {
      auto kept = kept_digest(digest);
      if (stored = replies_.find(kept); stored) digest = std::move(kept);
    }
    if (!stored) {
      auto failure = latest ? std::nullopt : requester_->failure(digest);
      if (failure) {
        latest.emplace();
        latest->digest = std::move(digest);
        latest->answer.reason = std::move(*failure);
        reading.samples.push_back(std::move(*latest));
        return;
      }
      break;
    }
    latest.emplace();
    latest->digest = std::move(digest);
    // The size of the question that a kept reply answers was checked when it was kept.
    const auto size = stored->kept_from.empty() ? question.size : llm_client::prompts::TextSize{};
    latest->answer = served_.model.read(*stored, llm_client::asked_of(request.passage_text, size, &traits_));
    std::string().swap(stored->reply);  // clear() would keep its memory, which a reply may have megabytes of
    latest->stored = std::move(stored);
    const bool decided =
        latest->answer.state == JudgmentState::kJudged || (ask_again && requester_->asked_again(latest->digest));
    if (decided) {
      if (latest->answer.state == JudgmentState::kJudged) requester_->saw_stored(latest->digest, latest->answer);
      reading.samples.push_back(std::move(*latest));
      return;
    }
  }
  if (latest && !ask_again) {
    if (!requester_->asked_again(latest->digest)) requester_->saw_stored(latest->digest, latest->answer);
    reading.samples.push_back(std::move(*latest));
    return;
  }
  PendingRequest pending;
  pending.digest = digest_of_round(question.digest, round);
  pending.body = served_.model.body(question, traits_.limits);
  pending.topic = topic;
  pending.size = question.size;
  pending.asks_again = round > 0;
  pending.sample = number;
  pending.shared_tokens = (question.prompt.system.size() + question.prompt.topic_bytes) / kBytesPerToken;
  reading.pending.push_back(std::move(pending));
}

RequestEstimate ModelJudge::estimate(const std::vector<const PendingRequest*>& requests) {
  RequestEstimate sum;
  if (requests.empty()) return sum;
  if (!looked_for_counter_ && route_ == RequestRoute::kOnline) token_counter_ = llm_client::TokenCounter::find(served_);
  looked_for_counter_ = true;
  std::vector<std::optional<std::uint64_t>> counts(requests.size());
  if (token_counter_) {
    std::vector<std::string> bodies;
    for (const auto* request : requests) bodies.push_back(request->body);
    counts = token_counter_->count(bodies);
  }
  const auto reply_tokens = served_.model.parameters().max_reply_tokens;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const auto prompt_tokens = counts[i].value_or(requests[i]->size.tokens);
    sum += {1, prompt_tokens, reply_tokens, served_.server.prices.highest_cost(prompt_tokens, reply_tokens),
            counts[i].has_value()};
  }
  return sum;
}

}  // namespace touchstone::pipeline::judging::model
