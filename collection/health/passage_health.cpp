#include "collection/health/passage_health.hpp"

#include "collection/health/health_check.hpp"
#include "common/number_text.hpp"
#include "common/unicode.hpp"
#include "formats/fields/quote.hpp"
#include "text/words.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace touchstone::collection::health {
namespace {

using formats::fields::quote_for_message;

constexpr double kMostRepeats = 0.02, kMostNearRepeats = 0.05, kMostShort = 0.05, kMostLong = 0.05, kMostDamaged = 0.01;

std::string sample(const std::pair<std::string, std::string>& names) {
  return names.first.empty()
             ? ""
             : fmt::format(", such as {} and {}", quote_for_message(names.first), quote_for_message(names.second));
}

}  // namespace

HealthCheck at_most(std::string name, double value, double threshold, std::string verdict,
                    const std::vector<Remedy>& remedies, const RunOptions& options) {
  return {.name = std::move(name),
          .value = value,
          .threshold = threshold,
          .verdict = std::move(verdict),
          .remedy = remedy_text(remedies, options)};
}

std::string such_as(const std::string& name) {
  return name.empty() ? "" : ", such as " + quote_for_message(name);
}

double share_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : round_to(static_cast<double>(part) / static_cast<double>(whole), kShareDigits);
}

void leave_unmeasured(HealthCheck& check, std::string_view why) {
  check.measured = false;
  check.value = 0;
  check.verdict = fmt::format("Not measured: {}.", why);
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", with_commas(count), noun, count == 1 ? "" : "s");
}

void PassageHealth::add(std::string_view name, std::string_view text, const std::vector<Word>& words,
                        std::optional<TextDamage> damage) {
  repeats_.add(name, text, words);
  const std::size_t length = text::count_words(text);
  if (length < kShortWords && short_++ == 0) short_sample_ = name;
  all_words_ += length;
  if (length > kLongWords) {
    ++long_;
    long_words_ += length;
  }
  if (length > most_words_) {
    most_words_ = length;
    longest_ = name;
  }
  if (damage) {
    ++damages_[static_cast<std::size_t>(*damage)];
    if (damaged_++ == 0)
      damaged_sample_ = fmt::format(", such as {} ({})", quote_for_message(name), to_string(*damage));
  }
}

std::vector<HealthCheck> PassageHealth::checks(const PassageRemedies& remedies, const RunOptions& options) {
  const auto repeats = repeats_.finish();
  const auto all = repeats.texts;
  std::vector<HealthCheck> checks;
  checks.push_back(
      at_most("exact_repeats", share_of(repeats.exact, all), kMostRepeats,
              fmt::format("{} of {} the same words as an earlier one{}. Systems are charged for "
                          "ranking the copies that nobody judged.",
                          with_commas(repeats.exact), counted(all, "passage") + " have", sample(repeats.exact_sample)),
              remedies.repeats, options));
  checks.push_back(at_most(
      "near_repeats", share_of(repeats.near, all), kMostNearRepeats,
      fmt::format("{} of {} share at least {} of their word pairs with an earlier one without being the same{}; "
                  "this is an estimate{}.",
                  with_commas(repeats.near), counted(all, "passage"), percent(kNearRepeatOverlap),
                  sample(repeats.near_sample),
                  all > kMaxSketchedTexts ? " over the first million different texts" : ""),
      remedies.near_repeats, options));
  checks.push_back(at_most("short_passages", share_of(short_, all), kMostShort,
                           fmt::format("{} of {} have fewer than {} words{}.", with_commas(short_),
                                       counted(all, "passage"), kShortWords, such_as(short_sample_)),
                           remedies.short_passages, options));
  checks.push_back(at_most(
      "long_passages", share_of(long_words_, all_words_), kMostLong,
      fmt::format("{} of {} have more than {} words and hold {} of all words; the longest has {}{}.",
                  with_commas(long_), counted(all, "passage"), kLongWords, percent(share_of(long_words_, all_words_)),
                  with_commas(most_words_), longest_.empty() ? "" : " (" + quote_for_message(longest_) + ")"),
      remedies.long_passages, options));
  std::string kinds;
  for (std::size_t i = 0; i < damages_.size(); ++i) {
    if (damages_[i] > 0)
      kinds += fmt::format("{}{} {}", kinds.empty() ? ": " : ", ", to_string(static_cast<TextDamage>(i)),
                           with_commas(damages_[i]));
  }
  checks.push_back(at_most("damaged_texts", share_of(damaged_, all), kMostDamaged,
                           fmt::format("{} of {} do not look like what a reader of the wiki sees{}{}.",
                                       with_commas(damaged_), counted(all, "passage"), kinds, damaged_sample_),
                           remedies.damage, options));
  if (all == 0) {
    for (auto& check : checks) leave_unmeasured(check, "there are no passages");
  }
  return checks;
}

}  // namespace touchstone::collection::health
