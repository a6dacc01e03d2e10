#include "llm_client/transport/reply_ids.hpp"

#include "common/digest.hpp"

namespace touchstone::llm_client::transport::internal {

namespace {

/// The id of a reply: the first text under "id", which servers write at the beginning. 0 when there is none.
std::uint64_t id_of(std::string_view reply) {
  constexpr std::size_t kBeginning = 512;
  constexpr std::string_view kName = "\"id\"";
  reply = reply.substr(0, kBeginning);
  auto at = reply.find(kName);
  if (at == std::string_view::npos) return 0;
  at = reply.find_first_not_of(" :", at + kName.size());
  if (at == std::string_view::npos || reply[at] != '"') return 0;
  return xxh3_64(reply.substr(at, reply.find('"', at + 1) - at));
}

}  // namespace

bool ReplyIds::repeats(const Exchanged& previous, std::string_view request, std::string_view reply,
                       Exchanged& present) {
  const auto id = id_of(reply);
  if (id == 0) return false;
  if (first_ == 0) first_ = id;
  vary_ = vary_ || first_ != id;
  present = {xxh3_64(request), xxh3_64(reply)};
  return vary_ && previous.reply == present.reply && previous.request != present.request;
}

}  // namespace touchstone::llm_client::transport::internal
