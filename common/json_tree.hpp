#pragma once

#include "common/json_writer.hpp"

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

/// JSON as a tree: small documents that are read, and values built as a tree because their shape is known at run time
/// only. Reading and writing are compiled once, here: instantiated in each source they are most of its compile time.
namespace touchstone {

/// Arrays and objects within each other that parse_json() reads.
constexpr std::size_t kMaxJsonDepth = 512;

/// Reads one JSON value in time linear in the text. Names keep their order; of two equal names of an object, the later
/// value counts. Throws nlohmann::json::exception unless the whole text is one value nested at most kMaxJsonDepth deep.
nlohmann::ordered_json parse_json(std::string_view text);

/// The same, but the result is_discarded() where parse_json() throws.
nlohmann::ordered_json parse_json_or_discard(std::string_view text);

/// Writes the tree as one value.
JsonWriter& write_json_tree(JsonWriter& out, const nlohmann::ordered_json& tree);

/// The whole text of a tree, without a line end.
std::string json_text(const nlohmann::ordered_json& tree, JsonStyle style = {});

}  // namespace touchstone
