#include "tests/judge_server/behaviours.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/json_tree.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include <fmt/format.h>

namespace touchstone::judge_server {

namespace {

constexpr auto kDeeds = std::to_array<std::string_view>(
    {"answer",            // right
     "status",            // `status` with `body` or an error
     "redirect",          // `status` (302 when it is no 3xx) to headers.Location
     "hang",              // no reply, the connection stays
     "reset",             // the connection is reset before the reply
     "close",             // closed before the reply
     "cut",               // the reply ends in its middle
     "cut_headers",       // in its headers
     "garbage",           // bytes that are not HTTP
     "garbage_body",      // status 200, bytes that are not text
     "wrong_json",        // status 200, JSON of another kind
     "empty_body",        // status 200, nothing
     "error_200",         // status 200, an error in the API's form
     "endless",           // a body without end
     "endless_chunks",    // in chunks
     "endless_headers",   // headers without end
     "huge",              // 1 GB, as its head says
     "gzip_bomb",         // 256 MB in 256 KB
     "gzip_cut",          // half of the compressed body, and the head says so
     "long_length",       // the head promises more than comes, then the connection is closed
     "long_length_open",  // or is not
     "short_length",      // the head promises less than comes
     "two_replies",       // to one request
     "slow_headers",      // right, a byte of the headers each 50 ms
     "drips",             // right, a byte of the body each 0.2 ms
     "continue_first",    // right, a 100 ahead
     "http_1_0",          // right, ends with the connection
     "drops_connection",  // right, then the connection is closed without a word
     "doubled",           // right, and the same reply again at once; the connection stays
     "repeats_later",     // or 20 ms later
     "other_later",       // right, and another answer 1 to 150 ms later; the connection stays
     "folded_head",       // right, but the first line goes on in a second
     "folded_status",     // nothing but such a first line
     "folded_field",      // right, but a field goes on in a second line
     "chunks_without_end", "bad_chunk_size", "length_and_chunks", "two_lengths", "http_1_0_cut", "interim_body",
     "gzip_checksum", "gzip_no_trailer", "gzip_and_more", "gzip_claimed", "brotli_claimed", "deflate_claimed",
     "trailers",     // right, in chunks, with a trailer
     "early_hints",  // right, a 103 ahead
     // The request's key comes back in the form that `code` names (echoes.cpp): beside the answer, as the answer, or in
     // the message of an error with `status`.
     "echo_key", "echo_key_as_answer", "echo_key_in_error",
     "stream",  // server-sent events, although not asked for
     // Right but for a flaw: see Flaws and twists.cpp.
     "say",  // `body` is what the model says
     "ignore_schema", "no_logprobs", "no_usage", "refuse", "content_filter", "length", "fenced", "no_content",
     "truncate_prompt", "reasoning_only", "thinks_first", "thinks_on", "several_choices", "no_choices", "tool_calls",
     "usage_zero", "usage_negative", "usage_huge", "usage_constant", "logprobs_foreign", "logprobs_positive",
     "logprobs_nan", "nul_in_answer", "bad_utf8", "repeated_field", "deep_nesting", "html", "fenced_prose",
     "wrong_value", "finish_error", "finish_abort", "finish_unknown", "finish_number", "finish_null", "wrong_index",
     "wrong_object", "wrong_role", "refusal_object", "other_model", "choice_error", "cut_json", "two_bodies",
     "garbage_behind", "contradicts", "usage_dear", "gemini_blocked", "gemini_recitation"});

bool is_chat(std::string_view path) {
  return path.ends_with("/chat/completions") || path.ends_with("/messages");
}

}  // namespace

std::vector<Rule> read_rules(std::string_view json) {
  const auto list = parse_json_or_discard(json);
  if (!list.is_array()) throw FormatError("the rules are no JSON list");
  std::vector<Rule> rules;
  for (const auto& item : list) {
    try {
      Rule rule;
      for (const auto& [key, value] : item.items()) {
        if (key == "do") {
          rule.deed = value;
        } else if (key == "match") {
          rule.match = value;
        } else if (key == "path") {
          rule.path = value;
        } else if (key == "share") {
          rule.share = value;
        } else if (key == "times") {
          rule.times = value;
        } else if (key == "first") {
          rule.first = value;
        } else if (key == "after") {
          rule.after = value;
        } else if (key == "status") {
          rule.status = value;
        } else if (key == "body") {
          rule.body = value;
        } else if (key == "code") {
          rule.code = value;
        } else if (key == "headers") {
          rule.headers = value.get<std::map<std::string, std::string>>();
        } else if (key == "wait_ms") {
          rule.wait = std::chrono::milliseconds(value.get<std::int64_t>());
        } else if (key == "tokens") {
          rule.tokens = value;
        } else {
          throw FormatError("rule " + item.dump() + ": there is no field \"" + key + "\"");
        }
      }
      if (std::find(kDeeds.begin(), kDeeds.end(), rule.deed) == kDeeds.end()) {
        throw FormatError("rule " + item.dump() + ": \"do\" is none of " + fmt::format("{}", fmt::join(kDeeds, ", ")));
      }
      rules.push_back(std::move(rule));
    } catch (const nlohmann::json::exception& error) {
      throw FormatError("rule " + item.dump() + ": " + error.what());
    }
  }
  return rules;
}

Ledger::Ledger(const std::string& log_file) {
  if (log_file.empty()) return;
  log_ = std::fopen(log_file.c_str(), "we");
  if (log_ == nullptr) throw Error(log_file + ": cannot be written; name another file");
}

Ledger::~Ledger() {
  if (log_ != nullptr) std::fclose(log_);
}

Rule Ledger::arrived(std::string_view path, std::string_view body) {
  const auto hash = xxh3_64(body);
  const std::lock_guard lock(mutex_);
  if (is_chat(path)) {
    ++requests_;
  } else {
    ++others_;
  }
  const auto number = requests_;
  peak_in_flight_ = std::max(peak_in_flight_, ++in_flight_);
  const auto attempt = is_chat(path) ? ++attempts_[hash] : 1;
  Rule found;
  found.deed = "answer";
  for (const auto& rule : rules_) {
    const bool here = rule.path.empty() ? is_chat(path) : path.find(rule.path) != std::string_view::npos;
    const double place = static_cast<double>(xxh3_64(body, 0x5eed) >> 11) * 0x1p-53;
    if (here && (rule.match.empty() || body.find(rule.match) != std::string_view::npos) && place < rule.share &&
        (rule.times == 0 || attempt <= rule.times) && (rule.first == 0 || number <= rule.first) &&
        number > rule.after) {
      found = rule;
      break;
    }
  }
  ++deeds_[found.deed == "status" ? fmt::format("status {}", found.status) : found.deed];
  if (log_ != nullptr) {
    const auto line = Json{{"n", number},        {"path", path},     {"digest", fmt::format("{:016x}", hash)},
                           {"attempt", attempt}, {"do", found.deed}, {"body", body}}
                          .dump(-1, ' ', false, Json::error_handler_t::replace);
    fmt::print(log_, "{}\n", line);
    std::fflush(log_);
  }
  return found;
}

void Ledger::answered(std::string_view body) {
  const std::lock_guard lock(mutex_);
  ++answered_;
  ++answers_[xxh3_64(body)];
}

void Ledger::served(std::uint64_t prompt_tokens, std::uint64_t reply_tokens) {
  const std::lock_guard lock(mutex_);
  billed_prompt_tokens_ += prompt_tokens;
  billed_reply_tokens_ += reply_tokens;
}

void Ledger::left() {
  const std::lock_guard lock(mutex_);
  --in_flight_;
}

void Ledger::set_rules(std::vector<Rule> rules) {
  const std::lock_guard lock(mutex_);
  rules_ = std::move(rules);
}

void Ledger::reset() {
  const std::lock_guard lock(mutex_);
  attempts_.clear();
  answers_.clear();
  deeds_.clear();
  requests_ = others_ = answered_ = billed_prompt_tokens_ = billed_reply_tokens_ = 0;
  peak_in_flight_ = in_flight_;
}

Json Ledger::counts() const {
  const std::lock_guard lock(mutex_);
  return {{"requests", requests_},
          {"others", others_},
          {"distinct", attempts_.size()},
          {"answered", answered_},
          {"answered_distinct", answers_.size()},
          {"answered_again", answered_ - answers_.size()},
          {"billed_prompt_tokens", billed_prompt_tokens_},
          {"billed_reply_tokens", billed_reply_tokens_},
          {"in_flight", in_flight_},
          {"peak_in_flight", peak_in_flight_},
          {"deeds", deeds_}};
}

}  // namespace touchstone::judge_server
