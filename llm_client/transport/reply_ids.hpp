#pragma once

#include <cstdint>
#include <string_view>

namespace touchstone::llm_client::transport::internal {

/// A request and its reply, by hashes; zeros when there was none.
struct Exchanged {
  std::uint64_t request = 0, reply = 0;
};

/// Whether the server at one address gives each reply an id of its own, by which a reply that it sends twice shows. Not
/// thread-safe.
class ReplyIds {
 public:
  /// True when a reply repeats, byte for byte, the reply of `previous` to another request, although the server gives
  /// each reply an id of its own. Sets `present`, unless the reply has no id.
  bool repeats(const Exchanged& previous, std::string_view request, std::string_view reply, Exchanged& present);

 private:
  std::uint64_t first_ = 0;
  bool vary_ = false;
};

}  // namespace touchstone::llm_client::transport::internal
