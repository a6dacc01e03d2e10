#pragma once

#include <string>
#include <string_view>

namespace touchstone::judge_server {

/// Falsifies a right chat completion, which comes with status 200 all the same. Leaves it as it is when the deed is
/// none of these.
void twist(std::string_view deed, std::string& body);

}  // namespace touchstone::judge_server
