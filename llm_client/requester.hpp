#pragma once

#include "llm_client/budget.hpp"
#include "llm_client/judge_answer.hpp"
#include "llm_client/server_probe.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace touchstone::llm_client {

/// What a run has asked so far.
struct RequestCounts {
  std::uint64_t asked = 0, answered = 0, retries = 0, in_flight = 0;
  std::uint64_t prompt_tokens = 0, cached_tokens = 0, reply_tokens = 0;
  PicoDollars cost = 0;

  RequestCounts& operator+=(const RequestCounts& other) noexcept {
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
};

/// Has a model's requests answered and files the replies in a ReplyStore. One thread calls it; `saw_stored`,
/// `asked_again`, `failure` and `counts` may be called from any.
///
/// All but the four throw Interrupted when the run must stop: signal, budget, or a failure that no retry heals. What
/// is in flight is brought home and stored first.
class Requester {
 public:
  virtual ~Requester() = default;

  /// Files what earlier runs asked for and left under way.
  virtual void resume() {}

  /// Tries the server; to be called before the first `ask` of a run. Returns what the server does, or nothing when that
  /// will show in replies only.
  virtual std::optional<ServerTraits> open() = 0;

  /// To be called before the store is looked into for the requests that `ask` will get next. Replies that are stored
  /// from now on may have been missed there; `ask` then leaves their requests out.
  virtual void begin_lookup() {}

  /// To be told of each answer that was found in the store.
  virtual void saw_stored(const std::string& /*digest*/, const JudgeAnswer& /*answer*/) {}

  /// Takes on a request whose reply was not in the store at the last `begin_lookup`.
  virtual void ask(PendingRequest request) = 0;

  /// Returns when all requests were answered, or given up.
  virtual void finish() = 0;

  /// True when this run has asked the question of that request again, which it does once.
  virtual bool asked_again(const std::string& /*digest*/) const { return false; }
  /// Why no reply came to a request in this run, although it was tried again and again; nothing when one came, or may
  /// still come.
  virtual std::optional<std::string> failure(const std::string& /*digest*/) const { return std::nullopt; }
  virtual RequestCounts counts() const { return {}; }
};

}  // namespace touchstone::llm_client
