#include "annotation/server/server.hpp"

#include "annotation/server/assets.hpp"
#include "annotation/server/connection_pool.hpp"
#include "annotation/server/messages.hpp"
#include "annotation/server/rate_limit.hpp"
#include "common/error.hpp"
#include "common/log.hpp"
#include "common/system_failure.hpp"
#include "common/thread_limit.hpp"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <httplib.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace touchstone::annotation::server {
namespace {

using httplib::Request;
using httplib::Response;

constexpr const char* kJson = "application/json";
constexpr const char* kContentPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";
constexpr int kReadSeconds = 10, kWriteSeconds = 10, kFirstByteSeconds = 2;
constexpr std::chrono::milliseconds kIdleInterval{50};
/// Enough to share one flush to disk among many answers, and few enough to stay warm.
constexpr int kFewThreads = 48;
constexpr std::size_t kHistory = 100;

constexpr std::string_view kExpired =
    "this browser has no session here, or its link was replaced; open your personal link again";

void send_json(Response& response, const std::string& json, int status = 200) {
  response.status = status;
  response.set_header("Cache-Control", "no-store");
  response.set_content(json, kJson);
}

void send_error(Response& response, int status, std::string_view sentence) {
  send_json(response, error_json(sentence), status);
}

const char* type_of(std::string_view name) {
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  return name.ends_with(".css") ? "text/css; charset=utf-8" : "text/html; charset=utf-8";
}

/// Why a request is refused before its body is read; a status of 0 if it is not.
struct Refusal {
  int status = 0;
  std::string_view sentence;
};

/// Requests are plain: a GET without a body, or a POST of JSON whose length is known. The library would read bodies of
/// any length that come in chunks, and unpack compressed ones.
Refusal refusal_of(const Request& request) {
  const bool posts = request.method == "POST";
  if (!posts && request.method != "GET" && request.method != "HEAD")
    return {405, "this address takes GET and POST only"};
  if (request.has_header("Transfer-Encoding")) return {411, "the request does not say its length"};
  const auto lengths = request.get_header_value_count("Content-Length");
  if (lengths > 1) return {400, "the request has two lengths"};
  if (posts && lengths == 0) return {411, "the request does not say its length"};
  if (!posts && lengths > 0 && request.get_header_value("Content-Length") != "0")
    return {400, "a request for a page has no body"};
  if (posts && (!request.get_header_value("Content-Type").starts_with(kJson) || request.has_header("Content-Encoding")))
    return {415, "the request is not JSON"};
  if (request.get_header_value("Sec-Fetch-Site") == "cross-site" && request.path.starts_with("/api/"))
    return {403, "the request comes from another site"};
  return {};
}

void refuse(Response& response, const Refusal& refusal) {
  if (refusal.status == 405) response.set_header("Allow", "GET, HEAD, POST");
  send_error(response, refusal.status, refusal.sentence);
}

/// The value of a cookie; empty if it is not there.
std::string_view cookie_of(std::string_view cookies, std::string_view name) {
  while (!cookies.empty()) {
    const auto end = std::min(cookies.find(';'), cookies.size());
    auto part = cookies.substr(0, end);
    cookies.remove_prefix(std::min(end + 1, cookies.size()));
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    if (part.starts_with(name) && part.size() > name.size() && part[name.size()] == '=')
      return part.substr(name.size() + 1);
  }
  return {};
}

}  // namespace

