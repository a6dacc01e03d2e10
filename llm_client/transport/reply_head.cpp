#include "llm_client/transport/reply_head.hpp"

#include "text/words.hpp"

#include <algorithm>

namespace touchstone::llm_client::transport::internal {

namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return result;
}

bool is_name(std::string_view name, std::string_view lower_case) {
  return name.size() == lower_case.size() &&
         std::equal(name.begin(), name.end(), lower_case.begin(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b; });
}

std::string_view without_blanks(std::string_view text) {
  return text::trimmed(text, " \t\r\n");
}

/// True for "HTTP/1.1 103 Early Hints" and the like.
bool is_interim(std::string_view status_line) {
  const auto space = status_line.find(' ');
  return space != std::string_view::npos && status_line.substr(space + 1).starts_with('1');
}

}  // namespace

void ReplyHead::take(std::string_view line, std::chrono::system_clock::time_point now) {
  if (ended_) return;  // trailers
  if (line.starts_with("HTTP/")) return begin(is_interim(line));
  if (without_blanks(line).empty()) {
    ended_ = !interim_;
    return;
  }
  if (interim_) return;
  if (line.front() == ' ' || line.front() == '\t') flaw_ = kFoldedLine;
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const auto name = without_blanks(line.substr(0, colon)), value = without_blanks(line.substr(colon + 1));
  take_field(name, value);
  read_rate_field(name, value, now, hints_);
}

void ReplyHead::begin(bool interim) {
  length_.clear();
  flaw_.clear();
  coding_.clear();
  location_.clear();
  hints_ = {};
  interim_ = interim;
  ended_ = chunked_ = false;
}

void ReplyHead::take_field(std::string_view name, std::string_view value) {
  if (is_name(name, "location")) {
    location_ = std::string(value);
  } else if (is_name(name, "content-encoding")) {
    if (!coding_.empty()) coding_ += ", ";
    coding_ += lower(value);
  } else if (is_name(name, "content-length")) {
    const bool is_number = !value.empty() && value.find_first_not_of("0123456789") == std::string_view::npos;
    if (!is_number || (!length_.empty() && length_ != value)) flaw_ = kNoSingleLength;
    length_ = std::string(value);
  } else if (is_name(name, "transfer-encoding")) {
    const auto coding = lower(value);
    if (chunked_ || (coding != "chunked" && coding != "identity")) {
      flaw_ = "its head names a transfer coding that was not asked for";
    }
    chunked_ = chunked_ || coding == "chunked";
  }
  if (chunked_ && !length_.empty()) flaw_ = kLengthAndChunks;
}

}  // namespace touchstone::llm_client::transport::internal
