#include "llm_client/online_requester.hpp"

#include "common/error.hpp"
#include "common/log.hpp"

#include <algorithm>

namespace touchstone::llm_client {
namespace {

using transport::Delivery;
using transport::FailureKind;

constexpr auto kTakeWait = std::chrono::milliseconds(50);
// Hosted servers cache beginnings of at least so many tokens; shorter ones gain nothing from a warm-up request.
constexpr std::uint64_t kLeastCachedTokens = 1024;
constexpr std::size_t kMaxHeld = 4096;  // questions that wait for their topic's warm-up request
constexpr std::size_t kMostBytesAtOnce = std::size_t{16} << 20;  // of replies that are stored together
constexpr std::size_t kMaxTopics = 100'000;
constexpr const char* kStopped = "run the same command again to go on from here";

}  // namespace

OnlineRequester::OnlineRequester(const ServedModel& served, ReplyStore& store, Budget& budget, const StopFlag& stop,
                                 ProgressCounters& progress)
    : served_(served),
      store_(store),
      budget_(budget),
      attempts_(budget,
                [&served](std::string_view body) -> std::optional<Spending> {
                  const auto usage = providers::read_usage(served.model.protocol(), body);
                  if (!usage) return std::nullopt;
                  return Spending{served.server.prices.cost(*usage), 1, usage->prompt + usage->reply};
                }),
      stop_(stop),
      progress_(progress),
      ungraded_(served.model, served.server.max_ungraded) {}

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
  auto options = served_.server.transport;
  const auto control = control_request(served_, traits_ ? traits_->limits : providers::ServerLimits{});
  attempts_.allow(transport::kControlExchange, served_.worst_case(control.size));
  options.gate = &attempts_;
  options.control_path = std::string(providers::chat_path(served_.model.protocol()));
  options.control_body = control.body;
  auto transport = std::make_unique<transport::Transport>(endpoints_of(served_), std::move(options));
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

void OnlineRequester::saw_stored(const std::string& digest, const JudgeAnswer& answer) {
  ungraded_.take_stored(digest, answer);
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

void OnlineRequester::reserve(std::uint64_t id, const Spending& worst) {
  while (!attempts_.reserve(id, worst)) {
    // What is in flight may come to less than was reserved for it.
    std::unique_lock lock(mutex_);
    if (in_flight_.empty()) {
      lock.unlock();
      stop_with(attempts_.obstacle(worst) + "; run the same command again to go on, with a budget for what is left");
    }
    if (trouble_) std::rethrow_exception(trouble_);
    changed_.wait_for(lock, kTakeWait);
    lock.unlock();
    if (stop_.requested()) stop_with(kStopped);
    if (const auto fatal = transport_->fatal()) stop_with(*fatal);
  }
}

void OnlineRequester::wait_for_first_grade() {
  const std::size_t most = std::min<std::size_t>(served_.server.transport.in_flight, served_.server.max_ungraded);
  std::unique_lock lock(mutex_);
  while (in_flight_.size() >= most && ungraded_.undecided() && !ungraded_.verdict() && !transport_->fatal()) {
    changed_.wait_for(lock, kTakeWait);
    if (trouble_) std::rethrow_exception(trouble_);
    if (!stop_.requested()) continue;
    lock.unlock();
    stop_with(kStopped);
  }
}

void OnlineRequester::send(PendingRequest request, bool warms_up) {
  if (!request.asks_again) wait_for_first_grade();
  if (const auto verdict = ungraded_.verdict()) stop_with(*verdict);
  const auto worst = served_.worst_case(request.size);
  const auto id = next_id_++;
  reserve(id, worst);
  transport::Exchange exchange;
  exchange.id = id;
  exchange.path = std::string(providers::chat_path(served_.model.protocol()));
  exchange.body = std::move(request.body);
  exchange.token_estimate = request.size.tokens + served_.model.parameters().max_reply_tokens;
  {
    const std::lock_guard lock(mutex_);
    in_flight_.emplace(id, InFlight{std::move(request.digest), std::move(request.topic), worst, request.size, warms_up,
                                    request.asks_again});
    ++counts_.asked;
  }
  if (transport_->submit(std::move(exchange))) return;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = in_flight_.find(id); found != in_flight_.end()) {
      under_way_.erase(found->second.digest);
      attempts_.settle(id, {});
      in_flight_.erase(found);
      --counts_.asked;
    }
  }
  if (const auto verdict = ungraded_.verdict()) stop_with(*verdict);
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

Spending OnlineRequester::take_home(InFlight& request, Delivery& delivery, std::vector<ReplyStore::Entry>& entries) {
  const auto worst = attempts_.worst_case(request.worst);
  const auto charged = delivery.served ? worst : Spending{0, delivery.attempts > 0 ? 1U : 0U, 0};
  const auto failure = delivery.failure;
  if (failure != FailureKind::none && failure != FailureKind::request_rejected && failure != FailureKind::incomplete)
    return charged;
  auto paid = paid_reply(served_, delivery);
  // It was served, and nobody says for how much.
  if (!paid.counted && (delivery.served || failure == FailureKind::none)) {
    paid.spent = worst;
    paid.reply.cost = worst.cost;
  }
  ungraded_.take(request.digest, paid.reply, request.size, traits_ ? &*traits_ : nullptr, request.asks_again);
  entries.push_back({request.digest, std::move(paid.reply)});
  return paid.spent;
}

void OnlineRequester::settle(std::span<Delivery> deliveries) {
  std::vector<ReplyStore::Entry> entries;
  std::vector<std::pair<std::uint64_t, Spending>> spent;
  std::vector<std::pair<std::string, std::string>> failures;
  for (auto& delivery : deliveries) {
    InFlight request;
    {
      const std::lock_guard lock(mutex_);
      request = in_flight_.at(delivery.id);
    }
    spent.emplace_back(delivery.id, take_home(request, delivery, entries));
    if (delivery.failure == FailureKind::transient_exhausted) failures.emplace_back(request.digest, delivery.message);
  }
  if (ungraded_.verdict()) transport_->cancel();  // the asking thread says why
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
    attempts_.settle(id, actual);
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
      for (std::size_t begin = 0; begin < deliveries.size();) {
        std::size_t end = begin, bytes = 0;
        while (end < deliveries.size() && bytes < kMostBytesAtOnce) bytes += deliveries[end++].body.size();
        settle({deliveries.data() + begin, end - begin});
        changed_.notify_all();
        begin = end;
      }
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
    if (const auto verdict = ungraded_.verdict()) stop_with(*verdict);
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
