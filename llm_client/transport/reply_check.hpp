#pragma once

#include "llm_client/transport/reply.hpp"
#include "llm_client/transport/reply_head.hpp"

#include <cstddef>
#include <string>

namespace touchstone::llm_client::transport::internal {

/// The heads of one reply, interim ones included, are no longer.
inline constexpr std::size_t kMaxHeaderBytes = std::size_t{64} << 10;

/// Reasons why a reply is not believed, in words for a user.
inline constexpr const char* kClosedWithoutReply = "the connection was closed without a reply";
inline constexpr const char* kSpokeUnasked = "the server sent bytes before it was asked";
inline constexpr const char* kNotItsOwnConnection = "it came over HTTP/1 on a connection that another request had used";
inline constexpr const char* kEndlessHead = "its headers have no end";

/// Looks at a reply that arrived with its end: undoes the coding of its body, and tells what is wrong with it. Empty
/// when it is whole; else `reply.arrival` is set, too. Pure and thread-safe.
/// \param early  it began before the server can have read the request
std::string find_damage(const ReplyHead& head, bool early, std::size_t max_body_bytes, Reply& reply);

/// Host of a `Location`; empty when it has none.
std::string host_of(const std::string& url);

}  // namespace touchstone::llm_client::transport::internal
