#pragma once

#include "llm_client/transport/reply.hpp"
#include "llm_client/transport/transport.hpp"

#include <array>
#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include <curl/curl.h>

namespace touchstone::llm_client::transport::internal {

/// Ends what curl made with the function that curl has for it.
template <auto end>
struct CurlCleanup {
  template <class Thing>
  void operator()(Thing* thing) const noexcept {
    end(thing);
  }
};

/// Header lines of a request. A line without a value, "Expect:", sends nothing and keeps curl from sending its own.
using HeaderList = std::unique_ptr<curl_slist, CurlCleanup<&curl_slist_free_all>>;
HeaderList header_list(const std::vector<std::string>& lines);

/// Throws Error: the HTTP client cannot do `what` because of `why`.
[[noreturn]] void fail(const std::string& what, const char* why);
void require(CURLcode code, const char* what);

/// One attempt. Each has an easy handle of its own: curl 7.88 keeps a pointer to the last header line of a handle's
/// transfer, which a later one may follow into freed memory.
struct HttpCall {
  /// Makes a handle for a request; `exchange` and `headers` must outlive it. `keep`: the server is known to speak
  /// HTTP/2, so that its connections may stay when they are idle. `held`: bytes of the bodies of all calls, to which
  /// this one's are added.
  HttpCall(std::size_t tag, std::string to, const Exchange& exchange, const HeaderList& headers,
           const TransportOptions& options, CURLSH* sessions, bool keep, std::size_t& held);
  HttpCall(const HttpCall&) = delete;
  HttpCall& operator=(const HttpCall&) = delete;

  /// Asks the sink whether it wants the body behind the head that has come. False: it does not.
  bool offer_body();
  /// Fills `reply` from how the attempt ended.
  void finish(CURLcode code);

  BodySink* sink = nullptr;  // takes the body; set before the attempt starts
  std::unique_ptr<curl_mime, CurlCleanup<&curl_mime_free>> form;
  std::unique_ptr<CURL, CurlCleanup<&curl_easy_cleanup>> easy;
  const std::string url;
  Reply reply;
  ReplyHead head;
  const std::size_t max_body_bytes, max_held_bytes, share_of_held;
  std::size_t& held_bytes;  // of the bodies of all calls
  std::size_t header_bytes = 0;
  const bool secure;          // TLS, at least to the proxy
  bool multiplexed = false;   // over HTTP/2, as the reply tells
  bool streams = false;       // the sink takes the body of this reply
  bool oversized = false;     // the reply passed a bound
  bool crowded = false;       // all replies did
  bool spoken_to = false;     // not sent: the server began to speak on a new connection
  bool early = false;         // the reply began before the server can have read the request
  bool sent_again = false;    // curl was about to send the request a second time
  int descriptor = -1;        // of a connection that was opened for it
  std::vector<int> opened;    // descriptors that were opened for it
  std::exception_ptr thrown;  // by a callback, which must not throw through curl
  std::array<char, CURL_ERROR_SIZE> error{};

 private:
  void set_form(const std::vector<FormPart>& parts);
  Arrival arrival_of(CURLcode code) const;
};

}  // namespace touchstone::llm_client::transport::internal
