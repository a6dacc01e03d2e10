#include "llm_client/transport/http_call.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <string_view>

namespace touchstone::llm_client::transport::internal {

namespace {

constexpr std::size_t kMaxHeaderBytes = std::size_t{64} << 10;

std::size_t on_body(char* data, std::size_t, std::size_t size, void* user) noexcept {
  auto& call = *static_cast<HttpCall*>(user);
  auto& body = call.reply.body;
  const std::size_t room = call.max_body_bytes - body.size();
  try {
    body.append(data, std::min(size, room));
  } catch (...) {
    call.thrown = std::current_exception();
    return CURL_WRITEFUNC_ERROR;
  }
  call.oversized = size > room;
  return call.oversized ? CURL_WRITEFUNC_ERROR : size;
}

/// Host of a `Location`, empty when it has none.
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

std::size_t on_header(char* data, std::size_t, std::size_t size, void* user) noexcept {
  auto& call = *static_cast<HttpCall*>(user);
  const std::string_view line(data, size);
  call.header_bytes += size;
  if (call.header_bytes > kMaxHeaderBytes) {
    call.oversized = true;
    return CURL_WRITEFUNC_ERROR;
  }
  try {
    call.headers_ended = line == "\r\n" || line == "\n";
    if (line.starts_with("HTTP/")) {  // of a 100 or the reply itself: only the last one's headers count
      call.reply.hints = {};
      call.reply.redirect.clear();
    } else if (line.size() > 9 && curl_strnequal(line.data(), "location:", 9)) {
      const auto begin = line.find_first_not_of(" \t", 9);
      const auto end = line.find_last_not_of("\r\n");
      if (begin <= end && end != std::string_view::npos) {
        call.reply.redirect = host_of(std::string(line.substr(begin, end - begin + 1)));
      }
    } else {
      read_rate_header(line, std::chrono::system_clock::now(), call.reply.hints);
    }
  } catch (...) {
    call.thrown = std::current_exception();
    return CURL_WRITEFUNC_ERROR;
  }
  return size;
}

}  // namespace

void fail(const std::string& what, const char* why) {
  throw Error("the HTTP client cannot " + what + ": " + why + "; check memory and the limit of open files (ulimit -n)");
}

void require(CURLcode code, const char* what) {
  if (code != CURLE_OK) fail(what, curl_easy_strerror(code));
}

void HttpCall::open(const TransportOptions& options) {
  easy.reset(curl_easy_init());
  if (!easy) fail("start a request", "out of memory");
  max_body_bytes = options.max_reply_bytes;
  const auto set = [&](CURLoption option, auto value) {
    require(curl_easy_setopt(easy.get(), option, value), "be set up");
  };
  set(CURLOPT_PRIVATE, this);
  set(CURLOPT_ERRORBUFFER, error.data());
  set(CURLOPT_WRITEFUNCTION, &on_body);
  set(CURLOPT_WRITEDATA, this);
  set(CURLOPT_HEADERFUNCTION, &on_header);
  set(CURLOPT_HEADERDATA, this);
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  set(CURLOPT_ACCEPT_ENCODING, "gzip");
  set(CURLOPT_TCP_KEEPALIVE, 1L);
  set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options.connect_timeout.count()));
  set(CURLOPT_TIMEOUT_MS, static_cast<long>(options.reply_timeout.count()));
  set(CURLOPT_HTTP_VERSION, static_cast<long>(options.http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
  if (!options.proxy.empty()) set(CURLOPT_PROXY, options.proxy.c_str());
  if (!options.ca_file.empty()) set(CURLOPT_CAINFO, options.ca_file.c_str());
}

void HttpCall::set_request(std::size_t tag, const std::string& to, const Exchange& exchange, curl_slist* headers,
                           bool http2) {
  const auto set = [&](CURLoption option, auto value) {
    require(curl_easy_setopt(easy.get(), option, value), "set up a request");
  };
  reply = {};
  reply.tag = tag;
  header_bytes = 0;
  headers_ended = oversized = false;
  error[0] = '\0';
  if (url != to) {
    set(CURLOPT_URL, to.c_str());
    // A first request waits to learn whether its connection can carry the others too.
    set(CURLOPT_PIPEWAIT, http2 && to.starts_with("https:") ? 1L : 0L);
    url = to;
  }
  if (!exchange.form.empty()) {
    set_form(exchange.form);
  } else if (exchange.body.empty()) {
    set(CURLOPT_HTTPGET, 1L);
  } else {
    set(CURLOPT_POST, 1L);
    set(CURLOPT_POSTFIELDS, exchange.body.data());
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(exchange.body.size()));
  }
  set(CURLOPT_HTTPHEADER, headers);
}

void HttpCall::set_form(const std::vector<FormPart>& parts) {
  std::unique_ptr<curl_mime, MimeCleanup> mime(curl_mime_init(easy.get()));
  if (!mime) fail("start a request", "out of memory");
  for (const auto& part : parts) {
    curl_mimepart* added = curl_mime_addpart(mime.get());
    if (added == nullptr) fail("start a request", "out of memory");
    require(curl_mime_name(added, part.name.c_str()), "set up a form");
    if (part.file.empty()) {
      require(curl_mime_data(added, part.text.data(), part.text.size()), "set up a form");
    } else {
      require(curl_mime_filedata(added, part.file.c_str()), "read a file for a form");
      require(curl_mime_type(added, part.content_type.c_str()), "set up a form");
    }
  }
  require(curl_easy_setopt(easy.get(), CURLOPT_MIMEPOST, mime.get()), "set up a form");
  form = std::move(mime);  // the form of an earlier request ends here, when the handle no longer refers to it
}

void HttpCall::finish(CURLcode code) {
  long status = 0, connections = 0;
  curl_easy_getinfo(easy.get(), CURLINFO_RESPONSE_CODE, &status);
  curl_easy_getinfo(easy.get(), CURLINFO_NUM_CONNECTS, &connections);
  reply.arrival = arrival_of(code);
  reply.status = static_cast<int>(status);
  reply.latency = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - reply.sent);
  reply.connected = connections > 0;
  if (reply.arrival == Arrival::kReply) return;
  reply.error = error[0] != '\0'   ? error.data()
                : code == CURLE_OK ? "its headers have no end"
                                   : curl_easy_strerror(code);
}

Arrival HttpCall::arrival_of(CURLcode code) const {
  switch (code) {
    case CURLE_OK:  // also when the connection ended amid the headers
      return headers_ended ? Arrival::kReply : Arrival::kBroken;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_SSL_CONNECT_ERROR:
      return Arrival::kNoConnection;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
      return Arrival::kUntrusted;
    case CURLE_OPERATION_TIMEDOUT: {
      curl_off_t ready_us = 0;
      curl_easy_getinfo(easy.get(), CURLINFO_PRETRANSFER_TIME_T, &ready_us);
      return ready_us == 0 ? Arrival::kNoConnection : Arrival::kTimeout;
    }
    case CURLE_WRITE_ERROR:
      return oversized ? Arrival::kOversized : Arrival::kBroken;
    case CURLE_OUT_OF_MEMORY:
    case CURLE_FAILED_INIT:
    case CURLE_BAD_FUNCTION_ARGUMENT:
    case CURLE_UNKNOWN_OPTION:
    case CURLE_URL_MALFORMAT:
      fail("send a request", curl_easy_strerror(code));
    default:
      return Arrival::kBroken;
  }
}

}  // namespace touchstone::llm_client::transport::internal
