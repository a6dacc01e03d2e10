#include "llm_client/transport/reply_check.hpp"

#include "llm_client/transport/content_coding.hpp"

#include <memory>

#include <curl/curl.h>

namespace touchstone::llm_client::transport::internal {

std::string find_damage(const ReplyHead& head, bool early, std::size_t max_body_bytes, Reply& reply) {
  if (!head.flaw().empty()) {
    reply.arrival = Arrival::kBroken;
    return head.flaw();
  }
  if (early && reply.status == 200) {
    reply.arrival = Arrival::kBroken;
    return "it was sent before the request had arrived";
  }
  switch (decode_content(head.coding(), reply.body, max_body_bytes)) {
    case Decoding::kDone:
      return {};
    case Decoding::kTooLong:
      reply.arrival = Arrival::kOversized;
      return "its compressed body is too long";
    case Decoding::kDamaged:
      reply.arrival = Arrival::kBroken;
      return "its compressed body is damaged";
    case Decoding::kUnknown:
      break;
  }
  reply.arrival = Arrival::kBroken;
  return "its body is coded in a way that was not asked for";
}

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

}  // namespace touchstone::llm_client::transport::internal
