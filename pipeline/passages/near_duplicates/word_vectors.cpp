#include "pipeline/passages/near_duplicates/word_vectors.hpp"

#include "common/display_text.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "pipeline/passages/near_duplicates/word_bigrams.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace touchstone::pipeline::passages::near_duplicates {
namespace {

constexpr std::size_t kMaxLineBytes = std::size_t{1} << 18;
constexpr std::size_t kMaxWords = 0xFFFFFFFE;

/// Takes the last field off the line; empty if there is no blank.
std::string_view take_last_field(std::string_view& line) {
  const auto blank = line.rfind(' ');
  if (blank == std::string_view::npos) return {};
  const std::string_view field = line.substr(blank + 1);
  line = line.substr(0, blank);
  return field;
}

std::optional<float> to_number(std::string_view field) {
  float number = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
  if (field.empty() || error != std::errc() || end != field.data() + field.size() || !std::isfinite(number))
    return std::nullopt;
  return number;
}

bool is_whole_number(std::string_view field) {
  return !field.empty() && std::all_of(field.begin(), field.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// "400000 300", as word2vec and fastText write it.
bool is_header(std::string_view line) {
  const auto last = take_last_field(line);
  return is_whole_number(last) && is_whole_number(line);
}

/// Some writers end each line with a blank.
std::string_view without_last_blanks(std::string_view line) {
  const auto end = line.find_last_not_of(' ');
  return end == std::string_view::npos ? std::string_view{} : line.substr(0, end + 1);
}

}  // namespace

/// Reads the lines of one file.
class WordVectors::Reader {
 public:
  Reader(const std::filesystem::path& path, const WordVectorLimits& limits) : path_(path), limits_(limits) {}

  WordVectors read() {
    for_each_line(
        path_,
        [&](std::string_view line, std::uint64_t number) {
          line = without_last_blanks(line);
          if (number == 1 && is_header(line)) return true;
          if (line.empty()) return true;
          add(line, number);
          return true;
        },
        kMaxLineBytes);
    if (vectors_.size() == 0)
      throw FormatError(path_.string() + ": no word with a vector; the file must be in GloVe's text format");
    return std::move(vectors_);
  }

 private:
  [[noreturn]] void fail(std::uint64_t number, const std::string& what) const {
    throw FormatError(path_.string() + " line " + std::to_string(number) + ": " + what);
  }

  void set_dimensions(std::string_view line, std::uint64_t number) {
    const auto blanks = static_cast<std::size_t>(std::count(line.begin(), line.end(), ' '));
    if (blanks == 0)
      fail(number, "a word without numbers; the file must be in GloVe's text format, \"word 0.1 -0.2 ...\"");
    if (blanks > limits_.max_dimensions) {
      fail(number, std::to_string(blanks) + " numbers; vectors may have at most " +
                       std::to_string(limits_.max_dimensions) + " dimensions");
    }
    vectors_.dimensions_ = blanks;
    row_.resize(blanks);
  }

  void add(std::string_view line, std::uint64_t number) {
    if (vectors_.dimensions_ == 0) set_dimensions(line, number);
    for (std::size_t d = row_.size(); d-- > 0;) {
      const std::string_view field = take_last_field(line);
      if (field.empty() && line.find(' ') == std::string_view::npos) {
        fail(number, "fewer numbers than on the first line, which has " + std::to_string(row_.size()) +
                         "; is the file damaged or cut?");
      }
      const auto value = to_number(field);
      if (!value) {
        fail(number, "\"" + display_text(field.substr(0, 40)) + "\" where number " + std::to_string(d + 1) + " of " +
                         std::to_string(row_.size()) + " must be; is the file damaged or cut?");
      }
      row_[d] = *value;
    }
    const auto& words = hasher_.words(line);
    if (words.size() != 1) return;
    const std::uint64_t word = words[0];
    const auto next = static_cast<std::uint32_t>(vectors_.words_.size());
    const auto equal = [&](std::uint32_t other) { return vectors_.words_[other] == word; };
    if (vectors_.index_.find_or_add(word, next, equal)) return;
    if (next == kMaxWords || (vectors_.numbers_.size() + row_.size()) * sizeof(float) > limits_.max_bytes) {
      fail(number, "the vectors need more than " + std::to_string(limits_.max_bytes >> 20) +
                       " MB; keep the most frequent words only");
    }
    vectors_.words_.push_back(word);
    vectors_.numbers_.append(row_);
  }

  const std::filesystem::path& path_;
  WordVectorLimits limits_;
  WordVectors vectors_;
  WordHasher hasher_;
  std::vector<float> row_;
};

WordVectors WordVectors::read(const std::filesystem::path& path, const WordVectorLimits& limits) {
  return Reader(path, limits).read();
}

std::span<const float> WordVectors::find(std::uint64_t word) const {
  const auto found = index_.find(word, [&](std::uint32_t other) { return words_[other] == word; });
  if (!found) return {};
  return numbers_.view(*found * dimensions_, dimensions_);
}

}  // namespace touchstone::pipeline::passages::near_duplicates
