#pragma once

#include "common/json_writer.hpp"

#include <string>

#include <nlohmann/json_fwd.hpp>

/// JSON that was read into a tree, or built as one because its shape is known at run time only, written as all other
/// JSON is.
namespace touchstone {

/// Writes the tree as one value.
JsonWriter& write_json_tree(JsonWriter& out, const nlohmann::ordered_json& tree);

/// The whole text of a tree, without a line end.
std::string json_text(const nlohmann::ordered_json& tree, JsonStyle style = {});

}  // namespace touchstone
