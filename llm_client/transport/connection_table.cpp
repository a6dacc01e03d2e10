#include "llm_client/transport/connection_table.hpp"

#include "common/digest.hpp"

#include <netinet/in.h>
#include <sys/epoll.h>
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

Exchanged ConnectionTable::previous(int descriptor) const noexcept {
  const auto* connection = at(descriptor);
  return connection == nullptr || connection->multiplexed ? Exchanged{} : connection->last;
}

bool ConnectionTable::repeats_reply(int descriptor, const Exchanged& previous, const std::string& url,
                                    std::string_view request, std::string_view reply) {
  Exchanged present;
  const bool repeats = ids_[url].repeats(previous, request, reply, present);
  auto* connection = at(descriptor);
  if (present.reply != 0 && connection != nullptr && connection->registered != 0) connection->last = present;
  return repeats;
}

void ConnectionTable::close(int descriptor) noexcept {
  auto* connection = at(descriptor);
  if (connection == nullptr) return;
  unregister(descriptor, *connection);
  ::shutdown(descriptor, SHUT_RDWR);
}

}  // namespace touchstone::llm_client::transport::internal