struct AnnotationServer::Impl {
  Impl(Campaign& campaign, ServerOptions options) : campaign_(campaign), options_(std::move(options)) {
    if (has_tls()) {
      server_ = std::make_unique<httplib::SSLServer>(options_.tls_certificate.c_str(), options_.tls_key.c_str());
      if (!server_->is_valid()) {
        throw ConfigError(fmt::format("{} and {} are no certificate with its key that a server can use; give PEM files",
                                      options_.tls_certificate.string(), options_.tls_key.string()));
      }
    } else {
      server_ = std::make_unique<httplib::Server>();
    }
    check_thread_limit(options_.threads);
    server_->new_task_queue = [threads = options_.threads] {
      return new ConnectionPool(kFewThreads, static_cast<std::size_t>(threads));  // the server deletes it
    };
    server_->set_idle_interval(kIdleInterval);
    server_->set_tcp_nodelay(has_tls());
    server_->set_payload_max_length(kMaxRequestBytes);
    server_->set_read_timeout(kReadSeconds);
    server_->set_write_timeout(kWriteSeconds);
    server_->set_keep_alive_timeout(kFirstByteSeconds);
    server_->set_keep_alive_max_count(1);  // a kept connection holds a thread, and people think for longer than that
    server_->set_pre_routing_handler([](const Request& request, Response& response) {
      // Pages are sent whole: the library would send one as often as ranges of it are asked for.
      const_cast<Request&>(request).ranges.clear();
      const auto refusal = refusal_of(request);
      if (refusal.status == 0) return httplib::Server::HandlerResponse::Unhandled;
      refuse(response, refusal);
      return httplib::Server::HandlerResponse::Handled;
    });
    add_headers();
    add_failures();
    add_pages();
    add_annotator_routes();
    add_owner_routes();
  }

  bool has_tls() const { return !options_.tls_certificate.empty(); }
  bool is_secure() const { return has_tls() || options_.public_url.starts_with("https://"); }

  std::string bind() {
    auto& [host, port] = options_.bind;
    int listening = -1;
    server_->set_socket_options([&listening](int socket) {
      httplib::default_socket_options(socket);
      listening = socket;
    });
    if (port == 0) {
      port = server_->bind_to_any_port(host);
    } else if (!server_->bind_to_port(host, port)) {
      port = -1;
    }
    if (port <= 0) {
      throw StorageError(
          fmt::format("cannot listen at {}: the address is not of this machine, or another program has "
                      "the port; give another --bind",
                      options_.bind.host));
    }
    prepare(listening);
    // The library lets five connections wait. The others of a burst would try again a second later.
    if (::listen(listening, SOMAXCONN) != 0) throw StorageError(failure_text("listen at", options_.bind.host, errno));
    return options_.public_url.empty() ? url_of(options_.bind, has_tls()) : options_.public_url;
  }

  /// What accepted connections take over. Both are for speed alone, so that a system without them is as good.
  void prepare(int listening) const {
    // A connection comes here with its request, so that one which only waits, as browsers open them, takes no thread.
    const int seconds = kReadSeconds;
    static_cast<void>(::setsockopt(listening, IPPROTO_TCP, TCP_DEFER_ACCEPT, &seconds, sizeof seconds));
    // The connection ends behind the reply, which then is one packet. A handshake has replies before that.
    const int yes = 1;
    if (!has_tls()) static_cast<void>(::setsockopt(listening, IPPROTO_TCP, TCP_CORK, &yes, sizeof yes));
  }

  void add_headers() {
    httplib::Headers headers{{"Content-Security-Policy", kContentPolicy},
                             {"X-Content-Type-Options", "nosniff"},
                             {"X-Frame-Options", "DENY"},
                             {"Referrer-Policy", "no-referrer"},
                             {"Cross-Origin-Opener-Policy", "same-origin"},
                             {"Cross-Origin-Resource-Policy", "same-origin"},
                             {"Permissions-Policy", "camera=(), microphone=(), geolocation=()"}};
    if (is_secure()) headers.emplace("Strict-Transport-Security", "max-age=31536000");
    server_->set_default_headers(std::move(headers));
  }

  void add_failures() {
    server_->set_error_handler([](const Request& /*request*/, Response& response) {
      if (!response.body.empty() || response.has_header("Content-Type")) return;
      const auto status = response.status;
      send_error(response, status,
                 status == 413   ? "the request is too long"
                 : status == 404 ? "there is nothing at this address"
                                 : "the request cannot be read");
    });
    server_->set_exception_handler([this](const Request& /*request*/, Response& response, std::exception_ptr error) {
      try {
        std::rethrow_exception(std::move(error));
      } catch (const FormatError& wrong) {
        send_error(response, 400, wrong.what());
      } catch (const StorageError& full) {
        tell_failure(full.what());
        send_error(response, 503, "the server cannot write answers now; keep this page open, they are sent again");
      } catch (const std::exception& other) {
        tell_failure(other.what());
        send_error(response, 500, "the server failed at this request; keep this page open, it is sent again");
      }
    });
  }

