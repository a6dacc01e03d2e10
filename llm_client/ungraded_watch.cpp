#include "llm_client/ungraded_watch.hpp"

#include "common/display_text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace touchstone::llm_client {
namespace {

constexpr std::size_t kSampleBytes = 200;
/// New replies without a grade that confirm what the stored ones say.
constexpr std::uint64_t kConfirmingReplies = 5;

}  // namespace

bool UngradedWatch::enough() const {
  if (limit_ == 0 || has_grade_) return false;
  if (ungraded_.size() >= limit_) return true;
  return !stored_have_grade_ && ungraded_.size() >= kConfirmingReplies &&
         ungraded_.size() + stored_ungraded_.size() >= limit_;
}

void UngradedWatch::count(const JudgeAnswer& answer) {
  auto& reason = reasons_[answer.state];
  if (++reason.count == 1) reason = {1, answer.reason, display_excerpt(answer.reply, kSampleBytes)};
}

void UngradedWatch::take(const std::string& digest, const StoredReply& reply, const prompts::TextSize& size,
                         const ServerTraits* traits, bool asks_again) {
  const std::lock_guard lock(mutex_);
  if (limit_ == 0 || has_grade_ || asks_again || enough()) return;
  const auto answer = model_.read(reply, asked_of({}, size, traits));
  if (answer.state == JudgmentState::kJudged) {
    has_grade_ = true;
  } else if (ungraded_.insert(digest).second) {
    count(answer);
  }
}

void UngradedWatch::take_stored(const std::string& digest, const JudgeAnswer& answer) {
  if (limit_ == 0 || stored_have_grade_) return;
  const std::lock_guard lock(mutex_);
  if (enough()) return;
  if (answer.state == JudgmentState::kJudged) {
    stored_have_grade_ = true;
  } else if (stored_ungraded_.size() < limit_ && !ungraded_.contains(digest) &&
             stored_ungraded_.insert(digest).second) {
    count(answer);
  }
}

bool UngradedWatch::undecided() const {
  const std::lock_guard lock(mutex_);
  return limit_ > 0 && !has_grade_;
}

std::optional<std::string> UngradedWatch::verdict() const {
  const std::lock_guard lock(mutex_);
  if (!enough()) return std::nullopt;
  const auto commonest = std::max_element(reasons_.begin(), reasons_.end(),
                                          [](const auto& a, const auto& b) { return a.second.count < b.second.count; });
  const auto& [state, reason] = *commonest;
  return fmt::format(
      "judge {}: none of the first {} replies holds a grade, {} are {} ({}), such as \"{}\"; correct the prompt, the "
      "model "
      "or its settings, then run again; judge.max_ungraded = 0 goes on regardless",
      model_.id(), ungraded_.size() + stored_ungraded_.size(), reason.count, to_string(state),
      reason.reason.empty() ? "no reason given" : reason.reason, reason.sample);
}

}  // namespace touchstone::llm_client
