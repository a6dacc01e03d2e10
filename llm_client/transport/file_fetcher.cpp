#include "llm_client/transport/file_fetcher.hpp"

#include "common/number_text.hpp"
#include "common/version.hpp"
#include "llm_client/transport/http_engine.hpp"
#include "llm_client/transport/outcome.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace touchstone::llm_client::transport {

namespace {

using internal::Reply;
using std::chrono::steady_clock;

constexpr int kMostRedirects = 5;
/// Of the body of an error, which is not shown.
constexpr std::size_t kMaxErrorPageBytes = std::size_t{1} << 20;

/// A validator that may be sent back; RFC 9110, section 13.1.5, allows only strong ones.
std::string validator_of(const internal::ReplyHead& head) {
  const auto& text = head.etag().empty() || head.etag().starts_with("W/") ? head.last_modified() : head.etag();
  const bool is_plain = std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
  return is_plain && text.size() <= 256 ? text : std::string();
}

/// Reads "bytes 5-9/10" or "bytes 5-9/*"; false for another text. Source: RFC 9110, section 14.4.
bool read_range(std::string_view text, FileHead& head) {
  constexpr std::string_view kUnit = "bytes ";
  const auto dash = text.find('-'), slash = text.find('/');
  if (!text.starts_with(kUnit) || dash == std::string_view::npos || slash == std::string_view::npos) return false;
  const auto first = to_number<std::uint64_t>(text.substr(kUnit.size(), dash - kUnit.size()));
  if (!first) return false;
  head.offset = *first;
  head.file_bytes = to_number<std::uint64_t>(text.substr(slash + 1));
  return true;
}

/// `location` as it is meant on the page `url`; empty if it is no address of http or https, or if it would leave https.
std::string redirect_target(const std::string& url, const std::string& location) {
  const std::unique_ptr<CURLU, internal::CurlCleanup<&curl_url_cleanup>> target(curl_url());
  char* text = nullptr;
  if (!target || curl_url_set(target.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK ||
      curl_url_set(target.get(), CURLUPART_URL, location.c_str(), 0) != CURLUE_OK ||
      curl_url_get(target.get(), CURLUPART_URL, &text, 0) != CURLUE_OK)
    return {};
  std::string resolved = text;
  curl_free(text);
  const bool is_web =
      resolved.starts_with("https://") || (resolved.starts_with("http://") && !url.starts_with("https:"));
  return is_web ? resolved : std::string();
}

}  // namespace

namespace internal {

/// One file on its way.
struct Fetch : BodySink {
  Fetch(FileRequest asked, FileSink& into) : request(std::move(asked)), sink(into), url(request.url) {
    std::vector<std::string> lines = {
        fmt::format("User-Agent: touchstone/{} (test collections from wikis)", program_version()),
        "Accept-Encoding: identity"};
    // A connection of HTTP/1 serves one request.
    if (url.starts_with("http:")) lines.emplace_back("Connection: close");
    if (request.offset > 0) {
      lines.push_back(fmt::format("Range: bytes={}-", request.offset));
      if (!request.validator.empty()) lines.push_back("If-Range: " + request.validator);
    }
    headers = header_list(lines);
  }

  bool begin(int status, const ReplyHead& head) override {
    FileHead file;
    file.validator = validator_of(head);
    file.file_bytes = to_number<std::uint64_t>(head.length());
    wrong_range = status == 206 && (!read_range(head.range(), file) || file.offset != request.offset);
    unwanted = !wrong_range && !sink.begin(file);
    return !wrong_range && !unwanted;
  }
  bool take(std::string_view bytes) override {
    unwanted = !sink.take(bytes);
    return !unwanted;
  }

