#include "llm_client/transport/content_coding.hpp"

#include <algorithm>
#include <array>
#include <new>

#include <zlib.h>

namespace touchstone::llm_client::transport::internal {

namespace {

constexpr int kGzipOnly = 15 + 16;  // the largest window, and gzip's head and trailer

/// zlib's state, ended with this object.
class Inflater {
 public:
  Inflater() {
    if (inflateInit2(&stream, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  z_stream stream{};
};

Decoding gunzip(std::string& body, std::size_t max_bytes) {
  Inflater inflater;
  auto& stream = inflater.stream;
  stream.next_in = reinterpret_cast<Bytef*>(body.data());
  stream.avail_in = static_cast<uInt>(body.size());
  std::array<char, 65536> piece;
  std::string text;
  for (int code = Z_OK; code != Z_STREAM_END;) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    code = inflate(&stream, Z_NO_FLUSH);
    const std::size_t size = piece.size() - stream.avail_out;
    const std::size_t room = max_bytes - text.size();
    text.append(piece.data(), std::min(size, room));
    if (size > room) {
      body = std::move(text);
      return Decoding::kTooLong;
    }
    if (code != Z_OK && code != Z_STREAM_END) return Decoding::kDamaged;  // also when the input ends early
  }
  if (stream.avail_in > 0) return Decoding::kDamaged;
  body = std::move(text);
  return Decoding::kDone;
}

}  // namespace

Decoding decode_content(std::string_view coding, std::string& body, std::size_t max_bytes) {
  constexpr int kMostCodings = 4;
  if (body.empty()) return Decoding::kDone;
  // The last one that was applied is named last.
  for (int i = 0; !coding.empty(); ++i) {
    const auto comma = coding.rfind(',');
    auto last = coding.substr(comma == std::string_view::npos ? 0 : comma + 1);
    coding = coding.substr(0, comma == std::string_view::npos ? 0 : comma);
    last.remove_prefix(std::min(last.find_first_not_of(' '), last.size()));
    if (last.empty() || last == "identity") continue;
    if (i == kMostCodings || (last != "gzip" && last != "x-gzip")) return Decoding::kUnknown;
    if (const auto result = gunzip(body, max_bytes); result != Decoding::kDone) return result;
  }
  return Decoding::kDone;
}

}  // namespace touchstone::llm_client::transport::internal
