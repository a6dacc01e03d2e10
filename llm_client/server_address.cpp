#include "llm_client/server_address.hpp"

#include <charconv>

#include <fmt/format.h>

namespace touchstone::llm_client {

ServerAddress server_address(const std::string& text) {
  const auto blank = text.find_last_of(' ');
  if (blank == std::string::npos) return {text, 1};
  double weight = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + blank + 1, end, weight);
  return {text.substr(0, text.find_last_not_of(' ', blank) + 1), error == std::errc() && stop == end ? weight : 0};
}

std::string without_slash(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  return url;
}

std::string address_problem(std::string_view what, const std::string& url) {
  const auto scheme = url.find("://");
  const bool known = url.starts_with("http://") || url.starts_with("https://");
  if (!known || url.size() <= scheme + 3) return fmt::format("{} must start with http:// or https:// and a host", what);
  const std::string rest = url.substr(scheme + 3);
  if (rest.substr(0, rest.find('/')).find('@') != std::string::npos || rest.find_first_of("?#") != std::string::npos)
    return fmt::format(
        "{} holds a user name, password, query or fragment; give the address alone, and the key by judge.key_env or "
        "judge.key_file",
        what);
  return {};
}

}  // namespace touchstone::llm_client
