#include "pipeline/judging/online_requester.hpp"

#include "common/error.hpp"
#include "common/log.hpp"

namespace touchstone::pipeline::judging {
namespace {

using llm_client::Delivery;
using llm_client::FailureKind;

constexpr auto kTakeWait = std::chrono::milliseconds(50);
// Hosted servers cache beginnings of at least so many tokens; shorter ones gain nothing from a warm-up request.
constexpr std::uint64_t kLeastCachedTokens = 1024;
constexpr std::size_t kMaxHeld = 4096;  // questions that wait for their topic's warm-up request
constexpr std::size_t kMaxTopics = 100'000;
constexpr const char* kStopped = "run the same command again to go on from here";

}  // namespace

Asker::Asker(const Panelist& judge, JudgmentLog& log, llm_client::Budget& budget, const StopFlag& stop,
             ProgressCounters& progress)
    : judge_(judge), log_(log), budget_(budget), stop_(stop), progress_(progress), prices_(judge.prices()) {}

Asker::~Asker() {
  if (!storer_.joinable()) return;
  transport_->cancel();
  storer_.join();
}

const ServerTraits& Asker::traits() {
  if (!traits_) {
    traits_ = remembered_traits(judge_, log_);
    if (!traits_->probed && judge_.options.probe)
      traits_ = probe_server(judge_, endpoints_of(judge_.options), log_, budget_, stop_);
  }
  return *traits_;
}

void Asker::start() {
  if (transport_) return;
  auto transport =
      std::make_unique<llm_client::Transport>(endpoints_of(judge_.options), transport_options(judge_.options));
  const std::lock_guard lock(mutex_);
  transport_ = std::move(transport);
  storer_ = std::thread([this] { store_replies(); });
}

bool Asker::pays_to_warm_up(const Errand& errand) const {
  if (judge_.options.warm_up != WarmUp::kAuto) return judge_.options.warm_up == WarmUp::kAlways;
  return prices_.cached >= 0 && prices_.cached < prices_.prompt && errand.shared_tokens >= kLeastCachedTokens;
}

void Asker::look_begins() {
  const std::lock_guard lock(mutex_);
  for (const auto& key : answered_) under_way_.erase(key);
  answered_.clear();
}

void Asker::ask(Errand errand) {
  start();
  if (stop_.requested()) stop_with(kStopped);
  {
    const std::lock_guard lock(mutex_);
    if (trouble_) std::rethrow_exception(trouble_);
    if (failures_.contains(errand.key) || !under_way_.insert(errand.key).second) {
      ++progress_.done;
      return;
    }
    if (errand.again) again_.insert(errand.key);
  }
  bool warms_up = false;
  if (pays_to_warm_up(errand)) {
    std::unique_lock lock(mutex_);
    const auto [topic, is_new] = topics_.try_emplace(errand.topic);
    warms_up = is_new;
    if (!topic->second.warm && !is_new) {
      topic->second.held.push_back(std::move(errand));
      ++held_;
      const bool full = held_ >= kMaxHeld;
      lock.unlock();
      release_warm_topics(full);
      return;
    }
  }
  send(std::move(errand), warms_up);
  release_warm_topics(false);
}

void Asker::send(Errand errand, bool warms_up) {
  const auto most = llm_client::most_tokens(errand.size);
  const auto reply_tokens = judge_.llm->parameters().max_reply_tokens;
  const llm_client::Spending worst = {prices_.highest_cost(most, reply_tokens), 1, most + reply_tokens};
  while (!budget_.reserve(worst)) {
    // What is in flight may come to less than was reserved for it.
    std::unique_lock lock(mutex_);
    if (pending_.empty()) {
      lock.unlock();
      stop_with(budget_.obstacle(worst) + "; run the same command again to go on, with a budget for what is left");
    }
    changed_.wait_for(lock, kTakeWait);
    if (stop_.requested()) {
      lock.unlock();
      stop_with(kStopped);
    }
  }
  llm_client::Exchange exchange;
  exchange.path = std::string(llm_client::chat_path(judge_.llm->protocol()));
  exchange.body = std::move(errand.body);
  exchange.token_estimate = errand.size.tokens + reply_tokens;
  {
    const std::lock_guard lock(mutex_);
    exchange.id = next_id_++;
    pending_.emplace(exchange.id, Pending{std::move(errand.key), std::move(errand.topic), worst, warms_up});
    ++counts_.asked;
  }
  const auto id = exchange.id;
  if (transport_->submit(std::move(exchange))) return;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = pending_.find(id); found != pending_.end()) {
      under_way_.erase(found->second.key);
      budget_.settle(worst, {});
      pending_.erase(found);
      --counts_.asked;
    }
  }
  stop_with(transport_->fatal().value_or("the server's transport ended"));
}

void Asker::release_warm_topics(bool wait) {
  for (;;) {
    std::deque<Errand> ready;
    {
      std::unique_lock lock(mutex_);
      if (held_ == 0) return;
      for (auto& [name, topic] : topics_) {
        if (!topic.warm) continue;
        for (auto& errand : topic.held) ready.push_back(std::move(errand));
        topic.held.clear();
      }
      held_ -= ready.size();
      if (ready.empty()) {
        if (!wait) return;
        changed_.wait_for(lock, kTakeWait);
      }
    }
    if (stop_.requested()) stop_with(kStopped);
    if (const auto fatal = transport_->fatal()) stop_with(*fatal);
    for (auto& errand : ready) send(std::move(errand), false);
    if (!ready.empty()) wait = false;
  }
}

