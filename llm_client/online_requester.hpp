#pragma once

#include "common/progress.hpp"
#include "common/stop.hpp"
#include "llm_client/attempt_budget.hpp"
#include "llm_client/budget.hpp"
#include "llm_client/reply_store.hpp"
#include "llm_client/requester.hpp"
#include "llm_client/served_model.hpp"
#include "llm_client/server_probe.hpp"
#include "llm_client/ungraded_watch.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace touchstone::llm_client {

/// Has a model's requests answered over HTTP, and every reply stored before anyone looks at it.
///
/// `ask` is called by one thread. Another one, which belongs to this object, takes replies as they come and writes each
/// batch of them to the store with one flush to disk. A reply that arrived is durable when the next batch is taken:
/// within 100 ms, disk permitting. A request is in flight at most once. One whose worst case does not fit the budget is
/// not sent.
class OnlineRequester : public Requester {
 public:
  /// Nothing is sent and no key is read before the first request. All arguments must outlive this. `progress` counts
  /// the replies.
  OnlineRequester(const ServedModel& served, ReplyStore& store, Budget& budget, const StopFlag& stop,
                  ProgressCounters& progress);
  ~OnlineRequester() override;

  /// What the server does: asked of it at the first call, or read from the replies to an earlier probe.
  std::optional<ServerTraits> open() override;
  void begin_lookup() override;
  void saw_stored(const std::string& digest, const JudgeAnswer& answer) override;
  void ask(PendingRequest request) override;
  void finish() override;

  bool asked_again(const std::string& digest) const override;
  std::optional<std::string> failure(const std::string& digest) const override;
  RequestCounts counts() const override;

 private:
  struct InFlight {
    std::string digest, topic;
    Spending worst;
    prompts::TextSize size;
    bool warms_up = false, asks_again = false;
  };
  struct Topic {
    bool warm = false;
    std::deque<PendingRequest> held;
  };

  void start();
  void send(PendingRequest request, bool warms_up);
  /// Until a reply holds a grade: waits while as many requests are out, or not read yet, as may be in flight.
  void wait_for_first_grade();
  /// Reserves the worst case of a request; waits for what is in flight where the budget is short.
  void reserve(std::uint64_t id, const Spending& worst);
  /// What the last attempt of a request cost, and what became of it. Adds what is to be stored to `entries`.
  Spending take_home(InFlight& request, transport::Delivery& delivery, std::vector<ReplyStore::Entry>& entries);
  void release_warm_topics(bool wait);
  void store_replies();
  void settle(std::span<transport::Delivery> deliveries);
  /// Ends the run with `message`, after bringing home what is in flight.
  [[noreturn]] void stop_with(const std::string& message);
  void drain();
  bool pays_to_warm_up(const PendingRequest& request) const;

  const ServedModel& served_;
  ReplyStore& store_;
  Budget& budget_;
  AttemptBudget attempts_;
  const StopFlag& stop_;
  ProgressCounters& progress_;
  std::optional<ServerTraits> traits_;
  UngradedWatch ungraded_;
  std::unique_ptr<transport::Transport> transport_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t next_id_ = 1;
  std::unordered_map<std::uint64_t, InFlight> in_flight_;
  std::unordered_set<std::string> under_way_;  // digests; with those of answered_
  std::vector<std::string> answered_;          // since begin_lookup
  std::unordered_set<std::string> again_;      // digests of requests that ask again
  std::unordered_map<std::string, std::string> failures_;
  std::unordered_map<std::string, Topic> topics_;
  std::size_t held_ = 0;
  RequestCounts counts_;
  std::exception_ptr trouble_;
  std::thread storer_;
};

}  // namespace touchstone::llm_client
