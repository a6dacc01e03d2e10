#pragma once

#include "collection/health/health_check.hpp"
#include "collection/health/remedies.hpp"
#include "collection/health/repeats.hpp"
#include "collection/health/suspicion.hpp"
#include "collection/health/words.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::collection::health {

/// Passages of fewer words hardly say anything that could be judged.
inline constexpr std::size_t kShortWords = 8;
/// Passages of more words are too long to be read for one judgment.
inline constexpr std::size_t kLongWords = 500;

/// How the checks of passages are mended, which is different for the two kinds of collections.
struct PassageRemedies {
  std::vector<Remedy> repeats, near_repeats, short_passages, long_passages, damage;
};

/// Counts what can be seen in passages alone: repeats, lengths, damage.
class PassageHealth {
 public:
  /// \param words   of `text`
  /// \param damage  suspect_damage(text)
  void add(std::string_view name, std::string_view text, const std::vector<Word>& words,
           std::optional<TextDamage> damage);
  void add(std::string_view name, std::string_view text, const std::vector<Word>& words) {
    add(name, text, words, suspect_damage(text));
  }

  /// Call once, last.
  std::vector<HealthCheck> checks(const PassageRemedies& remedies, const RunOptions& options);

 private:
  RepeatCounter repeats_;
  std::uint64_t short_ = 0, long_ = 0, damaged_ = 0, all_words_ = 0, long_words_ = 0;
  std::size_t most_words_ = 0;
  std::string longest_, short_sample_, damaged_sample_;
  std::array<std::uint64_t, kTextDamages> damages_{};  ///< passages by damage
};

/// `part` of `whole`, rounded to kShareDigits; 0 of nothing.
double share_of(std::uint64_t part, std::uint64_t whole);

/// A check of a share, which must not exceed the threshold.
HealthCheck at_most(std::string name, double value, double threshold, std::string verdict,
                    const std::vector<Remedy>& remedies, const RunOptions& options);

/// ", such as NAME"; empty without a name.
std::string such_as(const std::string& name);

/// Marks a check as not measured, and says why: "there are no topics".
void leave_unmeasured(HealthCheck& check, std::string_view why);

/// "1 passage", "12 passages"
std::string counted(std::uint64_t count, std::string_view noun);

}  // namespace touchstone::collection::health
