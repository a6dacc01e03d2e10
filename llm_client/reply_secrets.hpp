#pragma once

#include <string>

namespace touchstone::llm_client {

/// Takes the secrets of the process out of the body of a reply before it is stored. A secret that only shows when the
/// pieces of a reply are put together (parts of a content, tokens, events of a stream) cannot be cut out: such a body
/// is replaced by an error of the protocols' form, and holds no answer any more. Returns true when anything was
/// changed. Costs nothing when there are no secrets. Thread-safe.
bool hide_secrets_in_reply(std::string& body);

}  // namespace touchstone::llm_client
