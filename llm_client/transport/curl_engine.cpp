#include "llm_client/transport/curl_engine.hpp"

#include "common/descriptor.hpp"
#include "common/error.hpp"
#include "llm_client/transport/connection_table.hpp"
#include "llm_client/transport/curl_call.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <optional>
#include <utility>

#include <curl/curl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

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

struct MultiCleanup {
  void operator()(CURLM* multi) const noexcept { curl_multi_cleanup(multi); }
};

struct ShareCleanup {
  void operator()(CURLSH* share) const noexcept { curl_share_cleanup(share); }
};
using ConnectionPool = std::unique_ptr<CURLSH, ShareCleanup>;

/// curl looks for an idle connection among all that it keeps for a host, one after the other. With a thousand of them
/// this takes longer than the rest of a request, so only so many calls keep their connections in one place.
constexpr std::size_t kCallsPerPool = 8;

ConnectionPool new_connection_pool() {
  ConnectionPool pool(curl_share_init());
  if (!pool) fail("start a request", "out of memory");
  if (const auto code = curl_share_setopt(pool.get(), CURLSHOPT_SHARE, CURL_LOCK_DATA_CONNECT); code != CURLSHE_OK)
    fail("start a request", curl_share_strerror(code));
  return pool;
}

}  // namespace

struct CurlEngine::Impl {
  explicit Impl(const TransportOptions& options);
  ~Impl();

  CurlCall& free_call();
  void act(int descriptor, int events) {
    int running = 0;
    require(curl_multi_socket_action(multi.get(), descriptor, events, &running), "do a step");
  }
  void act_on_due_timer();
  bool restarted(CurlCall& call);
  void collect(std::vector<Reply>& replies);

  static int on_socket(CURL* easy, curl_socket_t descriptor, int what, void* user, void*) noexcept {
    auto& impl = *static_cast<Impl*>(user);
    const bool removed = what == CURL_POLL_REMOVE;
    CurlCall* call = nullptr;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &call);
    if (!removed && call != nullptr) call->descriptor = descriptor;
    try {
      impl.connections.watch(descriptor, (!removed && (what & CURL_POLL_IN) != 0 ? EPOLLIN : 0U) |
                                             (!removed && (what & CURL_POLL_OUT) != 0 ? EPOLLOUT : 0U));
    } catch (...) {
      impl.thrown = std::current_exception();
    }
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
    static_cast<Impl*>(user)->connections.forget(descriptor);
    return ::close(descriptor);
  }

  TransportOptions options;
  Descriptor epoll, woken;
  ConnectionTable connections;
  std::vector<ConnectionPool> pools;             // outlive the calls; closing their connections calls back
  std::vector<std::unique_ptr<CurlCall>> calls;  // connections refer to none of them
  std::vector<CurlCall*> free_calls;
  std::vector<std::pair<CURL*, CURLcode>> ended;  // of one `collect`
  std::exception_ptr thrown;                      // by a callback, which must not throw through curl
  std::optional<steady_clock::time_point> timer_due;
  std::size_t in_flight = 0;
  std::unique_ptr<CURLM, MultiCleanup> multi;  // last: closing its connections calls back
};

