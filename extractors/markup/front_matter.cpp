#include "extractors/markup/front_matter.hpp"

#include "common/toml_bounds.hpp"
#include "common/unicode.hpp"

#include <toml++/toml.h>
#include <yaml-cpp/yaml.h>

namespace touchstone::extractors::markup {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{64} << 10;
constexpr std::string_view kPositions[] = {"sidebar_position", "weight", "nav_order"};

/// Takes the first line off `text`; without its end.
std::string_view take_line(std::string_view& text) {
  const auto end = text.find('\n');
  auto line = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
  return line;
}

std::string scalar(const YAML::Node& map, std::string_view key) {
  const auto node = map[std::string(key)];
  return node && node.IsScalar() ? repair_utf8(node.Scalar()) : std::string();
}

FrontMatter read_yaml(std::string_view text) {
  FrontMatter found;
  try {
    const auto map = YAML::Load(std::string(text));
    if (map.IsNull()) return found;
    if (!map.IsMap()) throw YAML::Exception(YAML::Mark::null_mark(), "not a map");
    found.title = scalar(map, "title");
    found.sidebar_label = scalar(map, "sidebar_label");
    found.slug = scalar(map, "slug");
    for (const auto key : kPositions) {
      const auto node = map[std::string(key)];
      if (node && node.IsScalar() && !found.position) found.position = node.as<double>(0);
    }
  } catch (const YAML::Exception&) {
    found.damaged = true;
  }
  return found;
}

FrontMatter read_toml(std::string_view text) {
  FrontMatter found;
  if (line_of_deep_toml_key(text) != 0 || !is_valid_utf8(text)) {
    found.damaged = true;
    return found;
  }
  try {
    const auto table = toml::parse(text);
    found.title = table["title"].value_or(std::string());
    found.sidebar_label = table["sidebar_label"].value_or(std::string());
    found.slug = table["slug"].value_or(std::string());
    for (const auto key : kPositions) {
      if (!found.position) found.position = table[key].value<double>();
    }
  } catch (const toml::parse_error&) {
    found.damaged = true;
  }
  return found;
}

}  // namespace

std::optional<FrontMatter> take_front_matter(std::string_view& text) {
  auto rest = text;
  const auto fence = take_line(rest);
  if (fence != "---" && fence != "+++") return std::nullopt;
  const auto begin = rest;
  while (!rest.empty()) {
    const auto size = static_cast<std::size_t>(begin.size() - rest.size());
    if (size > kMaxBytes) return std::nullopt;
    const auto line = take_line(rest);
    if (line != fence && !(fence == "---" && line == "...")) continue;
    const auto metadata = begin.substr(0, size);
    // A rule above the text is no metadata.
    if (fence == "---" && metadata.find(':') == std::string_view::npos && !is_white_space(metadata))
      return std::nullopt;
    text = rest;
    return fence == "---" ? read_yaml(metadata) : read_toml(metadata);
  }
  return std::nullopt;
}

}  // namespace touchstone::extractors::markup
