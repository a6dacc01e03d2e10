#include "common/json_tree.hpp"

#include "common/error.hpp"

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace touchstone {
namespace {

using Json = nlohmann::ordered_json;

/// Builds the tree while the text is read. An object looks its names up one after the other; where it has many, they
/// are looked up in a table, so that reading stays linear in the text.
class TreeBuilder final : public nlohmann::json_sax<Json> {
 public:
  explicit TreeBuilder(bool throws) : throws_(throws) {}

  Json take() { return std::move(root_); }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    auto& level = levels_.back();
    auto& members = level.value->get_ref<Json::object_t&>();
    if (members.size() == kManyNames && level.places.empty()) {
      for (std::size_t i = 0; i < members.size(); ++i) level.places.emplace(members.data()[i].first, i);
    }
    if (members.size() < kManyNames) {
      level.member = &members[name];
      return true;
    }
    const auto [place, fresh] = level.places.emplace(name, members.size());
    if (fresh) members.push_back({std::move(name), nullptr});
    level.member = &members.data()[place->second].second;
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) override {
    if (throws_) {
      if (const auto* range = dynamic_cast<const Json::out_of_range*>(&error)) throw Json::out_of_range(*range);
      throw Json::parse_error(dynamic_cast<const Json::parse_error&>(error));  // the reader throws only these two
    }
    root_ = Json(Json::value_t::discarded);
    return false;
  }

 private:
  static constexpr std::size_t kManyNames = 32;
  static constexpr int kOtherError = 501;

  struct Level {
    Json* value;
    Json* member = nullptr;  ///< in an object: where the next value goes
    std::unordered_map<std::string, std::size_t> places;
  };

  Json* place(Json&& value) {
    if (levels_.empty()) return &(root_ = std::move(value));
    Json& parent = *levels_.back().value;
    if (parent.is_object()) return &(*levels_.back().member = std::move(value));
    parent.push_back(std::move(value));
    return &parent.back();
  }

  template <class Value>
  bool add(Value&& value) {
    place(Json(std::forward<Value>(value)));
    return true;
  }

  bool open(Json&& value) {
    if (levels_.size() == kMaxJsonDepth) {
      if (throws_) throw Json::other_error::create(kOtherError, "JSON is nested too deeply", nullptr);
      root_ = Json(Json::value_t::discarded);
      return false;
    }
    levels_.push_back({place(std::move(value)), nullptr, {}});
    return true;
  }

  bool close() {
    levels_.pop_back();
    return true;
  }

  bool throws_;
  Json root_;
  std::vector<Level> levels_;
};

Json read_tree(std::string_view text, bool throws) {
  TreeBuilder builder(throws);
  Json::sax_parse(text, &builder);
  return builder.take();
}

}  // namespace

Json parse_json(std::string_view text) {
  return read_tree(text, true);
}

Json parse_json_or_discard(std::string_view text) {
  return read_tree(text, false);
}

JsonWriter& write_json_tree(JsonWriter& out, const Json& tree) {
  using Type = Json::value_t;
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

std::string json_text(const Json& tree, JsonStyle style) {
  JsonWriter out(style);
  return write_json_tree(out, tree).take();
}

}  // namespace touchstone
