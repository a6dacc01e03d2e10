#pragma once

#include "llm_client/transport/connection_table.hpp"
#include "llm_client/transport/http_engine.hpp"
#include "llm_client/transport/reply.hpp"
#include "llm_client/transport/reply_head.hpp"
#include "llm_client/transport/transport.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <curl/curl.h>

namespace touchstone::llm_client::transport::internal {

void require(CURLcode code, const char* what);

struct EasyCleanup {
  void operator()(CURL* easy) const noexcept { curl_easy_cleanup(easy); }
};
struct MimeCleanup {
  void operator()(curl_mime* mime) const noexcept { curl_mime_free(mime); }
};

/// One attempt over one of curl's easy handles, which later attempts use again.
struct CurlCall {
  std::unique_ptr<CURL, EasyCleanup> easy;
  std::unique_ptr<curl_mime, MimeCleanup> form;  // of the present request
  std::string url;
  CURLSH* pool = nullptr;                  // keeps its connections of HTTP/1; those of TLS are the engine's
  ConnectionTable* connections = nullptr;  // of the engine
  std::string_view body;                   // of the present request
  bool secure = false;                     // TLS, at least to the proxy
  Reply reply;
  ReplyHead head;
  std::size_t header_bytes = 0, max_body_bytes = 0;
  bool oversized = false, busy = false;
  bool fresh = false;         // on a connection of its own, whatever others are kept
  bool stale = false;         // not sent: its connection held bytes, or was closed
  bool spoken_to = false;     // not sent: the server began to speak on a new connection
  bool early = false;         // the reply began before the server can have read the request
  bool sent_again = false;    // curl was about to send the request a second time
  int descriptor = -1;        // of its connection
  int occupied = -1;          // the connection on which it was sent, while it is under way
  Exchanged previous;         // on its connection
  std::vector<int> opened;    // descriptors that were opened for it
  std::exception_ptr thrown;  // by a callback, which must not throw through curl
  std::array<char, CURL_ERROR_SIZE> error{};

  /// Makes the handle, with all that holds for every request.
  void open(const TransportOptions& options, ConnectionTable& table, CURLSH* connection_pool);
  /// Puts a request into the handle; `exchange` and `headers` must stay until it has ended.
  void set_request(std::size_t tag, const std::string& url, const Exchange& exchange, curl_slist* headers, bool http2);
  /// Asks for a connection of its own, or no longer does.
  void set_fresh(bool wanted);
  /// Fills `reply` from how the attempt ended.
  void finish(CURLcode code);

 private:
  void set_form(const std::vector<FormPart>& parts);
  Arrival arrival_of(CURLcode code) const;
  /// What is wrong with a body that arrived; empty when it is whole.
  std::string damage();
};

}  // namespace touchstone::llm_client::transport::internal
