#include "llm_client/transport/reply_head.hpp"

#include <algorithm>

namespace touchstone::llm_client::transport::internal {

namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return result;
}

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

/// True for "HTTP/1.1 103 Early Hints" and the like.
bool is_interim(std::string_view status_line) {
  const auto space = status_line.find(' ');
  return space != std::string_view::npos && status_line.substr(space + 1).starts_with('1');
}

}  // namespace

void ReplyHead::take(std::string_view line, std::chrono::system_clock::time_point now) {
  if (ended_) return;  // trailers
  if (line.starts_with("HTTP/")) {
    *this = {};
    interim_ = is_interim(line);
    return;
  }
  if (trimmed(line).empty()) {
    ended_ = !interim_;
    return;
  }
  const auto colon = line.find(':');
  if (interim_ || colon == std::string_view::npos) return;
  take_field(lower(trimmed(line.substr(0, colon))), trimmed(line.substr(colon + 1)));
  read_rate_header(line, now, hints_);
}

void ReplyHead::take_field(std::string_view name, std::string_view value) {
  if (name == "location") {
    location_ = std::string(value);
  } else if (name == "content-encoding") {
    if (!coding_.empty()) coding_ += ", ";
    coding_ += lower(value);
  } else if (name == "content-length") {
    const bool is_number = !value.empty() && value.find_first_not_of("0123456789") == std::string_view::npos;
    if (!is_number || (!length_.empty() && length_ != value)) flaw_ = "its head gives no single length of the body";
    length_ = std::string(value);
  } else if (name == "transfer-encoding") {
    const auto coding = lower(value);
    if (chunked_ || (coding != "chunked" && coding != "identity")) {
      flaw_ = "its head names a transfer coding that was not asked for";
    }
    chunked_ = chunked_ || coding == "chunked";
  }
  if (chunked_ && !length_.empty()) flaw_ = "its head gives a length although the body comes in chunks";
}

}  // namespace touchstone::llm_client::transport::internal
