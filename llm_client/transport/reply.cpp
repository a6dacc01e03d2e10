#include "llm_client/transport/reply.hpp"

#include "common/unicode.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <new>

#include <curl/curl.h>
#include <zlib.h>

namespace touchstone::llm_client::transport::internal {

namespace {

constexpr int kMostCodings = 4;
constexpr const char* kTooLong = "its compressed body is too long";
constexpr const char* kDamaged = "its compressed body is damaged";

std::string_view without_blanks(std::string_view text) {
  return text::trimmed(text, " \t\r\n");
}

/// Decompresses `body` in place; what is wrong with it, or nothing. A body that is too long is cut at the bound.
const char* gunzip(std::string& body, std::size_t max_bytes) {
  constexpr int kGzipOnly = 15 + 16;  // the largest window, and gzip's head and trailer
  z_stream stream{};
  if (inflateInit2(&stream, kGzipOnly) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_streamp)> end(&stream, &inflateEnd);
  stream.next_in = reinterpret_cast<Bytef*>(body.data());
  stream.avail_in = static_cast<uInt>(body.size());
  std::array<char, 65536> piece;
  std::string text;
  for (int code = Z_OK; code != Z_STREAM_END;) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    code = inflate(&stream, Z_NO_FLUSH);
    const std::size_t size = piece.size() - stream.avail_out, room = max_bytes - text.size();
    text.append(piece.data(), std::min(size, room));
    if (size > room) {
      body = std::move(text);
      return kTooLong;
    }
    if (code != Z_OK && code != Z_STREAM_END) return kDamaged;  // also when the input ends early
  }
  if (stream.avail_in > 0) return kDamaged;
  body = std::move(text);
  return nullptr;
}

/// Undoes the codings that `Content-Encoding` names, in place; what is wrong with the body, or nothing.
const char* decode(std::string_view codings, std::string& body, std::size_t max_bytes) {
  if (body.empty()) return nullptr;
  // The last one that was applied is named last.
  for (int i = 0; !codings.empty(); ++i) {
    const auto comma = codings.rfind(',');
    const auto last = text::trimmed(codings.substr(comma == std::string_view::npos ? 0 : comma + 1), " ");
    codings = codings.substr(0, comma == std::string_view::npos ? 0 : comma);
    if (last.empty() || last == "identity") continue;
    if (i == kMostCodings || (last != "gzip" && last != "x-gzip"))
      return "its body is coded in a way that was not asked for";
    if (const auto* damage = gunzip(body, max_bytes)) return damage;
  }
  return nullptr;
}

}  // namespace

void ReplyHead::take(std::string_view line, std::chrono::system_clock::time_point now) {
  if (ended_) return;  // trailers
  if (line.starts_with("HTTP/")) {
    *this = {};
    const auto space = line.find(' ');
    interim_ = space != std::string_view::npos && line.substr(space + 1).starts_with('1');
    return;
  }
  if (without_blanks(line).empty()) {
    ended_ = !interim_;
    return;
  }
  if (interim_) return;
  // Readers differ in what a folded line means, and a field may hide in it (RFC 9112, section 5.2).
  if (line.front() == ' ' || line.front() == '\t') flaw_ = "its head has a folded line";
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return;
  take_field(lower_case(without_blanks(line.substr(0, colon))), without_blanks(line.substr(colon + 1)));
  read_rate_header(line, now, hints_);
}

void ReplyHead::take_field(std::string_view name, std::string_view value) {
  if (name == "location") {
    location_ = std::string(value);
  } else if (name == "content-range") {
    range_ = std::string(value);
  } else if (name == "etag") {
    etag_ = std::string(value);
  } else if (name == "last-modified") {
    last_modified_ = std::string(value);
  } else if (name == "content-encoding") {
    if (!coding_.empty()) coding_ += ", ";
    coding_ += lower_case(value);
  } else if (name == "content-length") {
    const bool is_number = !value.empty() && value.find_first_not_of("0123456789") == std::string_view::npos;
    if (!is_number || (!length_.empty() && length_ != value)) flaw_ = "its head gives no single length of the body";
    length_ = std::string(value);
  } else if (name == "transfer-encoding") {
    const auto coding = lower_case(value);
    if (chunked_ || (coding != "chunked" && coding != "identity"))
      flaw_ = "its head names a transfer coding that was not asked for";
    chunked_ = chunked_ || coding == "chunked";
  }
  if (chunked_ && !length_.empty()) flaw_ = "its head gives a length although the body comes in chunks";
}

std::string find_damage(const ReplyHead& head, bool early, std::size_t max_body_bytes, Reply& reply) {
  std::string why = head.flaw();
  if (why.empty() && early && reply.status == 200) why = "it was sent before the request had arrived";
  if (why.empty()) {
    if (const auto* damage = decode(head.coding(), reply.body, max_body_bytes)) why = damage;
  }
  if (!why.empty()) reply.arrival = why == kTooLong ? Arrival::kOversized : Arrival::kBroken;
  return why;
}

std::string host_of(const std::string& url) {
  const std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> parsed(curl_url(), &curl_url_cleanup);
  char* host = nullptr;
  if (!parsed || curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK ||
      curl_url_get(parsed.get(), CURLUPART_HOST, &host, 0) != CURLUE_OK) {
    return {};
  }
  std::string result = host;
  curl_free(host);
  return result;
}

}  // namespace touchstone::llm_client::transport::internal
