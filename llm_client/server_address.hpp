#pragma once

#include <string>
#include <string_view>

namespace touchstone::llm_client {

/// One of the servers of a model.
struct ServerAddress {
  std::string url;    ///< "https://api.example.org/v1"
  double weight = 1;  ///< share of the requests beside the other servers', > 0
};

/// Reads "URL" or "URL WEIGHT". A weight that is not a number is read as 0.
ServerAddress server_address(const std::string& text);

std::string without_slash(std::string url);

/// What is wrong with an address, as a sentence that begins with `what`; empty when nothing is. Never repeats a part of
/// the address, which may hold a secret.
std::string address_problem(std::string_view what, const std::string& url);

}  // namespace touchstone::llm_client
