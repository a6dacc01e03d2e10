#include "llm_client/transport/reply_parser.hpp"

#include "llm_client/transport/reply_check.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include <boost/beast/http/basic_parser.hpp>

namespace touchstone::llm_client::transport::internal {

namespace {

namespace http = boost::beast::http;
using boost::beast::string_view;
using Code = boost::beast::error_code;

constexpr std::size_t kMostReserved = std::size_t{64} << 10;
/// "0", and two line ends. Beast asserts that it is never given less of it twice.
constexpr std::size_t kShortestEndOfChunks = 5;
constexpr int kSwitchingProtocols = 101;

std::string_view view(string_view text) {
  return {text.data(), text.size()};
}

/// Beast waits for the end of a head whose lines do not end as they should; a server that keeps the connection would
/// be waited for until the time is up.
bool has_bare_line_feed(std::string_view bytes) {
  for (auto at = bytes.find('\n'); at != std::string_view::npos; at = bytes.find('\n', at + 1)) {
    if (at == 0 || bytes[at - 1] != '\r') return true;
  }
  return false;
}

const char* problem_of(const Code& code, bool chunked) {
  if (code == http::error::bad_content_length) return chunked ? kLengthAndChunks : kNoSingleLength;
  if (code == http::error::bad_transfer_encoding) return kLengthAndChunks;
  if (code == http::error::bad_chunk || code == http::error::bad_chunk_extension) return "its chunks are damaged";
  if (code == http::error::bad_version || code == http::error::bad_status || code == http::error::bad_reason)
    return "it does not begin as a reply of HTTP/1 does";
  return "its head holds a line that is not HTTP";
}

}  // namespace

/// One message of a reply, of which all but the last are interim.
class ReplyParser::Message {
 public:
  explicit Message(ReplyParser& reply) : reply_(reply) {}

  void begin(std::size_t head_bytes) {
    parser_.emplace(reply_);
    parser_->eager(true);
    parser_->body_limit(std::numeric_limits<std::uint64_t>::max());  // see Parser::take
    parser_->header_limit(static_cast<std::uint32_t>(head_bytes));
    bytes = 0;
  }
  auto* operator->() noexcept { return &*parser_; }

  std::size_t bytes = 0;  // that were taken

 private:
  class Parser : public http::basic_parser<false> {
   public:
    explicit Parser(ReplyParser& reply) : reply_(reply) {}

   private:
    std::size_t take(string_view piece, Code& code) {
      const std::size_t room = reply_.max_body_bytes_ - reply_.body_.size();
      reply_.body_.append(piece.data(), std::min(piece.size(), room));
      if (piece.size() > room) {
        reply_.oversized_ = true;
        code = http::error::body_limit;
      }
      return piece.size();
    }

    void on_request_impl(http::verb, string_view, string_view, int, Code&) override {}
    void on_response_impl(int status, string_view, int, Code&) override {
      reply_.status_ = status;
      reply_.head_.begin(status / 100 == 1);
    }
    void on_field_impl(http::field, string_view name, string_view value, Code&) override {
      reply_.head_.add(view(name), view(value), reply_.now_);
    }
    void on_header_impl(Code&) override { reply_.head_.end(); }
    void on_body_init_impl(const boost::optional<std::uint64_t>& length, Code&) override {
      if (length) reply_.body_.reserve(std::min({*length, std::uint64_t{reply_.max_body_bytes_}, kMostReserved}));
    }
    std::size_t on_body_impl(string_view piece, Code& code) override { return take(piece, code); }
    void on_chunk_header_impl(std::uint64_t, string_view, Code&) override {}
    std::size_t on_chunk_body_impl(std::uint64_t, string_view piece, Code& code) override { return take(piece, code); }
    void on_finish_impl(Code&) override {}

    ReplyParser& reply_;
  };

  ReplyParser& reply_;
  std::optional<Parser> parser_;
};

ReplyParser::ReplyParser(std::size_t max_body_bytes)
    : max_body_bytes_(max_body_bytes), message_(std::make_unique<Message>(*this)) {
  begin();
}

ReplyParser::~ReplyParser() = default;

void ReplyParser::begin() {
  head_.begin(false);
  body_.clear();
  pending_.clear();
  head_bytes_ = 0;
  status_ = 0;
  problem_ = "";
  oversized_ = keeps_connection_ = false;
  message_->begin(kMaxHeaderBytes);
}

ReplyParser::State ReplyParser::take(std::string_view bytes, std::chrono::system_clock::time_point now) {
  now_ = now;
  const bool had_pending = !pending_.empty();
  if (had_pending) bytes = pending_.append(bytes);
  const auto state = parse(bytes);
  if (state == State::kWhole) keeps_connection_ = (*message_)->keep_alive() && bytes.empty();
  if (state != State::kMore) return state;
  if (had_pending) {
    pending_.erase(0, pending_.size() - bytes.size());
  } else {
    pending_.assign(bytes);
  }
  return pending_.size() > kMaxHeaderBytes ? State::kOversized : State::kMore;
}

/// Goes to the message behind an interim one; false when there may be none.
bool ReplyParser::next_message() {
  head_bytes_ += message_->bytes;
  if (status_ == kSwitchingProtocols) {
    problem_ = "it changes to another protocol";
    return false;
  }
  oversized_ = head_bytes_ >= kMaxHeaderBytes;
  if (!oversized_) message_->begin(kMaxHeaderBytes - head_bytes_);
  return !oversized_;
}

ReplyParser::State ReplyParser::parse(std::string_view& bytes) {
  while (!bytes.empty()) {
    Code code;
    auto& message = *message_;
    if (message->is_header_done() && message->chunked() && bytes.size() < kShortestEndOfChunks) return State::kMore;
    const auto taken = message->put(boost::asio::const_buffer(bytes.data(), bytes.size()), code);
    message.bytes += taken;
    bytes.remove_prefix(taken);
    // Beast bounds what it has not taken, and takes a head field by field.
    oversized_ =
        oversized_ || (!message->is_header_done() && head_bytes_ + message.bytes + bytes.size() > kMaxHeaderBytes);
    if (code && !oversized_ && !message->is_header_done() && has_bare_line_feed(bytes)) {
      problem_ = "a line of its head ends with a line feed alone";
      return State::kBroken;
    }
    if (code == http::error::need_more && !oversized_) return State::kMore;
    if (oversized_ || code == http::error::header_limit) return State::kOversized;
    if (code) {
      problem_ = problem_of(code, message->chunked());
      return State::kBroken;
    }
    if (!message->is_done()) continue;
    if (!head_.interim()) return State::kWhole;
    if (!next_message()) return oversized_ ? State::kOversized : State::kBroken;
  }
  return State::kMore;
}

ReplyParser::State ReplyParser::end() {
  auto& message = *message_;
  if (!message->is_header_done()) {
    problem_ = kEndlessHead;
    return State::kBroken;
  }
  Code code;
  message->put_eof(code);
  if (!code) return State::kWhole;
  problem_ = "its body ends too early";
  return State::kBroken;
}

}  // namespace touchstone::llm_client::transport::internal
