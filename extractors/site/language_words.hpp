#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace touchstone::extractors::site {

struct VariantLanguage;

/// What an option of `[[File:...|option]]` means for a reader.
enum class ImageOption : unsigned char {
  kFrame,      ///< thumb, frame: the caption is shown
  kFrameless,  ///< no frame, whatever comes later
  kAligned,    ///< left, right, center, none: a figure of its own, the caption is in the page
  kOther,      ///< sizes, borders, vertical alignment, class, ...
  kAlt,        ///< alt=text
  kLink,       ///< link=Page
};

/// The words of one wiki language and of those it falls back to, English last, ready for look-ups.
struct LanguageWords {
  explicit LanguageWords(std::string_view language);

  struct ImageWord {
    std::string text;    ///< for words with a value, the part before it
    std::string suffix;  ///< for words with a value, the part behind it
    ImageOption option = ImageOption::kOther;
    enum class Value : unsigned char {
      kAny,
      kSize,
      kNumber,
      kLanguage
    } value = Value::kAny;  ///< what the value must look like
  };

  std::string language;
  const VariantLanguage* variants = nullptr;                ///< null if the language has no variants
  std::vector<std::string> redirect;                        ///< lower-cased, with '#'
  std::unordered_map<std::string, bool> behavior_switches;  ///< lower-cased "__notoc__" -> true
  std::unordered_map<std::string, ImageOption> plain_image_words;
  std::vector<ImageWord> image_words_with_value;
  std::vector<std::pair<char32_t, char32_t>> trail;  ///< ranges of letters that join a link in front of them

  std::unordered_map<std::string, std::string> page_variables;  ///< "SEITENNAME" -> "PAGENAME"
  std::unordered_map<std::string, std::string> functions;       ///< lower-cased "klein" -> "lc"

  bool in_trail(char32_t code_point) const noexcept;
  /// Bytes at the start of `text` that join a link in front of them.
  std::uint32_t trail_length(std::string_view text) const noexcept;

  /// English names of magic words and functions; the given name when it is not a word of the language.
  std::string_view canonical_variable(std::string_view name) const;
  std::string_view canonical_function(const std::string& lower_name) const;
};

}  // namespace touchstone::extractors::site
