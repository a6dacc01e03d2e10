#include "llm_client/online_requester.hpp"

#include "common/error.hpp"
#include "common/log.hpp"

namespace touchstone::llm_client {
namespace {

using transport::Delivery;
using transport::FailureKind;

constexpr auto kTakeWait = std::chrono::milliseconds(50);
// Hosted servers cache beginnings of at least so many tokens; shorter ones gain nothing from a warm-up request.
constexpr std::uint64_t kLeastCachedTokens = 1024;
constexpr std::size_t kMaxHeld = 4096;  // questions that wait for their topic's warm-up request
constexpr std::size_t kMaxTopics = 100'000;
constexpr const char* kStopped = "run the same command again to go on from here";

}  // namespace

OnlineRequester::OnlineRequester(const ServedModel& served, ReplyStore& store, Budget& budget, const StopFlag& stop,
                                 ProgressCounters& progress)
    : served_(served), store_(store), budget_(budget), stop_(stop), progress_(progress) {}

OnlineRequester::~OnlineRequester() {
  if (!storer_.joinable()) return;
  transport_->cancel();
  storer_.join();
}

std::optional<ServerTraits> OnlineRequester::open() {
  if (!traits_) {
    traits_ = remembered_traits(served_, store_);
    if (!traits_->probed && served_.server.probe)
      traits_ = probe_server(served_, endpoints_of(served_), store_, budget_, stop_);
  }
  return traits_;
}

void OnlineRequester::start() {
  if (transport_) return;
  auto transport = std::make_unique<transport::Transport>(endpoints_of(served_), served_.server.transport);
  const std::lock_guard lock(mutex_);
  transport_ = std::move(transport);
  storer_ = std::thread([this] { store_replies(); });
}

bool OnlineRequester::pays_to_warm_up(const PendingRequest& request) const {
  const auto& prices = served_.server.prices;
  switch (served_.server.warm_up) {
    case WarmUp::kAlways:
      return true;
    case WarmUp::kNever:
      return false;
    case WarmUp::kAuto:
      break;
  }
  return prices.cached >= 0 && prices.cached < prices.prompt && request.shared_tokens >= kLeastCachedTokens;
}

void OnlineRequester::begin_lookup() {
  const std::lock_guard lock(mutex_);
  for (const auto& digest : answered_) under_way_.erase(digest);
  answered_.clear();
}

void OnlineRequester::ask(PendingRequest request) {
  start();
  if (stop_.requested()) stop_with(kStopped);
  {
    const std::lock_guard lock(mutex_);
    if (trouble_) std::rethrow_exception(trouble_);
    if (failures_.contains(request.digest) || !under_way_.insert(request.digest).second) {
      ++progress_.done;
      return;
    }
    if (request.asks_again) again_.insert(request.digest);
  }
  bool warms_up = false;
  if (pays_to_warm_up(request)) {
    std::unique_lock lock(mutex_);
    const auto [topic, is_new] = topics_.try_emplace(request.topic);
    warms_up = is_new;
    if (!topic->second.warm && !is_new) {
      topic->second.held.push_back(std::move(request));
      ++held_;
      const bool full = held_ >= kMaxHeld;
      lock.unlock();
      release_warm_topics(full);
      return;
    }
  }
  send(std::move(request), warms_up);
  release_warm_topics(false);
}

void OnlineRequester::reserve(const Spending& worst) {
  while (!budget_.reserve(worst)) {
    // What is in flight may come to less than was reserved for it.
    std::unique_lock lock(mutex_);
    if (in_flight_.empty()) {
      lock.unlock();
      stop_with(budget_.obstacle(worst) + "; run the same command again to go on, with a budget for what is left");
    }
    changed_.wait_for(lock, kTakeWait);
    if (stop_.requested()) {
      lock.unlock();
      stop_with(kStopped);
    }
  }
}

void OnlineRequester::send(PendingRequest request, bool warms_up) {
  const auto worst = served_.worst_case(request.size);
  reserve(worst);
  transport::Exchange exchange;
  exchange.path = std::string(providers::chat_path(served_.model.protocol()));
  exchange.body = std::move(request.body);
  exchange.token_estimate = request.size.tokens + served_.model.parameters().max_reply_tokens;
  {
    const std::lock_guard lock(mutex_);
    exchange.id = next_id_++;
    in_flight_.emplace(exchange.id, InFlight{std::move(request.digest), std::move(request.topic), worst, warms_up});
    ++counts_.asked;
  }
  const auto id = exchange.id;
  if (transport_->submit(std::move(exchange))) return;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = in_flight_.find(id); found != in_flight_.end()) {
      under_way_.erase(found->second.digest);
      budget_.settle(worst, {});
      in_flight_.erase(found);
      --counts_.asked;
    }
  }
  stop_with(transport_->fatal().value_or("the server's transport ended"));
}

