#include "llm_client/transport/curl_call.hpp"

#include "llm_client/transport/reply_check.hpp"
#include "llm_client/transport/socket_state.hpp"

#include <algorithm>
#include <string_view>

namespace touchstone::llm_client::transport::internal {

namespace {

std::size_t on_body(char* data, std::size_t, std::size_t size, void* user) noexcept {
  auto& call = *static_cast<CurlCall*>(user);
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

std::size_t on_header(char* data, std::size_t, std::size_t size, void* user) noexcept {
  auto& call = *static_cast<CurlCall*>(user);
  const std::string_view line(data, size);
  call.header_bytes += size;
  if (call.header_bytes > kMaxHeaderBytes) {
    call.oversized = true;
    return CURL_WRITEFUNC_ERROR;
  }
  try {
    if (line.starts_with("HTTP/1")) {
      call.early = has_unread_request(call.descriptor);
      call.previous = call.connections->previous(call.descriptor);
    }
    call.head.take(line, std::chrono::system_clock::now());
  } catch (...) {
    call.thrown = std::current_exception();
    return CURL_WRITEFUNC_ERROR;
  }
  return size;
}

int on_opened(void* user, curl_socket_t descriptor, curlsocktype) noexcept {
  auto& call = *static_cast<CurlCall*>(user);
  try {
    call.opened.push_back(descriptor);
  } catch (...) {
    call.thrown = std::current_exception();
    return CURL_SOCKOPT_ERROR;
  }
  return CURL_SOCKOPT_OK;
}

/// Looks at the connection on which the request is about to be sent.
int on_ready(void* user, char* address, char*, int port, int local_port) noexcept {
  auto& call = *static_cast<CurlCall*>(user);
  // curl would send the request again when a kept connection ends without a byte; the server may have served it.
  call.sent_again = call.reply.asked;
  if (call.sent_again) return CURL_PREREQFUNC_ABORT;
  try {
    const bool kept = call.opened.empty();
    call.descriptor = call.connections->find({address, port, local_port}, call.opened);
    if (kept && call.connections->has_request(call.descriptor))
      call.connections->set_multiplexed(call.descriptor, true);
    // Behind a new TLS connection come session tickets, and frames of HTTP/2 at any time.
    const bool looked_at =
        call.descriptor >= 0 && (kept ? !call.connections->is_multiplexed(call.descriptor) : !call.secure);
    if (looked_at) {
      const auto state = socket_state(call.descriptor);
      call.stale = kept && state != SocketState::kClean;
      call.spoken_to = !kept && state == SocketState::kHoldsBytes;
    }
  } catch (...) {
    call.thrown = std::current_exception();
    return CURL_PREREQFUNC_ABORT;
  }
  if (call.stale || call.spoken_to) return CURL_PREREQFUNC_ABORT;
  call.reply.asked = true;
  call.connections->begin_request(call.descriptor);
  call.occupied = call.descriptor;
  return CURL_PREREQFUNC_OK;
}

}  // namespace

void require(CURLcode code, const char* what) {
  if (code != CURLE_OK) fail(what, curl_easy_strerror(code));
}

void CurlCall::open(const TransportOptions& options, ConnectionTable& table, CURLSH* connection_pool) {
  connections = &table;
  pool = connection_pool;
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
  set(CURLOPT_SOCKOPTFUNCTION, &on_opened);
  set(CURLOPT_SOCKOPTDATA, this);
  set(CURLOPT_PREREQFUNCTION, &on_ready);
  set(CURLOPT_PREREQDATA, this);
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  set(CURLOPT_HTTP_CONTENT_DECODING, 0L);  // see content_coding.hpp
  set(CURLOPT_TCP_KEEPALIVE, 1L);
  set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options.connect_timeout.count()));
  set(CURLOPT_TIMEOUT_MS, static_cast<long>(options.reply_timeout.count()));
  set(CURLOPT_HTTP_VERSION, static_cast<long>(options.http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
  if (!options.proxy.empty()) set(CURLOPT_PROXY, options.proxy.c_str());
  if (!options.ca_file.empty()) set(CURLOPT_CAINFO, options.ca_file.c_str());
}

void CurlCall::set_request(std::size_t tag, const std::string& to, const Exchange& exchange, curl_slist* headers,
                           bool http2) {
  const auto set = [&](CURLoption option, auto value) {
    require(curl_easy_setopt(easy.get(), option, value), "set up a request");
  };
  reply = {};
  head = {};
  reply.tag = tag;
  header_bytes = 0;
  body = exchange.body;
  secure = to.starts_with("https:");
  oversized = stale = spoken_to = sent_again = early = false;
  descriptor = -1;
  previous = {};
  opened.clear();
  error[0] = '\0';
  if (url != to) {
    set(CURLOPT_URL, to.c_str());
    // A first request waits to learn whether its connection can carry the others too.
    set(CURLOPT_PIPEWAIT, http2 && secure ? 1L : 0L);
    // Over TLS one connection may carry the requests of all calls.
    set(CURLOPT_SHARE, secure ? nullptr : pool);
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

void CurlCall::set_fresh(bool wanted) {
  if (fresh == wanted) return;
  require(curl_easy_setopt(easy.get(), CURLOPT_FRESH_CONNECT, wanted ? 1L : 0L), "set up a request");
  fresh = wanted;
}

void CurlCall::set_form(const std::vector<FormPart>& parts) {
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

void CurlCall::finish(CURLcode code) {
  connections->end_request(occupied);
  occupied = -1;
  long status = 0, opened_connections = 0;
  curl_easy_getinfo(easy.get(), CURLINFO_RESPONSE_CODE, &status);
  curl_easy_getinfo(easy.get(), CURLINFO_NUM_CONNECTS, &opened_connections);
  reply.arrival = arrival_of(code);
  reply.status = static_cast<int>(status);
  reply.latency = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - reply.sent);
  reply.connected = opened_connections > 0;
  long version = 0;
  curl_easy_getinfo(easy.get(), CURLINFO_HTTP_VERSION, &version);
  if (version != CURL_HTTP_VERSION_NONE) connections->set_multiplexed(descriptor, version >= CURL_HTTP_VERSION_2_0);
  reply.hints = head.hints();
  if (!head.location().empty()) reply.redirect = host_of(head.location());
  std::string why;
  if (reply.arrival == Arrival::kReply) why = damage();
  if (reply.arrival == Arrival::kReply) return;
  // A reply that cannot be believed leaves its connection with unknown bytes to come.
  if (!why.empty() && !connections->is_multiplexed(descriptor)) connections->close(descriptor);
  reply.error = !why.empty()       ? std::move(why)
                : spoken_to        ? kSpokeUnasked
                : sent_again       ? kClosedWithoutReply
                : error[0] != '\0' ? error.data()
                : code == CURLE_OK ? kEndlessHead
                                   : curl_easy_strerror(code);
}

std::string CurlCall::damage() {
  auto why = find_damage(head, {early, opened.empty()}, max_body_bytes, reply);
  if (!why.empty() || reply.status != 200) return why;
  if (!connections->repeats_reply(descriptor, previous, url, body, reply.body)) return {};
  reply.arrival = Arrival::kDropped;
  return kRepeatsReply;
}

Arrival CurlCall::arrival_of(CURLcode code) const {
  switch (code) {
    case CURLE_OK:  // also when the connection ended amid the headers
      return head.ended() ? Arrival::kReply : Arrival::kBroken;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_SSL_CONNECT_ERROR:
      return Arrival::kNoConnection;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
      return Arrival::kUntrusted;
    case CURLE_OPERATION_TIMEDOUT:
      return reply.asked ? Arrival::kTimeout : Arrival::kNoConnection;
    case CURLE_ABORTED_BY_CALLBACK:
      return sent_again ? Arrival::kDropped : Arrival::kBroken;
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
