#pragma once

#include "llm_client/transport/plain_connections.hpp"
#include "llm_client/transport/reply.hpp"
#include "llm_client/transport/reply_ids.hpp"
#include "llm_client/transport/reply_parser.hpp"
#include "llm_client/transport/transport.hpp"

#include <chrono>
#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::llm_client::transport::internal {

class HeaderList;

/// What the requests to one URL have in common.
struct PlainTarget {
  /// Throws Error when the URL is none that can be sent as it is.
  PlainTarget(PlainConnections& connections, const std::string& url, const HeaderList& headers);

  std::string url;
  const HeaderList* headers;
  PlainHost* host = nullptr;
  std::string get_head, post_head;  ///< of the latter, the length and two line ends are missing
  ReplyIds ids;
};

/// One attempt over a socket of our own. Later attempts use it again.
struct PlainCall {
  explicit PlainCall(std::size_t most_body_bytes) : max_body_bytes(most_body_bytes), parser(most_body_bytes) {}

  /// Puts a request in; `exchange` must stay until it has ended.
  void begin(std::size_t tag, PlainTarget& to, const Exchange& exchange, std::chrono::steady_clock::time_point now);
  /// Sends what the socket takes. Returns errno of a failure, else 0.
  int send() noexcept;
  bool is_sent() const noexcept { return written == head.size() + long_body.size(); }

  /// Fills `reply` from an attempt that brought nothing to believe.
  void fail(Arrival arrival, std::string why);
  /// Fills `reply` from a whole reply, and looks what is wrong with it. True when it is to be believed.
  bool complete();

  std::list<PlainCall>::iterator self;
  PlainTarget* target = nullptr;
  std::string head;            ///< with the body when it is short
  std::string_view body;       ///< of the request
  std::string_view long_body;  ///< likewise, unless it is in `head`
  std::size_t written = 0;
  const std::size_t max_body_bytes;
  Reply reply;
  ReplyParser parser;
  bool kept = false;   ///< its connection was kept from an earlier request
  bool begun = false;  ///< a byte of the reply has come
  bool early = false;  ///< the reply began before the server can have read the request
  PlainConnection* connection = nullptr;

  // While it has no connection.
  bool connecting = false;
  std::vector<PlainConnection*> tries;
  std::size_t first_address = 0, tried = 0;
  std::chrono::steady_clock::time_point next_try;
  std::string problem;  ///< of the last try

 private:
  void take_over_reply();
};

}  // namespace touchstone::llm_client::transport::internal
