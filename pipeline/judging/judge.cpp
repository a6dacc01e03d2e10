#include "pipeline/judging/judge.hpp"

#include "common/error.hpp"

namespace touchstone::pipeline::judging {

RequestEstimate& RequestEstimate::operator+=(const RequestEstimate& other) noexcept {
  requests += other.requests;
  prompt_tokens += other.prompt_tokens;
  most_reply_tokens += other.most_reply_tokens;
  cost += other.cost;
  exact_tokens = exact_tokens && other.exact_tokens;
  return *this;
}

void Judge::prepare(const JudgingCorpus&) {}

void Judge::resume() {}

void Judge::begin_reads() {}

bool Judge::open() {
  return false;
}

void Judge::ask(llm_client::PendingRequest) {
  TS_CHECK(false, "a judge whose requests are pending can be asked");
}

void Judge::finish() {}

llm_client::RequestCounts Judge::counts() const {
  return {};
}

RequestEstimate Judge::estimate(const std::vector<const llm_client::PendingRequest*>& requests) {
  RequestEstimate estimate;
  estimate.requests = requests.size();
  return estimate;
}

}  // namespace touchstone::pipeline::judging
