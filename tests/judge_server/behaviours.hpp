#pragma once

#include "tests/judge_server/answers.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace touchstone::judge_server {

/// One rule of a script: which requests, and what they get. Its JSON form has the fields below; all but `do` may be
/// left out. `do` is one of kDeeds in behaviours.cpp.
struct Rule {
  std::string deed;                            // "do"
  std::string match;                           // a text in the body; empty: any body
  std::string path;                            // a text in the path; empty: chat completions and messages
  double share = 1;                            // of the requests, told by a hash of the body
  std::uint64_t times = 0;                     // the first so many attempts of a request; 0: all
  std::uint64_t first = 0;                     // the first so many requests of the run; 0: all
  std::uint64_t after = 0;                     // not the first so many requests of the run
  int status = 500;                            // for "status" and "redirect"
  std::string body;                            // for "status"; empty: an error in the API's form
  std::string code;                            // of that error; of "echo_key": the form
  std::map<std::string, std::string> headers;  // for all; "{http-date+N}" becomes the date in N seconds
  std::chrono::milliseconds wait{0};           // "wait_ms": before the reply
  std::uint64_t tokens = 0;                    // for "truncate_prompt"
};

/// Reads a JSON list of rules; throws FormatError with the rule that makes no sense.
std::vector<Rule> read_rules(std::string_view json);

/// What a server was asked and what it did. Thread-safe.
class Ledger {
 public:
  explicit Ledger(const std::string& log_file);
  ~Ledger();
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  /// Counts a request and finds the rule it falls under, "answer" when none.
  Rule arrived(std::string_view path, std::string_view body);
  /// The right answer to `body` went out whole.
  void answered(std::string_view body);
  /// A reply was computed for a request, whatever becomes of it on its way: a provider bills it.
  void served(std::uint64_t prompt_tokens, std::uint64_t reply_tokens);
  void left();
  void set_rules(std::vector<Rule> rules);
  void reset();
  /// {"requests" (chat only), "others", "distinct", "answered", "answered_distinct", "answered_again",
  /// "peak_in_flight", "billed_prompt_tokens", "billed_reply_tokens", "deeds": {..}}
  Json counts() const;

 private:
  mutable std::mutex mutex_;
  std::vector<Rule> rules_;
  std::unordered_map<std::uint64_t, std::uint64_t> attempts_, answers_;  // by hash of the body
  std::map<std::string, std::uint64_t> deeds_;
  std::uint64_t requests_ = 0, others_ = 0, answered_ = 0, in_flight_ = 0, peak_in_flight_ = 0;
  std::uint64_t billed_prompt_tokens_ = 0, billed_reply_tokens_ = 0;
  std::FILE* log_ = nullptr;
};

}  // namespace touchstone::judge_server
