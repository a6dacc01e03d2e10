#include "llm_client/transport/http_call.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <new>
#include <string_view>
#include <utility>

#include <linux/sockios.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

namespace touchstone::llm_client::transport::internal {

namespace {

/// The heads of one reply, interim ones included, are no longer.
constexpr std::size_t kMaxHeaderBytes = std::size_t{64} << 10;

/// True when bytes have come that nobody has read yet.
bool holds_bytes(int descriptor) noexcept {
  char byte = 0;
  return ::recv(descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

/// True when bytes that were sent have not reached the other side.
bool has_unread_request(int descriptor) noexcept {
  int bytes = 0;
  return descriptor >= 0 && ::ioctl(descriptor, SIOCOUTQ, &bytes) == 0 && bytes > 0;
}

/// -1 when it cannot be told.
int local_port_of(int descriptor) noexcept {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0) return -1;
  if (address.ss_family == AF_INET) return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
  if (address.ss_family == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
  return -1;
}

std::size_t on_body(char* data, std::size_t, std::size_t size, void* user) noexcept {
  auto& call = *static_cast<HttpCall*>(user);
  if (call.streams) {
    try {
      return call.sink->take({data, size}) ? size : CURL_WRITEFUNC_ERROR;
    } catch (...) {
      call.thrown = std::current_exception();
      return CURL_WRITEFUNC_ERROR;
    }
  }
  auto& body = call.reply.body;
  const std::size_t room = call.max_body_bytes - body.size();
  const std::size_t taken = std::min(size, room);
  try {
    body.append(data, taken);
  } catch (...) {
    call.thrown = std::current_exception();
    return CURL_WRITEFUNC_ERROR;
  }
  call.held_bytes += taken;
  call.oversized = size > room;
  call.crowded = call.held_bytes > call.max_held_bytes && body.size() > call.share_of_held;
  return call.oversized || call.crowded ? CURL_WRITEFUNC_ERROR : size;
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
    if (line.starts_with("HTTP/1")) call.early = has_unread_request(call.descriptor);
    const bool had_ended = call.head.ended();
    call.head.take(line, std::chrono::system_clock::now());
    if (call.sink != nullptr && call.head.ended() && !had_ended && !call.offer_body()) return CURL_WRITEFUNC_ERROR;
  } catch (...) {
    call.thrown = std::current_exception();
    return CURL_WRITEFUNC_ERROR;
  }
  return size;
}

int on_opened(void* user, curl_socket_t descriptor, curlsocktype) noexcept {
  auto& call = *static_cast<HttpCall*>(user);
  try {
    call.opened.push_back(descriptor);
  } catch (...) {
    call.thrown = std::current_exception();
    return CURL_SOCKOPT_ERROR;
  }
  if (call.secure) return CURL_SOCKOPT_OK;
  // The connection serves one request. Closed in the usual way, its port would be taken for another minute, and a
  // server that answers thousands a second would use up all there are.
  const linger at_once{1, 0};
  ::setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  return CURL_SOCKOPT_OK;
}

/// Looks at the connection on which the request is about to be sent.
int on_ready(void* user, char*, char*, int, int local_port) noexcept {
  auto& call = *static_cast<HttpCall*>(user);
  // curl would send the request again when a kept connection ends without a byte; the server may have served it.
  call.sent_again = call.reply.asked;
  if (call.sent_again) return CURL_PREREQFUNC_ABORT;
  // Of several addresses that were tried, one answered.
  const auto found = std::find_if(call.opened.rbegin(), call.opened.rend(),
                                  [&](int descriptor) { return local_port_of(descriptor) == local_port; });
  if (found != call.opened.rend()) call.descriptor = *found;
  // Behind a new TLS connection come session tickets.
  call.spoken_to = !call.secure && call.descriptor >= 0 && holds_bytes(call.descriptor);
  if (call.spoken_to) return CURL_PREREQFUNC_ABORT;
  call.reply.asked = true;
  return CURL_PREREQFUNC_OK;
}

}  // namespace

HeaderList header_list(const std::vector<std::string>& lines) {
  HeaderList list;
  for (const auto& line : lines) {
    auto* longer = curl_slist_append(list.get(), line.c_str());
    if (longer == nullptr) throw std::bad_alloc();
    static_cast<void>(list.release());  // it is the beginning of the longer one
    list.reset(longer);
  }
  return list;
}

void fail(const std::string& what, const char* why) {
  throw Error("the HTTP client cannot " + what + ": " + why + "; check memory and the limit of open files (ulimit -n)");
}

void require(CURLcode code, const char* what) {
  if (code != CURLE_OK) fail(what, curl_easy_strerror(code));
}

HttpCall::HttpCall(std::size_t tag, std::string to, const Exchange& exchange, const HeaderList& headers,
                   const TransportOptions& options, CURLSH* sessions, bool keep, std::size_t& held)
    : easy(curl_easy_init()),
      url(std::move(to)),
      max_body_bytes(options.max_reply_bytes),
      max_held_bytes(options.max_held_bytes),
      share_of_held(options.max_held_bytes / options.in_flight),
      held_bytes(held),
      secure(url.starts_with("https:")) {
  reply.tag = tag;
  if (!easy) fail("start a request", "out of memory");
  const auto set = [&](CURLoption option, auto value) {
    require(curl_easy_setopt(easy.get(), option, value), "set up a request");
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
  set(CURLOPT_QUICK_EXIT, 1L);  // or the end of a run waits for names that are being looked up
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  set(CURLOPT_HTTP_CONTENT_DECODING, 0L);  // see find_damage()
  set(CURLOPT_TCP_KEEPALIVE, 1L);
  set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options.connect_timeout.count()));
  set(CURLOPT_TIMEOUT_MS, static_cast<long>(options.reply_timeout.count()));
  if (options.stall_timeout.count() > 0) {
    set(CURLOPT_LOW_SPEED_LIMIT, 1L);
    set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(options.stall_timeout.count()));
  }
  // Else a connection is closed when its last request has ended: one of HTTP/1 after the first.
  if (!keep) set(CURLOPT_FORBID_REUSE, 1L);
  if (secure) {
    set(CURLOPT_SHARE, sessions);
    set(CURLOPT_HTTP_VERSION, static_cast<long>(options.http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
    // A first request waits to learn whether its connection can carry the others too.
    set(CURLOPT_PIPEWAIT, options.http2 ? 1L : 0L);
  } else {
    set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    set(CURLOPT_FRESH_CONNECT, 1L);
  }
  if (!options.proxy.empty()) set(CURLOPT_PROXY, options.proxy.c_str());
  if (!options.ca_file.empty()) set(CURLOPT_CAINFO, options.ca_file.c_str());
  set(CURLOPT_URL, url.c_str());
  if (!exchange.form.empty()) {
    set_form(exchange.form);
  } else if (!exchange.body.empty()) {
    set(CURLOPT_POSTFIELDS, exchange.body.data());
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(exchange.body.size()));
  }
  set(CURLOPT_HTTPHEADER, headers.get());
}

void HttpCall::set_form(const std::vector<FormPart>& parts) {
  form.reset(curl_mime_init(easy.get()));
  if (!form) fail("start a request", "out of memory");
  for (const auto& part : parts) {
    curl_mimepart* added = curl_mime_addpart(form.get());
    if (added == nullptr) fail("start a request", "out of memory");
    require(curl_mime_name(added, part.name.c_str()), "set up a form");
    if (part.file.empty()) {
      require(curl_mime_data(added, part.text.data(), part.text.size()), "set up a form");
    } else {
      require(curl_mime_filedata(added, part.file.c_str()), "read a file for a form");
      require(curl_mime_type(added, part.content_type.c_str()), "set up a form");
    }
  }
  require(curl_easy_setopt(easy.get(), CURLOPT_MIMEPOST, form.get()), "set up a form");
}

bool HttpCall::offer_body() {
  long status = 0;
  curl_easy_getinfo(easy.get(), CURLINFO_RESPONSE_CODE, &status);
  streams = status == 200 || status == 206;
  return !streams || sink->begin(static_cast<int>(status), head);
}

void HttpCall::finish(CURLcode code) {
  long status = 0, opened_connections = 0, version = 0;
  curl_easy_getinfo(easy.get(), CURLINFO_RESPONSE_CODE, &status);
  curl_easy_getinfo(easy.get(), CURLINFO_NUM_CONNECTS, &opened_connections);
  curl_easy_getinfo(easy.get(), CURLINFO_HTTP_VERSION, &version);
  multiplexed = version >= CURL_HTTP_VERSION_2_0;
  reply.arrival = arrival_of(code);
  reply.status = static_cast<int>(status);
  reply.latency = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - reply.sent);
  reply.connected = opened_connections > 0;
  reply.hints = head.hints();
  if (!head.location().empty()) reply.redirect = host_of(head.location());
  reply.location = head.location();
  std::string why;
  if (reply.arrival == Arrival::kReply && opened.empty() && !multiplexed) {
    reply.arrival = Arrival::kBroken;
    why = "it came over HTTP/1 on a connection that another request had used";
  }
  if (reply.arrival == Arrival::kReply) why = find_damage(head, early, max_body_bytes, reply);
  if (reply.arrival == Arrival::kReply) return;
  reply.error = !why.empty()       ? std::move(why)
                : spoken_to        ? "the server sent bytes before it was asked"
                : sent_again       ? "the connection was closed without a reply"
                : error[0] != '\0' ? error.data()
                : code == CURLE_OK ? "its headers have no end"
                                   : curl_easy_strerror(code);
}

Arrival HttpCall::arrival_of(CURLcode code) const {
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
    case CURLE_WRITE_ERROR:
      return oversized ? Arrival::kOversized : crowded ? Arrival::kCrowded : Arrival::kBroken;
    case CURLE_OUT_OF_MEMORY:
    case CURLE_FAILED_INIT:
    case CURLE_UNKNOWN_OPTION:
    case CURLE_URL_MALFORMAT:
      fail("send a request", curl_easy_strerror(code));
    default:  // also CURLE_BAD_FUNCTION_ARGUMENT, by which curl refuses some heads
      return Arrival::kBroken;
  }
}

}  // namespace touchstone::llm_client::transport::internal
