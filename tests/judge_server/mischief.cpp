#include "tests/judge_server/mischief.hpp"

#include "common/error.hpp"
#include "tests/judge_server/raw_server.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>

#include <fmt/format.h>
#include <zlib.h>

namespace touchstone::judge_server {

namespace {

constexpr std::size_t kBombBytes = std::size_t{256} << 20, kHugeBytes = std::size_t{1} << 30;

std::string head(std::size_t length, std::string_view more = {}) {
  return fmt::format("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n{}Content-Length: {}\r\n\r\n", more, length);
}

/// One byte after another.
void drip(std::string_view bytes, std::chrono::microseconds between) {
  for (const char c : bytes) {
    if (!send_raw(std::string_view(&c, 1))) return;
    std::this_thread::sleep_for(between);
  }
}

/// Sends `piece` until so many bytes are out or the client has gone.
void pour(const std::string& piece, std::size_t bytes) {
  for (std::size_t sent = 0; sent < bytes && send_raw(piece); sent += piece.size()) {
  }
}

/// `body` in chunks of `size` bytes, without the last one, which is empty.
std::string in_chunks(std::string_view body, std::size_t size) {
  std::string out;
  for (; !body.empty(); body.remove_prefix(std::min(size, body.size()))) {
    const auto piece = body.substr(0, size);
    out += fmt::format("{:x}\r\n{}\r\n", piece.size(), piece);
  }
  return out;
}

std::string head_of_chunks(std::string_view more = {}) {
  return fmt::format("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n{}Transfer-Encoding: chunked\r\n\r\n", more);
}

/// Breaks off, or never ends; the client has no reply.
bool withhold(std::string_view deed, const std::string& body) {
  constexpr auto kNever = static_cast<std::size_t>(-1);
  if (deed == "hang") return wait_for_client_to_leave();
  if (deed == "reset") return hang_up(true);
  if (deed == "close") return hang_up(false);
  if (deed == "cut") {
    send_raw(head(body.size()) + body.substr(0, body.size() / 2));
  } else if (deed == "cut_headers") {
    const auto lines = head(body.size());
    send_raw(lines.substr(0, lines.size() / 2));
  } else if (deed == "garbage") {
    send_raw(std::string("\x16\x03\x01 not HTTP at all\0\r\n\r\n", 24));
  } else if (deed == "chunks_without_end") {
    send_raw(head_of_chunks() + in_chunks(body, 100));
  } else if (deed == "http_1_0_cut") {
    send_raw("HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n" + body.substr(0, body.size() / 2));
  } else if (deed == "long_length") {
    send_raw(head(body.size() + 100) + body);
  } else if (deed == "long_length_open") {
    send_raw(head(body.size() + 100) + body);
    return wait_for_client_to_leave();
  } else if (deed == "gzip_cut") {
    const auto packed = gzipped(body);
    send_raw(head(packed.size() / 2, "Content-Encoding: gzip\r\n") + packed.substr(0, packed.size() / 2));
  } else if (deed == "endless") {
    send_raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{\"choices\":[");
    pour(std::string(65536, ' '), kNever);
    return hang_up(true);
  } else if (deed == "endless_chunks") {
    send_raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
    pour("1000\r\n" + std::string(4096, ' ') + "\r\n", kNever);
    return hang_up(true);
  } else if (deed == "endless_headers") {
    send_raw("HTTP/1.1 200 OK\r\n");
    pour("X-More: " + std::string(1000, 'x') + "\r\n", kNever);
    return hang_up(true);
  } else if (deed == "huge") {
    send_raw(head(kHugeBytes));
    pour(std::string(65536, ' '), kHugeBytes);
  } else if (deed == "gzip_bomb") {
    static const auto kBomb = gzipped(std::string(kBombBytes, ' '));
    send_raw(head(kBomb.size(), "Content-Encoding: gzip\r\n") + kBomb);
  } else {
    return false;
  }
  return hang_up(false);
}

std::string coded(std::string_view coding, const std::string& body) {
  return head(body.size(), fmt::format("Content-Encoding: {}\r\n", coding)) + body;
}

/// A whole body whose delivery is damaged; the connection stays. Empty for any other deed.
std::string damaged(std::string_view deed, const std::string& body) {
  if (deed == "gzip_checksum") {
    auto packed = gzipped(body);
    packed[packed.size() - 6] ^= 1;
    return coded("gzip", packed);
  }
  if (deed == "gzip_no_trailer") return coded("gzip", gzipped(body).substr(0, gzipped(body).size() - 8));
  if (deed == "gzip_and_more") return coded("gzip", gzipped(body) + "more");
  if (deed == "gzip_claimed") return coded("gzip", body);
  if (deed == "brotli_claimed") return coded("br", body);
  if (deed == "deflate_claimed") return coded("deflate", body);
  if (deed == "bad_chunk_size") return head_of_chunks() + "zz\r\n" + body + "\r\n0\r\n\r\n";
  if (deed == "length_and_chunks") {
    return head_of_chunks(fmt::format("Content-Length: {}\r\n", body.size())) + in_chunks(body, 100) + "0\r\n\r\n";
  }
  if (deed == "folded_head")
    return fmt::format("HTTP/1.1 200 OK\r\n folded\r\nContent-Length: {}\r\n\r\n{}", body.size(), body);
  if (deed == "folded_field") return head(body.size(), "X-Note: a\r\n b\r\n") + body;
  if (deed == "folded_status") return "HTTP/1.1 200 OK\r\n folded\r\n\r\n";
  if (deed == "two_lengths") return head(body.size(), "Content-Length: 17\r\n") + body;
  if (deed == "interim_body")
    return "HTTP/1.1 100 Continue\r\nContent-Length: 5\r\n\r\nhello" + head(body.size()) + body;
  return {};
}

/// Right, but said more than once on one connection, which stays.
bool repeat(std::string_view deed, const std::string& body) {
  const auto reply = head(body.size()) + body;
  if (deed == "other_later") {
    if (!answer_raw(reply)) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1 + std::hash<std::string>()(body) % 150));
    send_raw(unasked_reply());
    return true;
  }
  if (deed == "doubled") return answer_raw(reply + reply);
  if (deed != "repeats_later") return false;
  if (!answer_raw(reply)) return false;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  send_raw(reply);
  return true;
}

}  // namespace

