#include "llm_client/transport/http_engine.hpp"

#include "common/descriptor.hpp"
#include "common/error.hpp"
#include "llm_client/transport/http_call.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <set>

#include <curl/curl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

namespace touchstone::llm_client::transport::internal {

namespace {

using std::chrono::microseconds;
using std::chrono::steady_clock;

void require(CURLMcode code, const char* what) {
  if (code != CURLM_OK) fail(what, curl_multi_strerror(code));
}
int require_descriptor(int descriptor, const char* what) {
  if (descriptor < 0) fail(what, std::strerror(errno));
  return descriptor;
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
  struct MultiCleanup {
    void operator()(CURLM* multi) const noexcept { curl_multi_cleanup(multi); }
  };
  struct ShareCleanup {
    void operator()(CURLSH* share) const noexcept { curl_share_cleanup(share); }
  };

  explicit Impl(const TransportOptions& options);
  ~Impl();

  void act(int descriptor, int events) {
    int running = 0;
    require(curl_multi_socket_action(multi.get(), descriptor, events, &running), "do a step");
  }
  void act_on_due_timer();
  void collect(std::vector<Reply>& replies);
  void release(HttpCall& call);

  /// \param known  null for a socket that epoll does not watch yet
  static int on_socket(CURL*, curl_socket_t descriptor, int what, void* user, void* known) noexcept {
    auto& impl = *static_cast<Impl*>(user);
    if (what == CURL_POLL_REMOVE) {
      epoll_ctl(impl.epoll.get(), EPOLL_CTL_DEL, descriptor, nullptr);
      return 0;
    }
    epoll_event event{};
    event.events = ((what & CURL_POLL_IN) != 0 ? EPOLLIN : 0U) | ((what & CURL_POLL_OUT) != 0 ? EPOLLOUT : 0U);
    event.data.fd = descriptor;
    const int operation = known == nullptr ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
    if (epoll_ctl(impl.epoll.get(), operation, descriptor, &event) != 0) impl.watch_error = errno;
    if (known == nullptr) curl_multi_assign(impl.multi.get(), descriptor, &impl);
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

  TransportOptions options;
  Descriptor epoll, woken;
  std::unique_ptr<CURLSH, ShareCleanup> sessions;  // of TLS, so that a new connection need not begin at nothing
  std::set<std::string> multiplexed;               // URLs whose last reply came over HTTP/2
  std::vector<std::unique_ptr<HttpCall>> calls;
  std::vector<HttpCall*> free_calls;
  std::vector<std::pair<CURL*, CURLcode>> ended;  // of one `collect`
  int watch_error = 0;                            // of epoll, met in a callback
  std::optional<steady_clock::time_point> timer_due;
  std::size_t in_flight = 0, held_bytes = 0;
  std::unique_ptr<CURLM, MultiCleanup> multi;
};

HttpEngine::Impl::Impl(const TransportOptions& given)
    : options(given),
      epoll(require_descriptor(epoll_create1(EPOLL_CLOEXEC), "wait for sockets")),
      woken(require_descriptor(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC), "wait for sockets")) {
  static const CURLcode global = curl_global_init(CURL_GLOBAL_DEFAULT);
  internal::require(global, "start");
  sessions.reset(curl_share_init());
  multi.reset(curl_multi_init());
  if (!multi || !sessions) fail("start", "out of memory");
  if (const auto code = curl_share_setopt(sessions.get(), CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
      code != CURLSHE_OK)
    fail("be set up", curl_share_strerror(code));
  const auto set = [&](CURLMoption option, auto value) {
    require(curl_multi_setopt(multi.get(), option, value), "be set up");
  };
  set(CURLMOPT_SOCKETFUNCTION, &Impl::on_socket);
  set(CURLMOPT_SOCKETDATA, this);
  set(CURLMOPT_TIMERFUNCTION, &Impl::on_timer);
  set(CURLMOPT_TIMERDATA, this);
  set(CURLMOPT_PIPELINING, static_cast<long>(CURLPIPE_MULTIPLEX));
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = woken.get();
  if (epoll_ctl(epoll.get(), EPOLL_CTL_ADD, woken.get(), &event) != 0) fail("wait for sockets", std::strerror(errno));
}

HttpEngine::Impl::~Impl() {
  for (const auto& call : calls) {
    if (call->easy) curl_multi_remove_handle(multi.get(), call->easy.get());
    call->end();
  }
}

HttpEngine::HttpEngine(const TransportOptions& options) : impl_(std::make_unique<Impl>(options)) {}
HttpEngine::~HttpEngine() = default;

std::size_t HttpEngine::in_flight() const noexcept {
  return impl_->in_flight;
}

void HttpEngine::start(std::size_t tag, const std::string& url, const Exchange& exchange, const HeaderList& headers,
                       steady_clock::time_point now) {
  auto& impl = *impl_;
  if (impl.free_calls.empty()) impl.free_calls.push_back(impl.calls.emplace_back(std::make_unique<HttpCall>()).get());
  HttpCall& call = *impl.free_calls.back();
  call.begin(tag, url, exchange, static_cast<curl_slist*>(headers.get()), impl.options, impl.sessions.get(),
             impl.multiplexed.contains(url), impl.held_bytes);
  call.reply.sent = now;
  require(curl_multi_add_handle(impl.multi.get(), call.easy.get()), "start a request");
  impl.free_calls.pop_back();
  ++impl.in_flight;
}

void HttpEngine::Impl::act_on_due_timer() {
  if (!timer_due || steady_clock::now() < *timer_due) return;
  timer_due.reset();
  act(CURL_SOCKET_TIMEOUT, 0);
}

/// Takes the handle of a call back from curl, and ends it.
void HttpEngine::Impl::release(HttpCall& call) {
  require(curl_multi_remove_handle(multi.get(), call.easy.get()), "end a request");
  call.end();
  --in_flight;
  free_calls.push_back(&call);
}

void HttpEngine::Impl::collect(std::vector<Reply>& replies) {
  if (watch_error != 0) fail("wait for sockets", std::strerror(watch_error));
  // curl_multi_remove_handle looks through all messages that are still unread.
  ended.clear();
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi.get(), &left)) {
    if (message->msg == CURLMSG_DONE) ended.push_back({message->easy_handle, message->data.result});
  }
  for (const auto& [easy, code] : ended) {
    HttpCall* call = nullptr;
    internal::require(curl_easy_getinfo(easy, CURLINFO_PRIVATE, &call), "tell a reply's request");
    held_bytes -= call->reply.body.size();
    call->finish(code);
    if (call->multiplexed) {
      multiplexed.insert(call->url);
    } else if (call->secure && call->reply.arrival == Arrival::kReply) {
      multiplexed.erase(call->url);
    }
    release(*call);
    if (call->thrown) std::rethrow_exception(std::exchange(call->thrown, nullptr));
    replies.push_back(std::move(call->reply));
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

void HttpEngine::abort(Which which, std::vector<std::size_t>& tags) {
  for (const auto& call : impl_->calls) {
    if (!call->easy || (which == Which::kNotSent && call->reply.asked)) continue;
    impl_->held_bytes -= call->reply.body.size();
    tags.push_back(call->reply.tag);
    impl_->release(*call);
  }
}

void fail(const std::string& what, const char* why) {
  throw Error("the HTTP client cannot " + what + ": " + why + "; check memory and the limit of open files (ulimit -n)");
}

}  // namespace touchstone::llm_client::transport::internal
