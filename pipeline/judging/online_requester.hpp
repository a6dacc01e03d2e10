#pragma once

#include "common/progress.hpp"
#include "common/stop.hpp"
#include "llm_client/budget.hpp"
#include "pipeline/judging/judge_panel.hpp"
#include "pipeline/judging/judgment_log.hpp"
#include "pipeline/judging/server_probe.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace touchstone::pipeline::judging {

/// What a run has asked so far.
struct AskerCounts {
  std::uint64_t asked = 0, answered = 0, retries = 0, in_flight = 0;
  std::uint64_t prompt_tokens = 0, cached_tokens = 0, reply_tokens = 0;
  llm_client::PicoDollars cost = 0;
};

/// Has one judge's questions answered over HTTP, and every reply stored before anyone looks at it.
///
/// `ask` is called by one thread; another one, of this object, takes replies as they come and writes each batch of them
/// to the log with one flush to disk. A reply that arrived is durable when the next batch is taken: within 100 ms, disk
/// permitting. A question is in flight at most once; one whose worst case does not fit the budget is not sent.
class Asker {
 public:
  /// Nothing is sent and no key is read before the first question. All arguments must outlive this. `progress` counts
  /// the replies.
  Asker(const Panelist& judge, JudgmentLog& log, llm_client::Budget& budget, const StopFlag& stop,
        ProgressCounters& progress);
  ~Asker();

  /// What the server can do: asked of it at the first call, or remembered by the log. Throws Interrupted when the
  /// server refuses altogether.
  const ServerTraits& traits();
  /// To be called before the log is looked into for the questions that `ask` will get next: replies that are stored
  /// from now on may not have been seen there, and `ask` leaves their questions out.
  void look_begins();
  /// Sends a question unless it is under way, or was answered since `look_begins`. It must not have been in the log
  /// then. Throws Interrupted when the run must stop: signal, budget, or a failure that no retry heals; what is in
  /// flight is brought home and stored first.
  void ask(Errand errand);

  /// Waits until all that was asked has come back. Throws as `ask`.
  void finish();

  /// True when this run has asked the question again, which it does once, however often the same question comes.
  bool asked_again(const std::string& key) const;
  /// True when no reply came to this question in this run although it was tried again and again.
  bool failed(const std::string& key) const;
  std::string failure(const std::string& key) const;

  AskerCounts counts() const;

 private:
  struct Pending {
    std::string key, topic;
    llm_client::Spending worst;
    bool warms_up = false;
  };
  struct Topic {
    bool warm = false;
    std::deque<Errand> held;
  };

  void start();
  void send(Errand errand, bool warms_up);
  void release_warm_topics(bool wait);
  void store_replies();
  void settle(std::vector<llm_client::Delivery>& deliveries);
  LoggedReply to_reply(llm_client::Delivery& delivery, llm_client::Spending& actual, const Pending& pending) const;
  /// Ends the run with `message`, after bringing home what is in flight.
  [[noreturn]] void stop_with(const std::string& message);
  void drain();
  bool pays_to_warm_up(const Errand& errand) const;

  const Panelist& judge_;
  JudgmentLog& log_;
  llm_client::Budget& budget_;
  const StopFlag& stop_;
  ProgressCounters& progress_;
  llm_client::Prices prices_;
  std::optional<ServerTraits> traits_;
  std::unique_ptr<llm_client::Transport> transport_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t next_id_ = 1;
  std::unordered_map<std::uint64_t, Pending> pending_;
  std::unordered_set<std::string> under_way_;  // keys; with those of answered_
  std::vector<std::string> answered_;          // since look_begins
  std::unordered_set<std::string> again_;      // keys of questions that had replies without a grade before
  std::unordered_map<std::string, std::string> failures_;
  std::unordered_map<std::string, Topic> topics_;
  std::size_t held_ = 0;
  AskerCounts counts_;
  std::exception_ptr trouble_;
  std::thread storer_;
};

}  // namespace touchstone::pipeline::judging
