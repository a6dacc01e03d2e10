#include "common/options.hpp"

#define TOML_ENABLE_FORMATTERS 0
#include "common/edit_distance.hpp"
#include "common/error.hpp"
#include "common/files.hpp"

#include <algorithm>
#include <cmath>

#include <toml++/toml.h>

namespace touchstone {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out.push_back('\\');
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else {
      out.push_back(c);
    }
  }
  return out + "\"";
}

std::string number_text(double value);

/// A value within a table of an array, as TOML; empty for what no option can be.
std::string toml_text(const toml::node& node) {
  if (const auto* text = node.as_string()) return in_quotes(text->get());
  if (const auto* integer = node.as_integer()) return std::to_string(integer->get());
  if (const auto* real = node.as_floating_point()) return number_text(real->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  const auto* array = node.as_array();
  if (array == nullptr) return {};
  std::string out = "[";
  for (const auto& element : *array) out += (out.size() > 1 ? ", " : "") + toml_text(element);
  return out + "]";
}

std::string number_text(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15) return std::to_string(static_cast<long long>(value));
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.10g", value);
  return buffer;
}

}  // namespace

OptionSet::OptionSet(std::span<const OptionRow> rows, std::vector<OptionField> fields)
    : rows_(rows),
      fields_(std::move(fields)),
      origins_(rows.size(), OptionOrigin::kDefault),
      origin_names_(rows.size(), "default") {
  TS_CHECK(rows_.size() == fields_.size(), "one field a row");
}

std::size_t OptionSet::find(std::string_view key) const {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].key == key) return i;
  }
  return kNone;
}

std::string OptionSet::nearest(std::string_view key) const {
  std::size_t best = kNone, best_distance = 1000;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto dot = rows_[i].key.rfind('.');
    const auto distance =
        std::min(edit_distance(key, rows_[i].key), edit_distance(key, rows_[i].key.substr(dot + 1)) + 1);
    if (distance < best_distance) best = i, best_distance = distance;
  }
  if (best == kNone || best_distance > std::max<std::size_t>(3, key.size() / 3))
    return "; touchstone config --show lists all";
  return "; did you mean \"" + std::string(rows_[best].key) + "\"?";
}

std::string_view OptionSet::type_name(std::size_t row) const {
  static constexpr std::string_view kNames[] = {"true or false", "whole number", "number", "text", "list of texts"};
  return kNames[fields_[row].index()];
}

void OptionSet::assign(std::size_t row, const void* opaque, const std::string& where) {
  const auto& node = *static_cast<const toml::node*>(opaque);
  const auto wrong = [&](std::string_view got) {
    add_problem(where + ": " + std::string(rows_[row].key) + " must be a " + std::string(type_name(row)) + ", not " +
                std::string(got));
  };
  const auto& field = fields_[row];
  if (auto* const* flag = std::get_if<bool*>(&field)) {
    const auto value = node.value<bool>();
    if (!node.is_boolean() || !value) return wrong("a value of another type");
    **flag = *value;
  } else if (auto* const* integer = std::get_if<std::int64_t*>(&field)) {
    if (!node.is_integer()) return wrong("a value of another type");
    **integer = *node.value<std::int64_t>();
  } else if (auto* const* real = std::get_if<double*>(&field)) {
    if (!node.is_number()) return wrong("a value of another type");
    **real = *node.value<double>();
  } else if (auto* const* text = std::get_if<std::string*>(&field)) {
    if (!node.is_string()) return wrong("a value of another type");
    **text = *node.value<std::string>();
  } else if (auto* const* list = std::get_if<std::vector<std::string>*>(&field)) {
    const auto* array = node.as_array();
    if (array == nullptr) return wrong("a single value");
    std::vector<std::string> values;
    for (const auto& element : *array) {
      if (const auto* table = element.as_table()) {
        auto& text_of_table = values.emplace_back();
        for (const auto& [key, value] : *table)
          text_of_table += std::string(key.str()) + " = " + toml_text(value) + "\n";
        continue;
      }
      if (!element.is_string()) return wrong("a list with values of another type");
      values.push_back(*element.value<std::string>());
    }
    **list = std::move(values);
  }
  check_range(row, where);
}

void OptionSet::check_range(std::size_t row, const std::string& where) {
  const auto& info = rows_[row];
  double value = 0;
  if (const auto* integer = std::get_if<std::int64_t*>(&fields_[row])) value = static_cast<double>(**integer);
  if (const auto* real = std::get_if<double*>(&fields_[row])) value = **real;
  if ((info.minimum != 0 || info.maximum != 0) && !(value >= info.minimum && value <= info.maximum)) {
    add_problem(where + ": " + std::string(info.key) + " is " + number_text(value) + ", but must lie between " +
                number_text(info.minimum) + " and " + number_text(info.maximum));
  }
  const auto* text = std::get_if<std::string*>(&fields_[row]);
  if (text != nullptr && !info.choices.empty()) {
    std::string list = "|" + std::string(info.choices) + "|";
    if (list.find("|" + **text + "|") == std::string::npos || (*text)->find('|') != std::string::npos) {
      std::string choices(info.choices);
      for (std::size_t at = 0; (at = choices.find('|', at)) != std::string::npos; at += 4)
        choices.replace(at, 1, " or ");
      add_problem(where + ": " + std::string(info.key) + " is \"" + **text + "\", but must be " + choices);
    }
  }
}

