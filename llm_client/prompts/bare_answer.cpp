#include "llm_client/prompts/bare_answer.hpp"

#include <algorithm>
#include <cctype>

namespace touchstone::llm_client::prompts::internal {
namespace {

using Bare = Result<Answer, std::string>;

constexpr std::size_t kMaxQueryBytes = 500;

bool is_letter_case_of(std::string_view text, std::string_view lower) noexcept {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [](unsigned char a, char b) { return std::tolower(a) == b; });
}

/// Without one full stop and one pair of quotation marks, whichever comes first.
std::string_view unwrapped(std::string_view text) noexcept {
  const auto drop_stop = [&] {
    if (!text.ends_with('.')) return false;
    text.remove_suffix(1);
    return true;
  };
  const bool stopped = drop_stop();
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
    text = text.substr(1, text.size() - 2);
    if (!stopped) drop_stop();
  }
  return text;
}

std::string_view without_spaces_before(std::string_view text) noexcept {
  const auto at = text.find_first_not_of(" \t");
  return at == std::string_view::npos ? std::string_view{} : text.substr(at);
}

/// The digit of "##final score: 2", "final score: 2" or "2"; empty for anything else.
std::string_view score_digit(std::string_view text) noexcept {
  constexpr std::string_view kMark = "##", kWords = "final score";
  if (text.starts_with(kMark)) {
    text = without_spaces_before(text.substr(kMark.size()));
    if (!is_letter_case_of(text.substr(0, kWords.size()), kWords)) return {};
  }
  if (is_letter_case_of(text.substr(0, kWords.size()), kWords)) {
    text = without_spaces_before(text.substr(kWords.size()));
    if (!text.starts_with(':')) return {};
    text = without_spaces_before(text.substr(1));
  }
  const bool is_digit =
      text.size() == 1 && text.front() >= '0' && text.front() <= '0' + highest_grade(AnswerKind::kScore);
  return is_digit ? text : std::string_view{};
}

Bare parse_line(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return Bare::failure("the answer is empty");
  if (text.find_first_of("\n\r\t") != std::string_view::npos) return Bare::failure("the answer has more than one line");
  if (text.size() > kMaxQueryBytes) return Bare::failure("the answer is longer than 500 bytes");
  Answer answer;
  answer.query = std::string(text);
  return answer;
}

}  // namespace

std::string_view bare_value(AnswerKind kind, std::string_view text) noexcept {
  const auto inside = unwrapped(text);
  if (kind == AnswerKind::kScore) return score_digit(inside);
  const bool is_word =
      kind == AnswerKind::kYesNo && (is_letter_case_of(inside, "yes") || is_letter_case_of(inside, "no"));
  return is_word ? inside : std::string_view{};
}

Bare parse_bare(AnswerKind kind, std::string_view text) {
  if (kind == AnswerKind::kLine) return parse_line(text);
  const auto value = bare_value(kind, text);
  const bool is_score = kind == AnswerKind::kScore;
  if (value.empty())
    return Bare::failure(is_score ? "the answer is not \"##final score:\" and a whole number from 0 to 3"
                                  : "the answer is neither \"yes\" nor \"no\"");
  Answer answer;
  answer.grade = is_score ? value.front() - '0' : is_letter_case_of(value, "yes") ? 1 : 0;
  return answer;
}

}  // namespace touchstone::llm_client::prompts::internal
