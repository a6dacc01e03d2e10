#include "llm_client/requester.hpp"

namespace touchstone::llm_client {

RequestCounts& RequestCounts::operator+=(const RequestCounts& other) noexcept {
  asked += other.asked;
  answered += other.answered;
  retries += other.retries;
  in_flight += other.in_flight;
  prompt_tokens += other.prompt_tokens;
  cached_tokens += other.cached_tokens;
  reply_tokens += other.reply_tokens;
  cost += other.cost;
  return *this;
}

void Requester::saw_stored(const std::string&, const JudgeAnswer&) {}

bool Requester::asked_again(const std::string&) const {
  return false;
}

std::optional<std::string> Requester::failure(const std::string&) const {
  return std::nullopt;
}

RequestCounts Requester::counts() const {
  return {};
}

}  // namespace touchstone::llm_client