void OptionSet::read_table(const void* opaque, const std::string& prefix, const std::string& where,
                           OptionOrigin origin) {
  const auto& table = *static_cast<const toml::table*>(opaque);
  for (const auto& [name, node] : table) {
    const std::string key = prefix.empty() ? std::string(name.str()) : prefix + "." + std::string(name.str());
    const std::string place =
        origin == OptionOrigin::kFlag ? where : where + " line " + std::to_string(node.source().begin.line);
    if (const auto* inner = node.as_table()) {
      read_table(inner, key, where, origin);
      continue;
    }
    const std::size_t row = find(key);
    if (row == kNone) {
      add_problem(place + ": there is no option \"" + key + "\"" + nearest(key));
      continue;
    }
    assign(row, static_cast<const toml::node*>(&node), place);
    origins_[row] = origin;
    origin_names_[row] = where;
  }
}

void OptionSet::read_text(std::string_view toml_text, const std::string& where) {
  try {
    const toml::table table = toml::parse(toml_text, where);
    read_table(&table, "", where, OptionOrigin::kFile);
  } catch (const toml::parse_error& error) {
    add_problem(where + " line " + std::to_string(error.source().begin.line) + ": not valid TOML (" +
                std::string(error.description()) + ")");
  }
}

void OptionSet::read_file(const std::filesystem::path& file) {
  constexpr std::uint64_t kMaxConfigBytes = 1 << 20;
  try {
    read_text(touchstone::read_file(file, kMaxConfigBytes), file.string());
  } catch (const Error& error) {
    add_problem(error.what());
  }
}

void OptionSet::read_assignment(std::string_view assignment) {
  const auto equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    add_problem("--set " + std::string(assignment) + ": write it as key=value");
    return;
  }
  const auto trimmed = [](std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
  };
  const std::string key(trimmed(assignment.substr(0, equals)));
  const std::string value(trimmed(assignment.substr(equals + 1)));
  const std::string where = "--set " + key;
  const std::size_t row = find(key);
  if (row == kNone) {
    add_problem("--set: there is no option \"" + key + "\"" + nearest(key));
    return;
  }
  std::string toml_value = value;
  if (std::holds_alternative<std::string*>(fields_[row])) {
    if (value.size() < 2 || value.front() != '"') toml_value = in_quotes(value);
  } else if (std::holds_alternative<std::vector<std::string>*>(fields_[row])) {
    if (value.empty() || value.front() != '[') {
      toml_value = "[";
      for (std::string_view rest = value; !rest.empty();) {
        const auto comma = rest.find(',');
        toml_value += in_quotes(trimmed(rest.substr(0, comma))) + ",";
        rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
      }
      toml_value += "]";
    }
  }
  const std::size_t before = problems_.size();
  try {
    const toml::table table = toml::parse("value = " + toml_value, where);
    const auto* node = table.get("value");
    if (node != nullptr) {
      assign(row, node, where);
      origins_[row] = OptionOrigin::kFlag;
      origin_names_[row] = "--set";
    }
  } catch (const toml::parse_error&) {
    if (problems_.size() == before) {
      add_problem(where + ": \"" + value + "\" is not a " + std::string(type_name(row)));
    }
  }
}

void OptionSet::throw_if_problems() const {
  if (problems_.empty()) return;
  std::string message = problems_.front();
  for (std::size_t i = 1; i < problems_.size(); ++i) message += "\n       " + problems_[i];
  throw ConfigError(message);
}

std::string OptionSet::value_text(std::size_t row) const {
  return std::visit(
      [](const auto* field) -> std::string {
        using Value = std::decay_t<decltype(*field)>;
        if constexpr (std::is_same_v<Value, bool>) {
          return *field ? "true" : "false";
        } else if constexpr (std::is_same_v<Value, std::string>) {
          return in_quotes(*field);
        } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
          std::string text = "[";
          for (const auto& element : *field) text += (text.size() > 1 ? ", " : "") + in_quotes(element);
          return text + "]";
        } else {
          return number_text(static_cast<double>(*field));
        }
      },
      fields_[row]);
}

std::string OptionSet::fingerprint(std::span<const std::string_view> prefixes) const {
  std::string text;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const bool wanted =
        std::any_of(prefixes.begin(), prefixes.end(), [&](auto prefix) { return rows_[i].key.starts_with(prefix); });
    if (wanted && rows_[i].affects_output) text += std::string(rows_[i].key) + " = " + value_text(i) + "\n";
  }
  return text;
}

}  // namespace touchstone