LoggedReply Asker::to_reply(Delivery& delivery, llm_client::Spending& actual, const Pending& pending) const {
  LoggedReply reply;
  reply.judge = judge_.llm->id();
  reply.status = static_cast<std::uint64_t>(delivery.status);
  reply.attempts = static_cast<std::uint64_t>(delivery.attempts);
  reply.latency_us = static_cast<std::uint64_t>(delivery.latency.count());
  actual = {0, 1, 0};
  if (const auto usage = llm_client::read_usage(judge_.llm->protocol(), delivery.body)) {
    reply.prompt_tokens = usage->prompt;
    reply.cached_tokens = usage->cached;
    reply.reply_tokens = usage->reply;
    actual.cost = reply.cost = prices_.cost(*usage);
    actual.tokens = usage->prompt + usage->reply;
  } else if (delivery.status == 200) {
    actual = pending.worst;  // it was served, and nobody says for how much
    reply.cost = actual.cost;
  }
  reply.reply = std::move(delivery.body);
  return reply;
}

void Asker::settle(std::vector<Delivery>& deliveries) {
  std::vector<JudgmentLog::Entry> entries;
  std::vector<std::pair<std::uint64_t, llm_client::Spending>> spent;
  std::vector<std::pair<std::string, std::string>> failures;
  for (auto& delivery : deliveries) {
    Pending pending;
    {
      const std::lock_guard lock(mutex_);
      pending = pending_.at(delivery.id);
    }
    llm_client::Spending actual;
    if (delivery.failure == FailureKind::none || delivery.failure == FailureKind::request_rejected) {
      auto reply = to_reply(delivery, actual, pending);
      entries.push_back({std::move(pending.key), std::move(reply)});
    } else if (delivery.failure == FailureKind::transient_exhausted) {
      actual = pending.worst;
      failures.emplace_back(pending.key, delivery.message);
    } else if (delivery.attempts > 0) {
      actual.calls = 1;
    }
    spent.emplace_back(delivery.id, actual);
  }
  kill_point("judge.reply");
  log_.add_new(entries, storage::Durability::kMachine);
  kill_point("judge.stored");

  progress_.records += entries.size();
  progress_.done += entries.size() + failures.size();
  const std::lock_guard lock(mutex_);
  for (auto& [key, message] : failures) failures_.emplace(std::move(key), std::move(message));
  for (const auto& entry : entries) {
    ++counts_.answered;
    counts_.prompt_tokens += entry.reply.prompt_tokens;
    counts_.cached_tokens += entry.reply.cached_tokens;
    counts_.reply_tokens += entry.reply.reply_tokens;
    counts_.cost += entry.reply.cost;
  }
  for (const auto& [id, actual] : spent) {
    const auto pending = pending_.find(id);
    budget_.settle(pending->second.worst, actual);
    if (pending->second.warms_up) topics_[pending->second.topic].warm = true;
    answered_.push_back(std::move(pending->second.key));
    pending_.erase(pending);
  }
  if (held_ == 0 && topics_.size() > kMaxTopics) topics_.clear();
}

void Asker::store_replies() {
  try {
    for (;;) {
      auto deliveries = transport_->take(kTakeWait);
      if (deliveries.empty()) {
        if (transport_->finished()) break;
        continue;
      }
      settle(deliveries);
      changed_.notify_all();
    }
  } catch (...) {  // carried to the asking thread, which rethrows it
    transport_->cancel();
    const std::lock_guard lock(mutex_);
    trouble_ = std::current_exception();
  }
  changed_.notify_all();
}

void Asker::drain() {
  transport_->close();
  storer_.join();
  const std::lock_guard lock(mutex_);
  if (trouble_) std::rethrow_exception(trouble_);
}

void Asker::stop_with(const std::string& message) {
  transport_->cancel();
  drain();
  throw Interrupted(message);
}

void Asker::finish() {
  if (!storer_.joinable()) return;
  for (;;) {
    release_warm_topics(true);
    std::unique_lock lock(mutex_);
    if (trouble_) std::rethrow_exception(trouble_);
    if (pending_.empty() && held_ == 0) break;
    changed_.wait_for(lock, kTakeWait);
    lock.unlock();
    if (stop_.requested()) stop_with(kStopped);
    if (const auto fatal = transport_->fatal()) stop_with(*fatal);
  }
}

bool Asker::asked_again(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  return again_.contains(key);
}

bool Asker::failed(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  return failures_.contains(key);
}

std::string Asker::failure(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = failures_.find(key);
  return found == failures_.end() ? std::string() : found->second;
}

AskerCounts Asker::counts() const {
  const std::lock_guard lock(mutex_);
  AskerCounts counts = counts_;
  if (transport_) {
    const auto statistics = transport_->statistics();
    counts.retries = statistics.retries;
    counts.in_flight = statistics.in_flight;
  }
  return counts;
}

}  // namespace touchstone::pipeline::judging
