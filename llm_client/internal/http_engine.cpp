#include "llm_client/internal/http_engine.hpp"

#include "common/descriptor.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <optional>

#include <curl/curl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace touchstone::llm_client::internal {

namespace {

using std::chrono::microseconds;
using std::chrono::steady_clock;

constexpr std::size_t kMaxHeaderBytes = std::size_t{64} << 10;

[[noreturn]] void fail(const std::string& what, const char* why) {
  throw Error("the HTTP client cannot " + what + ": " + why + "; check memory and the limit of open files (ulimit -n)");
}
void require(CURLcode code, const char* what) {
  if (code != CURLE_OK) fail(what, curl_easy_strerror(code));
}
void require(CURLMcode code, const char* what) {
  if (code != CURLM_OK) fail(what, curl_multi_strerror(code));
}
int require_descriptor(int descriptor, const char* what) {
  if (descriptor < 0) fail(what, std::strerror(errno));
  return descriptor;
}

struct EasyCleanup {
  void operator()(CURL* easy) const noexcept { curl_easy_cleanup(easy); }
};
struct MultiCleanup {
  void operator()(CURLM* multi) const noexcept { curl_multi_cleanup(multi); }
};

/// One attempt; used again for later ones.
struct Call {
  std::unique_ptr<CURL, EasyCleanup> easy;
  std::string url;
  Reply reply;
  std::size_t header_bytes = 0, max_body_bytes = 0;
  bool headers_ended = false, oversized = false, busy = false;
  std::exception_ptr thrown;  // by a callback, which must not throw through curl
  std::array<char, CURL_ERROR_SIZE> error{};
};

std::size_t on_body(char* data, std::size_t, std::size_t size, void* user) noexcept {
  auto& call = *static_cast<Call*>(user);
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
  auto& call = *static_cast<Call*>(user);
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

Arrival arrival_of(CURLcode code, const Call& call) {
  switch (code) {
    case CURLE_OK:  // also when the connection ended amid the headers
      return call.headers_ended ? Arrival::kReply : Arrival::kBroken;
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
      curl_easy_getinfo(call.easy.get(), CURLINFO_PRETRANSFER_TIME_T, &ready_us);
      return ready_us == 0 ? Arrival::kNoConnection : Arrival::kTimeout;
    }
    case CURLE_WRITE_ERROR:
      return call.oversized ? Arrival::kOversized : Arrival::kBroken;
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

}  // namespace

HeaderList::HeaderList(const std::vector<std::string>& lines) {
  for (const auto& line : lines) {
    auto* longer = curl_slist_append(static_cast<curl_slist*>(list_), line.c_str());
    if (longer == nullptr) throw std::bad_alloc();
    list_ = longer;
  }
}

HeaderList::~HeaderList() {
  curl_slist_free_all(static_cast<curl_slist*>(list_));
}

struct HttpEngine::Impl {
  explicit Impl(const TransportOptions& options);
  ~Impl();

  Call& free_call();
  void prepare(Call& call);
  void watch(int descriptor, int what);
  void act(int descriptor, int events) {
    int running = 0;
    require(curl_multi_socket_action(multi.get(), descriptor, events, &running), "do a step");
  }
  void act_on_due_timer();
  void collect(std::vector<Reply>& replies);

  static int on_socket(CURL*, curl_socket_t descriptor, int what, void* user, void*) noexcept {
    static_cast<Impl*>(user)->watch(descriptor, what);
    return 0;
  }
  static int on_timer(CURLM*, long timeout_ms, void* user) noexcept {
    auto& due = static_cast<Impl*>(user)->timer_due;
    if (timeout_ms < 0) {
      due.reset();
    } else {
      due = steady_clock::now() + std::chrono::milliseconds(timeout_ms);
    }
    return 0;
  }
  static int on_close(void* user, curl_socket_t descriptor) noexcept {
    auto& watched = static_cast<Impl*>(user)->watched;
    if (static_cast<std::size_t>(descriptor) < watched.size()) watched[static_cast<std::size_t>(descriptor)] = {};
    return ::close(descriptor);
  }

  /// What a socket is registered for in epoll, and what curl wants to know. They differ while a connection is idle: its
  /// registration is left as it is, since the next request on it wants the same.
  struct Watch {
    std::uint32_t registered = 0, wanted = 0;
  };

  TransportOptions options;
  Descriptor epoll, woken;
  std::vector<std::unique_ptr<Call>> calls;  // outlive the connections, which refer to none of them
  std::vector<Call*> free_calls;
  std::vector<Watch> watched;  // by descriptor
  std::optional<steady_clock::time_point> timer_due;
  std::size_t in_flight = 0;
  std::unique_ptr<CURLM, MultiCleanup> multi;  // last: closing connections calls back
};

HttpEngine::Impl::Impl(const TransportOptions& given)
    : options(given),
      epoll(require_descriptor(epoll_create1(EPOLL_CLOEXEC), "wait for sockets")),
      woken(require_descriptor(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC), "wait for sockets")) {
  static const CURLcode global = curl_global_init(CURL_GLOBAL_DEFAULT);
  require(global, "start");
  multi.reset(curl_multi_init());
  if (!multi) fail("start", "out of memory");
  const auto set = [&](CURLMoption option, auto value) {
    require(curl_multi_setopt(multi.get(), option, value), "be set up");
  };
  set(CURLMOPT_SOCKETFUNCTION, &Impl::on_socket);
  set(CURLMOPT_SOCKETDATA, this);
  set(CURLMOPT_TIMERFUNCTION, &Impl::on_timer);
  set(CURLMOPT_TIMERDATA, this);
  set(CURLMOPT_MAXCONNECTS, static_cast<long>(std::min<std::size_t>(options.in_flight + 16, 65'536)));
  set(CURLMOPT_PIPELINING, static_cast<long>(CURLPIPE_MULTIPLEX));
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = woken.get();
  if (epoll_ctl(epoll.get(), EPOLL_CTL_ADD, woken.get(), &event) != 0) fail("wait for sockets", std::strerror(errno));
}

HttpEngine::Impl::~Impl() {
  for (const auto& call : calls) {
    if (call->busy) curl_multi_remove_handle(multi.get(), call->easy.get());
  }
}

void HttpEngine::Impl::watch(int descriptor, int what) {
  const auto at = static_cast<std::size_t>(descriptor);
  if (at >= watched.size()) watched.resize(at + 64);
  auto& watch = watched[at];
  watch.wanted = ((what & CURL_POLL_IN) != 0 && what != CURL_POLL_REMOVE ? EPOLLIN : 0U) |
                 ((what & CURL_POLL_OUT) != 0 && what != CURL_POLL_REMOVE ? EPOLLOUT : 0U);
  if (watch.wanted == 0 || watch.wanted == watch.registered) return;
  epoll_event event{};
  event.events = watch.wanted;
  event.data.fd = descriptor;
  const int operation = watch.registered == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
  // A failure shows as a timeout of the transfer; there is nobody to tell from inside curl.
  if (epoll_ctl(epoll.get(), operation, descriptor, &event) == 0) watch.registered = watch.wanted;
}

void HttpEngine::Impl::prepare(Call& call) {
  call.easy.reset(curl_easy_init());
  if (!call.easy) fail("start a request", "out of memory");
  call.max_body_bytes = options.max_reply_bytes;
  const auto set = [&](CURLoption option, auto value) {
    require(curl_easy_setopt(call.easy.get(), option, value), "be set up");
  };
  set(CURLOPT_PRIVATE, &call);
  set(CURLOPT_ERRORBUFFER, call.error.data());
  set(CURLOPT_WRITEFUNCTION, &on_body);
  set(CURLOPT_WRITEDATA, &call);
  set(CURLOPT_HEADERFUNCTION, &on_header);
  set(CURLOPT_HEADERDATA, &call);
  set(CURLOPT_CLOSESOCKETFUNCTION, &Impl::on_close);
  set(CURLOPT_CLOSESOCKETDATA, this);
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

Call& HttpEngine::Impl::free_call() {
  if (free_calls.empty()) {
    auto call = std::make_unique<Call>();
    prepare(*call);
    calls.push_back(std::move(call));
    return *calls.back();
  }
  Call& call = *free_calls.back();
  free_calls.pop_back();
  return call;
}

HttpEngine::HttpEngine(const TransportOptions& options) : impl_(std::make_unique<Impl>(options)) {}
HttpEngine::~HttpEngine() = default;

std::size_t HttpEngine::in_flight() const noexcept {
  return impl_->in_flight;
}

void HttpEngine::start(std::size_t tag, const std::string& url, std::string_view body, const HeaderList& headers,
                       std::chrono::steady_clock::time_point now) {
  Call& call = impl_->free_call();
  const auto set = [&](CURLoption option, auto value) {
    require(curl_easy_setopt(call.easy.get(), option, value), "set up a request");
  };
  call.reply = {};
  call.reply.tag = tag;
  call.header_bytes = 0;
  call.headers_ended = call.oversized = false;
  call.error[0] = '\0';
  if (call.url != url) {
    set(CURLOPT_URL, url.c_str());
    // A first request waits to learn whether its connection can carry the others too.
    set(CURLOPT_PIPEWAIT, impl_->options.http2 && url.starts_with("https:") ? 1L : 0L);
    call.url = url;
  }
  if (body.empty()) {
    set(CURLOPT_HTTPGET, 1L);
  } else {
    set(CURLOPT_POST, 1L);
    set(CURLOPT_POSTFIELDS, body.data());
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  }
  set(CURLOPT_HTTPHEADER, static_cast<curl_slist*>(headers.get()));
  call.reply.sent = now;
  require(curl_multi_add_handle(impl_->multi.get(), call.easy.get()), "start a request");
  call.busy = true;
  ++impl_->in_flight;
}

void HttpEngine::Impl::act_on_due_timer() {
  if (!timer_due || steady_clock::now() < *timer_due) return;
  timer_due.reset();
  act(CURL_SOCKET_TIMEOUT, 0);
}

void HttpEngine::Impl::collect(std::vector<Reply>& replies) {
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi.get(), &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    CURL* easy = message->easy_handle;
    const CURLcode code = message->data.result;
    Call* call = nullptr;
    require(curl_easy_getinfo(easy, CURLINFO_PRIVATE, &call), "tell a reply's request");
    long status = 0, connections = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(easy, CURLINFO_NUM_CONNECTS, &connections);
    require(curl_multi_remove_handle(multi.get(), easy), "end a request");
    call->busy = false;
    --in_flight;
    free_calls.push_back(call);
    if (call->thrown) std::rethrow_exception(std::exchange(call->thrown, nullptr));
    Reply& reply = call->reply;
    reply.arrival = arrival_of(code, *call);
    reply.status = static_cast<int>(status);
    reply.latency = std::chrono::duration_cast<microseconds>(steady_clock::now() - reply.sent);
    reply.connected = connections > 0;
    if (reply.arrival != Arrival::kReply) {
      reply.error = call->error[0] != '\0' ? call->error.data()
                    : code == CURLE_OK     ? "its headers have no end"
                                           : curl_easy_strerror(code);
    }
    replies.push_back(std::move(reply));
  }
}

void HttpEngine::run(microseconds wait, std::vector<Reply>& replies) {
  auto& impl = *impl_;
  impl.act_on_due_timer();
  impl.collect(replies);
  if (!replies.empty()) wait = microseconds(0);
  if (impl.timer_due) {
    wait = std::min(wait, std::chrono::ceil<microseconds>(*impl.timer_due - steady_clock::now()));
  }
  std::array<epoll_event, 256> events;
  const auto wait_ms = std::chrono::ceil<std::chrono::milliseconds>(std::max(wait, microseconds(0))).count();
  const int count =
      epoll_wait(impl.epoll.get(), events.data(), static_cast<int>(events.size()), static_cast<int>(wait_ms));
  if (count < 0 && errno != EINTR) fail("wait for sockets", std::strerror(errno));
  for (int i = 0; i < count; ++i) {
    const auto& event = events[static_cast<std::size_t>(i)];
    const int descriptor = event.data.fd;
    if (descriptor == impl.woken.get()) {
      eventfd_t ignored = 0;
      eventfd_read(descriptor, &ignored);
      continue;
    }
    auto& watch = impl.watched[static_cast<std::size_t>(descriptor)];
    if (watch.registered == 0) continue;  // closed by an earlier event of this batch
    if (watch.wanted == 0) {              // an idle connection that its server closed; curl will notice by itself
      epoll_ctl(impl.epoll.get(), EPOLL_CTL_DEL, descriptor, nullptr);
      watch.registered = 0;
      continue;
    }
    impl.act(descriptor, ((event.events & EPOLLIN) != 0 ? CURL_CSELECT_IN : 0) |
                             ((event.events & EPOLLOUT) != 0 ? CURL_CSELECT_OUT : 0) |
                             ((event.events & (EPOLLERR | EPOLLHUP)) != 0 ? CURL_CSELECT_ERR : 0));
  }
  impl.act_on_due_timer();
  impl.collect(replies);
}

void HttpEngine::wake() noexcept {
  eventfd_write(impl_->woken.get(), 1);
}

void HttpEngine::abort(std::vector<std::size_t>& tags) {
  for (const auto& call : impl_->calls) {
    if (!call->busy) continue;
    curl_multi_remove_handle(impl_->multi.get(), call->easy.get());
    call->busy = false;
    --impl_->in_flight;
    impl_->free_calls.push_back(call.get());
    tags.push_back(call->reply.tag);
  }
}

}  // namespace touchstone::llm_client::internal
