#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace touchstone::llm_client::transport {

/// The `error` object of a body, or what is in its place; null when there is none, and for bodies above 64 KiB.
nlohmann::ordered_json error_of(std::string_view body);

/// A field's text; empty when it is absent or something else, as of a value that is not an object.
std::string text_in(const nlohmann::ordered_json& object, const char* name);

/// True when the body of an error says that a filter of the provider held the request or its answer back. Pure and
/// thread-safe; takes any bytes.
bool names_content_filter(std::string_view body);

}  // namespace touchstone::llm_client::transport
