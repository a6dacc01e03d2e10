#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::collection::health {

/// The options of the run that made a collection: name to value in TOML.
using RunOptions = std::map<std::string, std::string, std::less<>>;

/// Reads them from the build's record (`CollectionInfo::manifest_json`). Empty where it has none.
RunOptions run_options(const std::string& manifest_json);

/// One way to mend a weakness. It is not said if the run went it already.
struct Remedy {
  enum class Unless : unsigned char {
    kNever,    ///< it can always be gone
    kEquals,   ///< the option has this value
    kDiffers,  ///< the option has another value
    kHolds,    ///< the option's list has this entry
    kLacks,    ///< the option's list does not have it
    kAtLeast,  ///< the option's number is this or more
    kAtMost,   ///< the option's number is this or less, and not 0, which means no limit
  };

  std::string_view text;  ///< "set passages.min_words = 8"
  Unless unless = Unless::kNever;
  std::string_view option{}, value{};  ///< value as in TOML
};

/// `judge.kind` of the embedded judge, as in TOML.
inline constexpr std::string_view kLexical = "\"lexical\"";

/// The remedies that are left, in one sentence.
std::string remedy_text(const std::vector<Remedy>& remedies, const RunOptions& options);

}  // namespace touchstone::collection::health
