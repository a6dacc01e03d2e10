#include "common/json_tree.hpp"

#include "common/error.hpp"

#include <nlohmann/json.hpp>

namespace touchstone {

JsonWriter& write_json_tree(JsonWriter& out, const nlohmann::ordered_json& tree) {
  using Type = nlohmann::ordered_json::value_t;
  switch (tree.type()) {
    case Type::object:
      out.begin_object();
      for (const auto& [name, value] : tree.items()) write_json_tree(out.key(name), value);
      return out.end_object();
    case Type::array:
      out.begin_array();
      for (const auto& value : tree) write_json_tree(out, value);
      return out.end_array();
    case Type::string:
      return out.value(tree.get_ref<const std::string&>());
    case Type::boolean:
      return out.value(tree.get<bool>());
    case Type::number_integer:
      return out.value(tree.get<std::int64_t>());
    case Type::number_unsigned:
      return out.value(tree.get<std::uint64_t>());
    case Type::number_float:
      return out.value(tree.get<double>());
    case Type::null:
      return out.value(nullptr);
    case Type::binary:
    case Type::discarded:
      break;
  }
  TS_CHECK(false, "a tree of JSON values");
  return out;
}

std::string json_text(const nlohmann::ordered_json& tree, JsonStyle style) {
  JsonWriter out(style);
  return write_json_tree(out, tree).take();
}

}  // namespace touchstone
