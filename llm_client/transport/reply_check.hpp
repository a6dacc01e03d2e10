#pragma once

#include "llm_client/transport/reply.hpp"
#include "llm_client/transport/reply_head.hpp"

#include <cstddef>
#include <string>

namespace touchstone::llm_client::transport::internal {

/// The heads of one reply, interim ones included, are no longer.
inline constexpr std::size_t kMaxHeaderBytes = std::size_t{64} << 10;

/// Reasons why a reply is not believed, in words for a user.
inline constexpr const char* kRepeatsReply = "it repeats the reply to the request before";
inline constexpr const char* kClosedWithoutReply = "the connection was closed without a reply";
inline constexpr const char* kSpokeUnasked = "the server sent bytes before it was asked";
inline constexpr const char* kEndlessHead = "its headers have no end";

/// What its connection tells of a reply.
struct Circumstances {
  bool early = false;  ///< it began before the server can have read the request
  bool kept = false;   ///< the connection was kept from an earlier request
};

/// Looks at a reply that arrived with its end: undoes the coding of its body, and tells what is wrong with it. Empty
/// when it is whole; else `reply.arrival` is set, too. Pure and thread-safe.
std::string find_damage(const ReplyHead& head, Circumstances circumstances, std::size_t max_body_bytes, Reply& reply);

/// Host of a `Location`; empty when it has none.
std::string host_of(const std::string& url);

}  // namespace touchstone::llm_client::transport::internal
