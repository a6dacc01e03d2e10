#include "pipeline/automatic/selection/name_set.hpp"

#include "common/files.hpp"
#include "common/unicode.hpp"
#include "formats/fields/quote.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>

namespace touchstone::pipeline::automatic::selection {
namespace {

constexpr std::uint64_t kMaxNames = 20'000'000;
constexpr std::size_t kMaxNameBytes = 4096;

}  // namespace

std::shared_ptr<const NameSet> make_name_set(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return std::make_shared<const NameSet>(std::move(names));
}

bool has_name(const NameSet& set, std::string_view name) noexcept {
  return std::binary_search(set.begin(), set.end(), name, std::less<>());
}

std::shared_ptr<const NameSet> read_name_set(const std::filesystem::path& path, std::string_view what,
                                             const NameForm& form) {
  std::vector<std::string> names;
  const auto take = [&](std::string_view line, std::uint64_t number) {
    const auto place = [&] { return path.string() + ":" + std::to_string(number) + ": "; };
    if (number == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    if (number > kMaxNames) throw FormatError(place() + "more than 20 million lines; is it the right file?");
    if (!is_valid_utf8(line)) throw FormatError(place() + "the line is not UTF-8; save the file as UTF-8");
    if (is_white_space(line)) return true;
    names.push_back(form(line));
    if (names.back().empty())
      throw FormatError(place() + formats::fields::quote_for_message(line) + " is no " + std::string(what));
    return true;
  };
  for_each_line(path, take, kMaxNameBytes);
  return make_name_set(std::move(names));
}

std::string item_id(std::string_view text) {
  text = text::trimmed(text);
  if (text.size() < 2 || text.size() > 20 || (text[0] != 'Q' && text[0] != 'q') || text[1] == '0') return {};
  const auto digits = text.substr(1);
  const bool number = std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  return number ? "Q" + std::string(digits) : std::string{};
}

}  // namespace touchstone::pipeline::automatic::selection