  const FileRequest request;
  FileSink& sink;
  std::string url;
  const Exchange exchange = {};  // GET
  HeaderList headers;
  int redirects = 0;
  bool unwanted = false, wrong_range = false;
};

}  // namespace internal

namespace {

using internal::Fetch;

TransportOptions engine_options(TransportOptions options) {
  options.max_reply_bytes = kMaxErrorPageBytes;
  options.in_flight = 1;  // no reply is given up for the memory of others
  return options;
}

bool is_redirect(const Reply& reply) {
  return reply.arrival == internal::Arrival::kReply && !reply.location.empty() &&
         (reply.status == 301 || reply.status == 302 || reply.status == 303 || reply.status == 307 ||
          reply.status == 308);
}

FetchEnd end_of(const Reply& reply, const Fetch& fetch) {
  if (fetch.unwanted) return FetchEnd::kUnwanted;
  if (fetch.wrong_range) return FetchEnd::kMayHeal;
  const bool arrived = reply.arrival == internal::Arrival::kReply;
  if (arrived && (reply.status == 200 || reply.status == 206)) return FetchEnd::kDone;
  if (arrived && (reply.status == 404 || reply.status == 410)) return FetchEnd::kNotThere;
  if (arrived && reply.status == 416) return FetchEnd::kPastEnd;
  using internal::Outcome;
  switch (internal::classify(reply)) {
    case Outcome::kThrottled:
    case Outcome::kUnreached:
    case Outcome::kTransient:
    case Outcome::kSuspect:
      return FetchEnd::kMayHeal;
    default:
      return FetchEnd::kFailed;
  }
}

}  // namespace

struct FileFetcher::Impl {
  explicit Impl(const TransportOptions& options) : engine(engine_options(options)) {}

  void send(std::size_t tag, Fetch& fetch) {
    engine.start(tag, fetch.url, fetch.exchange, fetch.headers, steady_clock::now(), &fetch);
  }
  std::optional<FetchResult> settle(const Reply& reply);

  std::map<std::size_t, internal::Fetch> fetches;  // by tag; lives longer than the engine, which uses it
  internal::HttpEngine engine;
};

/// The result of a request; nothing if it goes on at another address.
std::optional<FetchResult> FileFetcher::Impl::settle(const Reply& reply) {
  const auto found = fetches.find(reply.tag);
  auto& fetch = found->second;
  FetchResult result{reply.tag, end_of(reply, fetch), reply.hints.retry_after, {}};
  const auto origin = internal::origin_of(fetch.url);
  if (is_redirect(reply)) {
    const auto target = redirect_target(fetch.url, reply.location);
    if (!target.empty() && fetch.redirects < kMostRedirects) {
      ++fetch.redirects;
      fetch.url = target;
      send(reply.tag, fetch);
      return std::nullopt;
    }
    result.end = FetchEnd::kFailed;
    result.failure = target.empty() ? fmt::format("{} redirects to an address that is not followed", origin)
                                    : fmt::format("{} redirects more than {} times", origin, kMostRedirects);
  } else if (fetch.wrong_range) {
    result.failure = fmt::format("{} sent another range than it was asked for", origin);
  } else if (result.end != FetchEnd::kDone && result.end != FetchEnd::kUnwanted) {
    result.failure = reply.arrival == internal::Arrival::kReply
                         ? fmt::format("{} answered {}", origin, reply.status)
                         : fmt::format("{}: {}", origin, internal::describe_arrival(reply));
  }
  fetches.erase(found);
  return result;
}

FileFetcher::FileFetcher(const TransportOptions& options) : impl_(std::make_unique<Impl>(options)) {}
FileFetcher::~FileFetcher() = default;

void FileFetcher::start(std::size_t tag, const FileRequest& request, FileSink& sink) {
  const auto [place, added] = impl_->fetches.try_emplace(tag, request, sink);
  impl_->send(tag, place->second);
}

std::vector<FetchResult> FileFetcher::run(std::chrono::milliseconds wait) {
  std::vector<Reply> replies;
  impl_->engine.run(wait, replies);
  std::vector<FetchResult> results;
  for (const auto& reply : replies) {
    if (auto result = impl_->settle(reply)) results.push_back(std::move(*result));
  }
  return results;
}

}  // namespace touchstone::llm_client::transport
