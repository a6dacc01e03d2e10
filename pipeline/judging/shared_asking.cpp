#include "pipeline/judging/shared_asking.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include <fmt/format.h>

namespace touchstone::pipeline::judging {
namespace {

using llm_client::PicoDollars;
using llm_client::Spending;

/// A budget is handed out in about so many portions. More lose less in a crash, fewer spare the disk.
constexpr std::uint64_t kPortions = 64;

// Entries are a word that says what they are, the writer, and what the word needs.
std::string budget_entry(const char* word, const std::string& writer, const Spending& amount) {
  return fmt::format("{} {} {} {} {}", word, writer, amount.cost, amount.calls, amount.tokens);
}

/// What to take of one measure: `least`, or a whole portion where so much is left.
template <class Number>
Number portion(Number least, Number most, Number left) {
  return least == 0 ? 0 : std::min(left, std::max<Number>(least, most / static_cast<Number>(kPortions)));
}

}  // namespace

SharedAsking::SharedAsking(const std::filesystem::path& folder, std::string writer,
                           const llm_client::BudgetLimits& limits)
    : writer_(std::move(writer)),
      most_{static_cast<PicoDollars>(limits.cost_dollars * llm_client::kPicoPerDollar), limits.calls, limits.tokens},
      journal_(folder, writer_) {
  read_on();
  closed_ = false;
}

void SharedAsking::read_on() {
  for (const auto& entry : journal_.news()) apply(entry);
}

void SharedAsking::apply(const std::string& entry) {
  std::istringstream words(entry);
  std::string word, writer, what;
  words >> word >> writer;
  if (word == "take" || word == "give") {
    Spending amount;
    words >> amount.cost >> amount.calls >> amount.tokens;
    if (word == "take") {
      taken_ += amount;
    } else {
      taken_ -= amount;
    }
  } else if (word == "claim" && words >> what) {
    claims_.emplace(what, writer);
  } else if (word == "release") {
    std::erase_if(claims_, [&](const auto& claim) { return claim.second == writer; });
  } else if (word == "done" && words >> what) {
    done_.emplace(what, writer);
  } else if (word == "close") {
    claims_.clear();
    closed_ = true;
  } else {
    words.setstate(std::ios::failbit);
  }
  if (writer.empty() || !words)
    throw StorageError("the journal of those that ask judges has the entry \"" + entry +
                       "\", which this version does not know; let all jobs end, remove the folder and run again");
}

/// Adds what `entry` makes of all that is known, until nobody is faster. It makes an empty text where there is nothing
/// to add any more.
template <class Entry>
bool SharedAsking::add(const Entry& entry) {
  for (;;) {
    read_on();
    const std::string text = entry();
    if (text.empty()) return false;
    if (!journal_.add(text)) continue;
    apply(text);
    return true;
  }
}

Spending SharedAsking::left_locked() const {
  return {std::max<PicoDollars>(0, most_.cost - taken_.cost), most_.calls - std::min(most_.calls, taken_.calls),
          most_.tokens - std::min(most_.tokens, taken_.tokens)};
}

std::optional<Spending> SharedAsking::take(const Spending& least) {
  const std::lock_guard lock(mutex_);
  Spending amount;
  const bool taken = add([&] {
    const auto left = left_locked();
    if (left.cost < least.cost || left.calls < least.calls || left.tokens < least.tokens) return std::string();
    amount = {portion(least.cost, most_.cost, left.cost), portion(least.calls, most_.calls, left.calls),
              portion(least.tokens, most_.tokens, left.tokens)};
    return budget_entry("take", writer_, amount);
  });
  return taken ? std::optional(amount) : std::nullopt;
}

void SharedAsking::owe(const Spending& more) {
  const std::lock_guard lock(mutex_);
  add([&] { return budget_entry("take", writer_, more); });
}

void SharedAsking::give_back(const Spending& rest) {
  const std::lock_guard lock(mutex_);
  add([&] { return budget_entry("give", writer_, rest); });
}

Spending SharedAsking::left() const {
  const std::lock_guard lock(mutex_);
  return left_locked();
}

bool SharedAsking::claim(const std::string& what) {
  const std::lock_guard lock(mutex_);
  add([&] { return closed_ || claims_.contains(what) ? std::string() : fmt::format("claim {} {}", writer_, what); });
  const auto owner = claims_.find(what);
  return !closed_ && owner != claims_.end() && owner->second == writer_;
}

void SharedAsking::release_claims() {
  const std::lock_guard lock(mutex_);
  add([&] { return "release " + writer_; });
}

void SharedAsking::tell_done(const std::string& what) {
  const std::lock_guard lock(mutex_);
  add([&] { return done_.contains(what) ? std::string() : fmt::format("done {} {}", writer_, what); });
}

bool SharedAsking::is_done(const std::string& what) {
  const std::lock_guard lock(mutex_);
  read_on();
  return done_.contains(what);
}

void SharedAsking::close() {
  const std::lock_guard lock(mutex_);
  add([&] { return "close " + writer_; });
  closed_ = false;
}

bool SharedAsking::is_closed() {
  const std::lock_guard lock(mutex_);
  read_on();
  return closed_;
}

}  // namespace touchstone::pipeline::judging