  /// On the log, at most once a minute.
  void tell_failure(const char* what) {
    if (failures_.take("", RateLimit::Clock::now())) log_warn("annotate: {}", what);
  }

  void add_pages() {
    for (const auto& asset : page_assets()) {
      const auto path = asset.name == "annotate.html" ? std::string("/")
                        : asset.name == "owner.html"  ? std::string("/owner")
                                                      : "/" + std::string(asset.name);
      server_->Get(path, [asset](const Request& /*request*/, Response& response) {
        response.set_header("Cache-Control", "no-cache");
        response.set_content(asset.text.data(), asset.text.size(), type_of(asset.name));
      });
    }
    const auto enter = [this](const Request& request, Response& response) { open_link(request, response); };
    server_->Get(R"(/a/([A-Za-z0-9_-]{1,64}))", enter);
    server_->Get(R"(/o/([A-Za-z0-9_-]{1,64}))", enter);
  }

  std::string cookie_name(bool owner) const { return (owner ? "touchstone_owner_" : "touchstone_") + campaign_.id(); }

  void set_cookie(Response& response, bool owner, const std::string& value, std::chrono::seconds age) const {
    response.set_header("Set-Cookie",
                        fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict; Max-Age={}{}", cookie_name(owner), value,
                                    age.count(), is_secure() ? "; Secure" : ""));
  }

  /// Takes the cookie out of this browser. The link goes on to work.
  void sign_out(const Request& request, Response& response, bool owner) {
    if (!admit(request, response, owner, true)) return;
    set_cookie(response, owner, "", std::chrono::seconds(0));
    send_json(response, "{}");
  }

  void open_link(const Request& request, Response& response) {
    const auto now = RateLimit::Clock::now();
    const auto who = campaign_.access().find_token(request.matches[1].str());
    const bool owner = request.path.starts_with("/o/");
    if (!who || owner != (*who == Access::kOwner)) {
      if (!wrong_links_.take(request.remote_addr, now)) {
        response.set_header("Retry-After", "60");
        send_error(response, 429, "too many wrong links; wait a minute");
        return;
      }
      send_error(response, 404, "this link is not known; ask for a new one");
      return;
    }
    constexpr std::chrono::days kSignedIn(90);
    set_cookie(response, owner, campaign_.access().cookie_of(*who), kSignedIn);
    response.set_header("Cache-Control", "no-store");
    // A page that moves on, not a redirect: browsers send strict cookies only where one of our pages leads.
    const auto* const next = owner ? "/owner" : "/";
    response.set_content(
        fmt::format("<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" "
                    "content=\"0;url={0}\"><title>Touchstone</title><a href=\"{0}\">Go on</a></html>",
                    next),
        "text/html; charset=utf-8");
  }

  /// Who a request is from; sends the error and returns nothing if it may not pass.
  std::optional<std::size_t> admit(const Request& request, Response& response, bool owner, bool changes) {
    const auto& access = campaign_.access();
    const auto cookies = request.get_header_value("Cookie");
    const auto who = access.find_cookie(cookie_of(cookies, cookie_name(owner)));
    if (!who || owner != (*who == Access::kOwner)) {
      send_error(response, 401, kExpired);
      return std::nullopt;
    }
    if (changes && !equal_in_constant_time(request.get_header_value("X-CSRF-Token"), access.csrf_of(*who))) {
      send_error(response, 403, "the request does not come from this page; load the page again");
      return std::nullopt;
    }
    if (!requests_.take(std::to_string(*who), RateLimit::Clock::now())) {
      response.set_header("Retry-After", "5");
      send_error(response, 429, "too many requests; they are sent again in some seconds");
      return std::nullopt;
    }
    return who;
  }

  void add_annotator_routes() {
    server_->Get("/api/session", [this](const Request& request, Response& response) {
      if (const auto who = admit(request, response, false, false)) send_json(response, session_json(campaign_, *who));
    });
    server_->Post("/api/next", [this](const Request& request, Response& response) {
      const auto who = admit(request, response, false, true);
      if (!who) return;
      const auto wish = read_next(request.body);
      send_json(response, next_json(campaign_, campaign_.next(*who, wish.count, wish.have)));
    });
    server_->Post("/api/answers", [this](const Request& request, Response& response) {
      const auto who = admit(request, response, false, true);
      if (!who) return;
      const auto answers = read_answers(request.body);
      const auto results = campaign_.post(*who, answers);
      send_json(response, results_json(answers, results, campaign_.progress(*who)));
    });
    server_->Post("/api/sign-out",
                  [this](const Request& request, Response& response) { sign_out(request, response, false); });
    server_->Get("/api/history", [this](const Request& request, Response& response) {
      if (const auto who = admit(request, response, false, false))
        send_json(response, history_json(campaign_, campaign_.history(*who, kHistory)));
    });
  }

  void add_owner_routes() {
    server_->Get("/api/owner/session", [this](const Request& request, Response& response) {
      if (const auto who = admit(request, response, true, false)) {
        send_json(response, fmt::format("{{\"csrf\":\"{}\"}}", campaign_.access().csrf_of(*who)));
      }
    });
    server_->Post("/api/owner/sign-out",
                  [this](const Request& request, Response& response) { sign_out(request, response, true); });
    server_->Get("/api/owner/summary", [this](const Request& request, Response& response) {
      if (admit(request, response, true, false)) send_json(response, options_.summary());
    });
    server_->Post("/api/owner/withdraw", [this](const Request& request, Response& response) {
      if (!admit(request, response, true, true)) return;
      const auto wish = read_take_back(request.body);
      send_json(response, changed_json(campaign_.take_back(wish.filter, wish.reopen, wish.dry_run)));
    });
    server_->Get("/api/owner/annotations.jsonl", [this](const Request& request, Response& response) {
      if (!admit(request, response, true, false)) return;
      std::string lines;
      for (const auto& annotation : campaign_.annotations()) lines += annotation_line(annotation) + "\n";
      download(response, lines, "annotations.jsonl", "application/jsonlines");
    });
    server_->Get("/api/owner/annotators.tsv", [this](const Request& request, Response& response) {
      if (!admit(request, response, true, false)) return;
      std::string lines = "annotator\tname\n";
      for (const auto& [name, pseudonym, token, listed] : campaign_.access().annotators())
        lines += pseudonym + "\t" + name + "\n";
      download(response, lines, "annotators.tsv", "text/tab-separated-values; charset=utf-8");
    });
  }

  static void download(Response& response, const std::string& text, const char* name, const char* type) {
    response.set_header("Cache-Control", "no-store");
    response.set_header("Content-Disposition", fmt::format("attachment; filename=\"{}\"", name));
    response.set_content(text, type);
  }

  void run(const StopFlag& stop) {
    std::atomic<bool> ended{false};
    std::thread watcher([&] {
      while (!ended) {
        if (stop.requested()) server_->stop();  // again and again, since it may not listen yet
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
      }
    });
    const bool served = server_->listen_after_bind();
    ended = true;
    watcher.join();
    if (!served && !stop.requested()) throw StorageError("the server ended: the system does not accept connections");
  }

  Campaign& campaign_;
  ServerOptions options_;
  std::unique_ptr<httplib::Server> server_;
  RateLimit requests_{20, 200}, wrong_links_{0.2, 20}, failures_{1.0 / 60, 1};
};

AnnotationServer::AnnotationServer(Campaign& campaign, ServerOptions options)
    : impl_(std::make_unique<Impl>(campaign, std::move(options))), url_(impl_->bind()) {}

AnnotationServer::~AnnotationServer() = default;

void AnnotationServer::run(const StopFlag& stop) {
  impl_->run(stop);
}

}  // namespace touchstone::annotation::server