void OnlineRequester::release_warm_topics(bool wait) {
  for (;;) {
    std::deque<PendingRequest> ready;
    {
      std::unique_lock lock(mutex_);
      if (held_ == 0) return;
      for (auto& [name, topic] : topics_) {
        if (!topic.warm) continue;
        for (auto& request : topic.held) ready.push_back(std::move(request));
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
    for (auto& request : ready) send(std::move(request), false);
    if (!ready.empty()) wait = false;
  }
}

void OnlineRequester::settle(std::vector<Delivery>& deliveries) {
  std::vector<ReplyStore::Entry> entries;
  std::vector<std::pair<std::uint64_t, Spending>> spent;
  std::vector<std::pair<std::string, std::string>> failures;
  for (auto& delivery : deliveries) {
    InFlight request;
    {
      const std::lock_guard lock(mutex_);
      request = in_flight_.at(delivery.id);
    }
    Spending actual;
    if (delivery.failure == FailureKind::none || delivery.failure == FailureKind::request_rejected) {
      auto paid = paid_reply(served_, delivery);
      if (!paid.counted && paid.reply.status == 200) {  // it was served, and nobody says for how much
        paid.spent = request.worst;
        paid.reply.cost = paid.spent.cost;
      }
      actual = paid.spent;
      entries.push_back({std::move(request.digest), std::move(paid.reply)});
    } else if (delivery.failure == FailureKind::transient_exhausted) {
      actual = request.worst;
      failures.emplace_back(request.digest, delivery.message);
    } else if (delivery.attempts > 0) {
      actual.calls = 1;
    }
    spent.emplace_back(delivery.id, actual);
  }
  kill_point("judge.reply");
  store_.add_new(entries);
  kill_point("judge.stored");

  progress_.records += entries.size();
  progress_.done += entries.size() + failures.size();
  const std::lock_guard lock(mutex_);
  for (auto& [digest, message] : failures) failures_.emplace(std::move(digest), std::move(message));
  for (const auto& entry : entries) {
    ++counts_.answered;
    counts_.prompt_tokens += entry.reply.prompt_tokens;
    counts_.cached_tokens += entry.reply.cached_tokens;
    counts_.reply_tokens += entry.reply.reply_tokens;
    counts_.cost += entry.reply.cost;
  }
  for (const auto& [id, actual] : spent) {
    const auto request = in_flight_.find(id);
    budget_.settle(request->second.worst, actual);
    if (request->second.warms_up) topics_[request->second.topic].warm = true;
    answered_.push_back(std::move(request->second.digest));
    in_flight_.erase(request);
  }
  if (held_ == 0 && topics_.size() > kMaxTopics) topics_.clear();
}

void OnlineRequester::store_replies() {
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

void OnlineRequester::drain() {
  transport_->close();
  storer_.join();
  const std::lock_guard lock(mutex_);
  if (trouble_) std::rethrow_exception(trouble_);
}

void OnlineRequester::stop_with(const std::string& message) {
  transport_->cancel();
  drain();
  throw Interrupted(message);
}

void OnlineRequester::finish() {
  if (!storer_.joinable()) return;
  for (;;) {
    release_warm_topics(true);
    std::unique_lock lock(mutex_);
    if (trouble_) std::rethrow_exception(trouble_);
    if (in_flight_.empty() && held_ == 0) break;
    changed_.wait_for(lock, kTakeWait);
    lock.unlock();
    if (stop_.requested()) stop_with(kStopped);
    if (const auto fatal = transport_->fatal()) stop_with(*fatal);
  }
}

bool OnlineRequester::asked_again(const std::string& digest) const {
  const std::lock_guard lock(mutex_);
  return again_.contains(digest);
}

std::optional<std::string> OnlineRequester::failure(const std::string& digest) const {
  const std::lock_guard lock(mutex_);
  const auto found = failures_.find(digest);
  if (found == failures_.end()) return std::nullopt;
  return found->second;
}

RequestCounts OnlineRequester::counts() const {
  const std::lock_guard lock(mutex_);
  RequestCounts counts = counts_;
  if (transport_) {
    const auto statistics = transport_->statistics();
    counts.retries = statistics.retries;
    counts.in_flight = statistics.in_flight;
  }
  return counts;
}

}  // namespace touchstone::llm_client