CurlEngine::Impl::Impl(const TransportOptions& given)
    : options(given),
      epoll(require_descriptor(epoll_create1(EPOLL_CLOEXEC), "wait for sockets")),
      woken(require_descriptor(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC), "wait for sockets")),
      connections(epoll.get()) {
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

CurlEngine::Impl::~Impl() {
  for (const auto& call : calls) {
    if (call->busy) curl_multi_remove_handle(multi.get(), call->easy.get());
  }
}

CurlCall& CurlEngine::Impl::free_call() {
  if (free_calls.empty()) {
    if (calls.size() % kCallsPerPool == 0) pools.push_back(new_connection_pool());
    auto call = std::make_unique<CurlCall>();
    call->open(options, connections, pools.back().get());
    require(curl_easy_setopt(call->easy.get(), CURLOPT_CLOSESOCKETFUNCTION, &Impl::on_close), "be set up");
    require(curl_easy_setopt(call->easy.get(), CURLOPT_CLOSESOCKETDATA, this), "be set up");
    calls.push_back(std::move(call));
    return *calls.back();
  }
  CurlCall& call = *free_calls.back();
  free_calls.pop_back();
  return call;
}

CurlEngine::CurlEngine(const TransportOptions& options) : impl_(std::make_unique<Impl>(options)) {}
CurlEngine::~CurlEngine() = default;

std::size_t CurlEngine::in_flight() const noexcept {
  return impl_->in_flight;
}

void CurlEngine::start(std::size_t tag, const std::string& url, const Exchange& exchange, const HeaderList& headers,
                       std::chrono::steady_clock::time_point now, bool fresh) {
  CurlCall& call = impl_->free_call();
  call.set_fresh(fresh);
  call.set_request(tag, url, exchange, static_cast<curl_slist*>(headers.get()), impl_->options.http2);
  call.reply.sent = now;
  require(curl_multi_add_handle(impl_->multi.get(), call.easy.get()), "start a request");
  call.busy = true;
  ++impl_->in_flight;
}

void CurlEngine::Impl::act_on_due_timer() {
  if (!timer_due || steady_clock::now() < *timer_due) return;
  timer_due.reset();
  act(CURL_SOCKET_TIMEOUT, 0);
}

/// Starts an attempt again, on a new connection, that was not sent on a kept one.
bool CurlEngine::Impl::restarted(CurlCall& call) {
  if (!call.stale || call.thrown) return false;
  call.stale = false;
  call.descriptor = -1;
  call.error[0] = '\0';
  call.set_fresh(true);
  require(curl_multi_add_handle(multi.get(), call.easy.get()), "start a request");
  return true;
}

void CurlEngine::Impl::collect(std::vector<Reply>& replies) {
  if (thrown) std::rethrow_exception(std::exchange(thrown, nullptr));
  // curl_multi_remove_handle looks through all messages that are still unread.
  ended.clear();
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi.get(), &left)) {
    if (message->msg == CURLMSG_DONE) ended.push_back({message->easy_handle, message->data.result});
  }
  for (const auto& [easy, code] : ended) {
    CurlCall* call = nullptr;
    require(curl_easy_getinfo(easy, CURLINFO_PRIVATE, &call), "tell a reply's request");
    // Asked before the handle leaves, with which its connection goes.
    if (!call->stale) call->finish(code);
    require(curl_multi_remove_handle(multi.get(), easy), "end a request");
    if (restarted(*call)) continue;
    call->busy = false;
    --in_flight;
    free_calls.push_back(call);
    if (call->thrown) std::rethrow_exception(std::exchange(call->thrown, nullptr));
    replies.push_back(std::move(call->reply));
  }
}

void CurlEngine::run(microseconds wait, std::vector<Reply>& replies) {
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
    if (impl.connections.event(descriptor) != ConnectionTable::Event::kForCurl) continue;
    impl.act(descriptor, ((event.events & EPOLLIN) != 0 ? CURL_CSELECT_IN : 0) |
                             ((event.events & EPOLLOUT) != 0 ? CURL_CSELECT_OUT : 0) |
                             ((event.events & (EPOLLERR | EPOLLHUP)) != 0 ? CURL_CSELECT_ERR : 0));
  }
  impl.act_on_due_timer();
  impl.collect(replies);
}

void CurlEngine::wake() noexcept {
  eventfd_write(impl_->woken.get(), 1);
}

void CurlEngine::abort(std::vector<std::size_t>& tags) {
  for (const auto& call : impl_->calls) {
    if (!call->busy) continue;
    curl_multi_remove_handle(impl_->multi.get(), call->easy.get());
    call->busy = false;
    --impl_->in_flight;
    impl_->free_calls.push_back(call.get());
    tags.push_back(call->reply.tag);
  }
}

}  // namespace touchstone::llm_client::transport::internal
