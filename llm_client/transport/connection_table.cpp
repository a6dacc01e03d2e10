#include "llm_client/transport/connection_table.hpp"

#include "common/digest.hpp"

#include <algorithm>
#include <cerrno>

#include <linux/sockios.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

namespace touchstone::llm_client::transport::internal {

namespace {

std::uint64_t key_of(const ConnectionTable::Place& place) {
  return xxh3_64(place.address,
                 static_cast<std::uint64_t>(place.port) << 16 | static_cast<std::uint64_t>(place.local_port));
}

int local_port_of(int descriptor) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0) return -1;
  if (address.ss_family == AF_INET) return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
  if (address.ss_family == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
  return -1;
}

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

ConnectionTable::Connection* ConnectionTable::at(int descriptor) noexcept {
  const auto index = static_cast<std::size_t>(descriptor);
  return descriptor >= 0 && index < connections_.size() ? &connections_[index] : nullptr;
}

const ConnectionTable::Connection* ConnectionTable::at(int descriptor) const noexcept {
  const auto index = static_cast<std::size_t>(descriptor);
  return descriptor >= 0 && index < connections_.size() ? &connections_[index] : nullptr;
}

void ConnectionTable::watch(int descriptor, std::uint32_t wanted) {
  const auto index = static_cast<std::size_t>(descriptor);
  if (index >= connections_.size()) connections_.resize(index + 64);
  auto& connection = connections_[index];
  connection.wanted = wanted;
  if (wanted == 0) connection.requests = 0;
  if (wanted == 0 || wanted == connection.registered) return;
  epoll_event event{};
  event.events = wanted;
  event.data.fd = descriptor;
  const int operation = connection.registered == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
  // A failure cannot be reported from inside curl. It shows as a timeout of the transfer.
  if (epoll_ctl(epoll_, operation, descriptor, &event) == 0) connection.registered = wanted;
}

void ConnectionTable::forget(int descriptor) noexcept {
  auto* connection = at(descriptor);
  if (connection == nullptr) return;
  if (const auto found = descriptors_.find(connection->key); found != descriptors_.end() && found->second == descriptor)
    descriptors_.erase(found);
  *connection = {};
}

ConnectionTable::Event ConnectionTable::event(int descriptor) noexcept {
  auto* connection = at(descriptor);
  if (connection == nullptr || connection->registered == 0) return Event::kOfClosed;
  if (connection->wanted != 0) return Event::kForCurl;
  // The server closed an idle connection, or spoke on it unasked. Either way it serves no further request.
  unregister(descriptor, *connection);
  if (!connection->multiplexed) ::shutdown(descriptor, SHUT_RDWR);
  return Event::kOfIdle;
}

void ConnectionTable::unregister(int descriptor, Connection& connection) noexcept {
  if (connection.registered != 0) epoll_ctl(epoll_, EPOLL_CTL_DEL, descriptor, nullptr);
  connection.registered = 0;
}

int ConnectionTable::find(const Place& place, const std::vector<int>& opened) {
  const auto key = key_of(place);
  for (auto descriptor = opened.rbegin(); descriptor != opened.rend(); ++descriptor) {
    if (local_port_of(*descriptor) != place.local_port) continue;
    const auto index = static_cast<std::size_t>(*descriptor);
    if (index >= connections_.size()) connections_.resize(index + 64);
    connections_[index].key = key;
    descriptors_[key] = *descriptor;
    return *descriptor;
  }
  const auto found = descriptors_.find(key);
  return found == descriptors_.end() ? -1 : found->second;
}

ConnectionTable::State ConnectionTable::state(int descriptor) const noexcept {
  char byte = 0;
  const auto received = ::recv(descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  if (received > 0) return State::kHoldsBytes;
  if (received < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return State::kClean;
  return State::kClosed;
}

bool ConnectionTable::has_unread_request(int descriptor) noexcept {
  int bytes = 0;
  return descriptor >= 0 && ::ioctl(descriptor, SIOCOUTQ, &bytes) == 0 && bytes > 0;
}

void ConnectionTable::set_multiplexed(int descriptor, bool multiplexed) noexcept {
  if (auto* connection = at(descriptor)) connection->multiplexed = multiplexed;
}

void ConnectionTable::begin_request(int descriptor) noexcept {
  if (auto* connection = at(descriptor)) ++connection->requests;
}

void ConnectionTable::end_request(int descriptor) noexcept {
  if (auto* connection = at(descriptor); connection != nullptr && connection->requests > 0) --connection->requests;
}

bool ConnectionTable::has_request(int descriptor) const noexcept {
  const auto* connection = at(descriptor);
  return connection != nullptr && connection->requests > 0;
}

bool ConnectionTable::is_multiplexed(int descriptor) const noexcept {
  const auto* connection = at(descriptor);
  return connection != nullptr && connection->multiplexed;
}

ConnectionTable::Exchanged ConnectionTable::previous(int descriptor) const noexcept {
  const auto* connection = at(descriptor);
  return connection == nullptr || connection->multiplexed ? Exchanged{} : connection->last;
}

bool ConnectionTable::repeats_reply(int descriptor, const Exchanged& previous, const std::string& url,
                                    std::string_view request, std::string_view reply) {
  const auto id = id_of(reply);
  if (id == 0) return false;
  auto& ids = ids_[url];
  if (ids.first == 0) ids.first = id;
  ids.vary = ids.vary || ids.first != id;
  const Exchanged present{xxh3_64(request), xxh3_64(reply)};
  if (auto* connection = at(descriptor); connection != nullptr && connection->registered != 0)
    connection->last = present;
  return ids.vary && previous.reply == present.reply && previous.request != present.request;
}

void ConnectionTable::close(int descriptor) noexcept {
  auto* connection = at(descriptor);
  if (connection == nullptr) return;
  unregister(descriptor, *connection);
  ::shutdown(descriptor, SHUT_RDWR);
}

}  // namespace touchstone::llm_client::transport::internal
