#pragma once

#include "common/stop.hpp"
#include "llm_client/transport/transport.hpp"

#include <cstdint>
#include <vector>

namespace touchstone::llm_client {

/// Id of an exchange that is alone, for the gate of the options.
inline constexpr std::uint64_t kOnlyExchange = 1;

/// One exchange over a transport of its own, so that what it meets does not stop the run's. Waits for its end; on a
/// stop request it gives the exchange up and throws Interrupted.
transport::Delivery exchange_alone(std::vector<transport::Endpoint> endpoints, transport::TransportOptions options,
                                   transport::Exchange exchange, const StopFlag& stop);

}  // namespace touchstone::llm_client
