#include "llm_client/single_exchange.hpp"

#include <utility>

namespace touchstone::llm_client {

transport::Delivery exchange_alone(std::vector<transport::Endpoint> endpoints, transport::TransportOptions options,
                                   transport::Exchange exchange, const StopFlag& stop) {
  constexpr std::chrono::milliseconds kTakeWait{200};
  transport::Transport transport(std::move(endpoints), std::move(options));
  exchange.id = kOnlyExchange;
  transport.submit(std::move(exchange));
  transport.close();
  for (;;) {
    auto deliveries = transport.take(kTakeWait);
    if (!deliveries.empty()) return std::move(deliveries.front());
    if (stop.requested()) {
      transport.cancel();
      stop.check();
    }
  }
}

}  // namespace touchstone::llm_client
