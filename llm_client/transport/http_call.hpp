#pragma once

#include "llm_client/transport/http_engine.hpp"
#include "llm_client/transport/reply.hpp"
#include "llm_client/transport/reply_head.hpp"
#include "llm_client/transport/transport.hpp"

#include <array>
#include <cstddef>
#include <exception>
#include <memory>
#include <string>
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

/// One attempt at a time. Each has an easy handle of its own: curl 7.88 keeps a pointer to the last header line of a
/// handle's transfer, which a later one may follow into freed memory.
struct HttpCall {
  std::unique_ptr<CURL, EasyCleanup> easy;  // while an attempt is under way
  std::unique_ptr<curl_mime, MimeCleanup> form;
  std::string url;
  Reply reply;
  ReplyHead head;
  std::size_t header_bytes = 0, max_body_bytes = 0;
  std::size_t* held_bytes = nullptr;  // of the bodies of all calls
  std::size_t max_held_bytes = 0, share_of_held = 0;
  bool secure = false;        // TLS, at least to the proxy
  bool multiplexed = false;   // over HTTP/2, as the reply tells
  bool oversized = false;     // the reply passed a bound
  bool crowded = false;       // all replies did
  bool spoken_to = false;     // not sent: the server began to speak on a new connection
  bool early = false;         // the reply began before the server can have read the request
  bool sent_again = false;    // curl was about to send the request a second time
  int descriptor = -1;        // of a connection that was opened for it
  std::vector<int> opened;    // descriptors that were opened for it
  std::exception_ptr thrown;  // by a callback, which must not throw through curl
  std::array<char, CURL_ERROR_SIZE> error{};

  /// Makes a handle for a request; `exchange` and `headers` must stay until `end`. `keep`: the server is known
  /// to speak HTTP/2, so that its connections may stay when they are idle. `held`: bytes
  /// of the bodies of all calls, to which this one's are added.
  void begin(std::size_t tag, const std::string& to, const Exchange& exchange, curl_slist* headers,
             const TransportOptions& options, CURLSH* sessions, bool keep, std::size_t& held);
  /// Fills `reply` from how the attempt ended.
  void finish(CURLcode code);
  /// Gives the handle up. \pre no multi handle holds it
  void end() noexcept {
    easy.reset();
    form.reset();
  }

 private:
  void set_form(const std::vector<FormPart>& parts);
  Arrival arrival_of(CURLcode code) const;
};

}  // namespace touchstone::llm_client::transport::internal
