#pragma once

#include "llm_client/transport/reply.hpp"
#include "llm_client/transport/transport.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include <curl/curl.h>

namespace touchstone::llm_client::transport::internal {

/// Throws Error: the HTTP client cannot do `what` because of `why`.
[[noreturn]] void fail(const std::string& what, const char* why);
void require(CURLcode code, const char* what);

struct EasyCleanup {
  void operator()(CURL* easy) const noexcept { curl_easy_cleanup(easy); }
};
struct MimeCleanup {
  void operator()(curl_mime* mime) const noexcept { curl_mime_free(mime); }
};

/// One attempt over one of curl's easy handles, which later attempts use again.
struct HttpCall {
  std::unique_ptr<CURL, EasyCleanup> easy;
  std::unique_ptr<curl_mime, MimeCleanup> form;  // of the present request
  std::string url;
  Reply reply;
  std::size_t header_bytes = 0, max_body_bytes = 0;
  bool headers_ended = false, oversized = false, busy = false;
  std::exception_ptr thrown;  // by a callback, which must not throw through curl
  std::array<char, CURL_ERROR_SIZE> error{};

  /// Makes the handle, with all that holds for every request.
  void open(const TransportOptions& options);
  /// Puts a request into the handle; `exchange` and `headers` must stay until it has ended.
  void set_request(std::size_t tag, const std::string& url, const Exchange& exchange, curl_slist* headers, bool http2);
  /// Fills `reply` from how the attempt ended.
  void finish(CURLcode code);

 private:
  void set_form(const std::vector<FormPart>& parts);
  Arrival arrival_of(CURLcode code) const;
};

}  // namespace touchstone::llm_client::transport::internal
