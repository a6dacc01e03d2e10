#include "llm_client/transport/http_engine.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

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

/// \param known  null for a socket that epoll does not watch yet
int HttpEngine::on_socket(CURL*, curl_socket_t descriptor, int what, void* user, void* known) noexcept {
  auto& engine = *static_cast<HttpEngine*>(user);
  if (what == CURL_POLL_REMOVE) {
    epoll_ctl(engine.epoll_.get(), EPOLL_CTL_DEL, descriptor, nullptr);
    return 0;
  }
  epoll_event event{};
  event.events = ((what & CURL_POLL_IN) != 0 ? EPOLLIN : 0U) | ((what & CURL_POLL_OUT) != 0 ? EPOLLOUT : 0U);
  event.data.fd = descriptor;
  const int operation = known == nullptr ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
  if (epoll_ctl(engine.epoll_.get(), operation, descriptor, &event) != 0) engine.watch_error_ = errno;
  if (known == nullptr) curl_multi_assign(engine.multi_.get(), descriptor, &engine);
  return 0;
}

int HttpEngine::on_timer(CURLM*, long timeout_ms, void* user) noexcept {
  auto& due = static_cast<HttpEngine*>(user)->timer_due_;
  due.reset();
  if (timeout_ms >= 0) due = steady_clock::now() + std::chrono::milliseconds(timeout_ms);
  return 0;
}

HttpEngine::HttpEngine(TransportOptions options)
    : options_(std::move(options)),
      epoll_(require_descriptor(epoll_create1(EPOLL_CLOEXEC), "wait for sockets")),
      woken_(require_descriptor(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC), "wait for sockets")) {
  static const CURLcode global = curl_global_init(CURL_GLOBAL_DEFAULT);
  internal::require(global, "start");
  sessions_.reset(curl_share_init());
  multi_.reset(curl_multi_init());
  if (!multi_ || !sessions_) fail("start", "out of memory");
  if (const auto code = curl_share_setopt(sessions_.get(), CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
      code != CURLSHE_OK)
    fail("be set up", curl_share_strerror(code));
  const auto set = [&](CURLMoption option, auto value) {
    require(curl_multi_setopt(multi_.get(), option, value), "be set up");
  };
  set(CURLMOPT_SOCKETFUNCTION, &HttpEngine::on_socket);
  set(CURLMOPT_SOCKETDATA, this);
  set(CURLMOPT_TIMERFUNCTION, &HttpEngine::on_timer);
  set(CURLMOPT_TIMERDATA, this);
  set(CURLMOPT_PIPELINING, static_cast<long>(CURLPIPE_MULTIPLEX));
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = woken_.get();
  if (epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, woken_.get(), &event) != 0) fail("wait for sockets", std::strerror(errno));
}

HttpEngine::~HttpEngine() {
  for (const auto& [tag, call] : calls_) curl_multi_remove_handle(multi_.get(), call.easy.get());
}

void HttpEngine::start(std::size_t tag, const std::string& url, const Exchange& exchange, const HeaderList& headers,
                       steady_clock::time_point now, BodySink* sink) {
  auto& call = calls_
                   .try_emplace(tag, tag, url, exchange, headers, options_, sessions_.get(), multiplexed_.contains(url),
                                held_bytes_)
                   .first->second;
  call.reply.sent = now;
  call.sink = sink;
  require(curl_multi_add_handle(multi_.get(), call.easy.get()), "start a request");
}

void HttpEngine::act(int descriptor, int events) {
  int running = 0;
  require(curl_multi_socket_action(multi_.get(), descriptor, events, &running), "do a step");
}

void HttpEngine::act_on_due_timer() {
  if (!timer_due_ || steady_clock::now() < *timer_due_) return;
  timer_due_.reset();
  act(CURL_SOCKET_TIMEOUT, 0);
}

void HttpEngine::release(std::size_t tag) {
  const auto call = calls_.find(tag);
  require(curl_multi_remove_handle(multi_.get(), call->second.easy.get()), "end a request");
  calls_.erase(call);
}

void HttpEngine::collect(std::vector<Reply>& replies) {
  if (watch_error_ != 0) fail("wait for sockets", std::strerror(watch_error_));
  // curl_multi_remove_handle looks through all messages that are still unread.
  std::vector<std::pair<CURL*, CURLcode>> ended;
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_.get(), &left)) {
    if (message->msg == CURLMSG_DONE) ended.emplace_back(message->easy_handle, message->data.result);
  }
  for (const auto& [easy, code] : ended) {
    HttpCall* call = nullptr;
    internal::require(curl_easy_getinfo(easy, CURLINFO_PRIVATE, &call), "tell a reply's request");
    held_bytes_ -= call->reply.body.size();
    call->finish(code);
    if (call->multiplexed) {
      multiplexed_.insert(call->url);
    } else if (call->secure && call->reply.arrival == Arrival::kReply) {
      multiplexed_.erase(call->url);
    }
    if (call->thrown) std::rethrow_exception(call->thrown);
    const auto tag = call->reply.tag;
    replies.push_back(std::move(call->reply));
    release(tag);
  }
}

void HttpEngine::run(microseconds wait, std::vector<Reply>& replies) {
  act_on_due_timer();
  collect(replies);
  if (!replies.empty()) wait = microseconds(0);
  if (timer_due_) wait = std::min(wait, std::chrono::ceil<microseconds>(*timer_due_ - steady_clock::now()));
  std::array<epoll_event, 256> events;
  const auto wait_ms = std::chrono::ceil<std::chrono::milliseconds>(std::max(wait, microseconds(0))).count();
  const int count = epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), static_cast<int>(wait_ms));
  if (count < 0 && errno != EINTR) fail("wait for sockets", std::strerror(errno));
  for (int i = 0; i < count; ++i) {
    const auto& event = events[static_cast<std::size_t>(i)];
    const int descriptor = event.data.fd;
    if (descriptor == woken_.get()) {
      eventfd_t ignored = 0;
      eventfd_read(descriptor, &ignored);
      continue;
    }
    act(descriptor, ((event.events & EPOLLIN) != 0 ? CURL_CSELECT_IN : 0) |
                        ((event.events & EPOLLOUT) != 0 ? CURL_CSELECT_OUT : 0) |
                        ((event.events & (EPOLLERR | EPOLLHUP)) != 0 ? CURL_CSELECT_ERR : 0));
  }
  act_on_due_timer();
  collect(replies);
}

void HttpEngine::wake() noexcept {
  eventfd_write(woken_.get(), 1);
}

void HttpEngine::abort(Which which, std::vector<std::size_t>& tags) {
  for (auto at = calls_.begin(); at != calls_.end();) {
    const auto& [tag, call] = *at++;
    if (which == Which::kNotSent && call.reply.asked) continue;
    held_bytes_ -= call.reply.body.size();
    tags.push_back(tag);
    release(tag);
  }
}

}  // namespace touchstone::llm_client::transport::internal