std::string gzipped(const std::string& text) {
  z_stream stream{};
  if (deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw Error("zlib does not start");
  std::string out(deflateBound(&stream, text.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string unasked_reply() {
  constexpr std::string_view kBody =
      R"({"id":"chatcmpl-unasked","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"{\"evidence\":\"yes\"}"},"finish_reason":"stop"}]})";
  return head(kBody.size()) + std::string(kBody);
}

bool is_right(std::string_view deed) {
  return deed == "slow_headers" || deed == "continue_first" || deed == "http_1_0" || deed == "drops_connection" ||
         deed == "drips" || deed == "trailers" || deed == "early_hints" || deed == "doubled" ||
         deed == "repeats_later" || deed == "other_later";
}

bool misbehave(std::string_view deed, const std::string& body) {
  using std::chrono::milliseconds;
  if (withhold(deed, body) || repeat(deed, body)) return true;
  if (const auto bytes = damaged(deed, body); !bytes.empty()) return answer_raw(bytes);
  if (deed == "trailers") {
    return answer_raw(head_of_chunks("Trailer: X-Done\r\n") + in_chunks(body, 64) + "0\r\nX-Done: yes\r\n\r\n");
  }
  if (deed == "early_hints") {
    return answer_raw("HTTP/1.1 103 Early Hints\r\nContent-Encoding: br\r\n\r\n" + head(body.size()) + body);
  }
  if (deed == "slow_headers") {
    drip(head(body.size()), milliseconds(50));
    send_raw(body);
  } else if (deed == "drips") {
    send_raw(head(body.size()));
    drip(body, std::chrono::microseconds(200));
  } else if (deed == "short_length") {
    send_raw(head(body.size() - 20) + body);
  } else if (deed == "two_replies") {
    send_raw(head(body.size()) + body + head(body.size()) + body);
  } else if (deed == "continue_first") {
    send_raw("HTTP/1.1 100 Continue\r\n\r\n" + head(body.size()) + body);
  } else if (deed == "http_1_0") {
    send_raw("HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n" + body);
  } else if (deed == "drops_connection") {
    send_raw(head(body.size()) + body);
  } else if (deed == "stream") {
    const auto event = "data: " + body + "\n\ndata: [DONE]\n\n";
    send_raw(fmt::format("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: {}\r\n\r\n{}",
                         event.size(), event));
  } else {
    return false;
  }
  return hang_up(false);
}

}  // namespace touchstone::judge_server
