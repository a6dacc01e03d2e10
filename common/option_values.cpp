#include "common/option_values.hpp"

#include "common/error.hpp"

#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace touchstone::internal {
namespace {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

std::string number_text(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15) return std::to_string(static_cast<long long>(value));
  return fmt::format("{:.10g}", value);
}

std::string list_text(std::size_t count, const std::function<std::string(std::size_t)>& element) {
  std::string text = "[";
  for (std::size_t i = 0; i < count; ++i) text += (i > 0 ? ", " : "") + element(i);
  return text + "]";
}

std::string table_text(const OptionGroup& group, GivenOptions& table) {
  std::string text;
  for (std::size_t i = 0; i < group.rows.size(); ++i) {
    if (!table.given[i]) continue;
    text += (text.empty() ? "" : ", ") + std::string(group.rows[i].name()) + " = " +
            text_of(group.rows[i].field(table.values()));
  }
  return "{" + text + "}";
}

std::optional<std::size_t> find_choice(const ChoiceTexts& texts, std::string_view text) {
  for (std::size_t i = 0; i < texts.count; ++i) {
    if (texts.text(i) == text) return i;
  }
  return std::nullopt;
}

/// Puts the texts of a list, or one text, into `texts`. Returns what else the node is; empty: texts.
std::string_view read_texts(const toml::node& node, std::vector<std::string>& texts) {
  if (node.is_string()) {
    if (auto text = *node.value<std::string>(); !text.empty()) texts.push_back(std::move(text));
    return {};
  }
  const auto* array = node.as_array();
  if (array == nullptr) return "a single value";
  for (const auto& element : *array) {
    if (!element.is_string()) return "a list with values of another type";
    texts.push_back(*element.value<std::string>());
  }
  return {};
}

std::string range_problem(const OptionRow& row, double value) {
  const auto [minimum, maximum] = row.range;
  if ((minimum == 0 && maximum == 0) || (value >= minimum && value <= maximum)) return {};
  return fmt::format("{} is {}, but must lie between {} and {}", row.key, number_text(value), number_text(minimum),
                     number_text(maximum));
}

std::string assign_choices(const OptionRow& row, const ChoiceListField& field, const std::vector<std::string>& texts) {
  std::vector<std::size_t> indices;
  for (const auto& text : texts) {
    const auto index = find_choice(field.texts, text);
    if (!index)
      return fmt::format("{} holds \"{}\", but may hold only {}", row.key, text, joined(field.texts, " and ", "\""));
    indices.push_back(*index);
  }
  field.set(field.list, indices);
  return {};
}

}  // namespace

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

std::string joined(const ChoiceTexts& texts, std::string_view separator, std::string_view quote) {
  std::string text;
  for (std::size_t i = 0; i < texts.count; ++i)
    text += fmt::format("{}{}{}{}", i > 0 ? separator : "", quote, texts.text(i), quote);
  return text;
}

std::string place_of(const toml::node& node, const std::string& where) {
  return where + " line " + std::to_string(node.source().begin.line);
}

std::string_view type_name(const OptionField& field) {
  static constexpr std::string_view kNames[] = {"true or false", "whole number", "number",        "text",
                                                "list of texts", "text",         "list of texts", "list of tables"};
  static_assert(std::size(kNames) == std::variant_size_v<OptionField>);
  return kNames[field.index()];
}

bool is_text(const OptionField& field) {
  return std::holds_alternative<std::string*>(field) || std::holds_alternative<ChoiceField>(field);
}
bool is_list_of_texts(const OptionField& field) {
  return std::holds_alternative<std::vector<std::string>*>(field) || std::holds_alternative<ChoiceListField>(field);
}

std::string assign(const OptionRow& row, const OptionField& field, const toml::node& node) {
  const auto wrong = [&](std::string_view got = "a value of another type") {
    return fmt::format("{} must be a {}, not {}", row.key, type_name(field), got);
  };
  return std::visit(Overloaded{[&](bool* value) {
                                 if (!node.is_boolean()) return wrong();
                                 *value = *node.value<bool>();
                                 return std::string();
                               },
                               [&](std::int64_t* value) {
                                 if (!node.is_integer()) return wrong();
                                 *value = *node.value<std::int64_t>();
                                 return range_problem(row, static_cast<double>(*value));
                               },
                               [&](double* value) {
                                 if (!node.is_number()) return wrong();
                                 *value = *node.value<double>();
                                 return range_problem(row, *value);
                               },
                               [&](std::string* value) {
                                 if (!node.is_string()) return wrong();
                                 *value = *node.value<std::string>();
                                 return std::string();
                               },
                               [&](std::vector<std::string>* value) {
                                 std::vector<std::string> texts;
                                 if (const auto got = read_texts(node, texts); !got.empty()) return wrong(got);
                                 *value = std::move(texts);
                                 return std::string();
                               },
                               [&](const ChoiceField& choice) {
                                 if (!node.is_string()) return wrong();
                                 const auto text = *node.value<std::string>();
                                 const auto index = find_choice(choice.texts, text);
                                 if (!index)
                                   return fmt::format("{} is \"{}\", but must be {}", row.key, text,
                                                      joined(choice.texts, " or ", ""));
                                 choice.set(choice.value, *index);
                                 return std::string();
                               },
                               [&](const ChoiceListField& choices) {
                                 std::vector<std::string> texts;
                                 if (const auto got = read_texts(node, texts); !got.empty()) return wrong(got);
                                 return assign_choices(row, choices, texts);
                               },
                               [&](const TableListField&) -> std::string {
                                 TS_CHECK(false, "a table in a list of tables holds plain options only");
                                 return {};
                               }},
                    field);
}

std::string text_of(const OptionField& field) {
  return std::visit(
      Overloaded{[](const bool* value) { return std::string(*value ? "true" : "false"); },
                 [](const std::int64_t* value) { return std::to_string(*value); },
                 [](const double* value) { return number_text(*value); },
                 [](const std::string* value) { return in_quotes(*value); },
                 [](const std::vector<std::string>* list) {
                   return list_text(list->size(), [&](std::size_t i) { return in_quotes((*list)[i]); });
                 },
                 [](const ChoiceField& choice) { return in_quotes(choice.texts.text(choice.get(choice.value))); },
                 [](const ChoiceListField& choices) {
                   const auto indices = choices.get(choices.list);
                   return list_text(indices.size(),
                                    [&](std::size_t i) { return in_quotes(choices.texts.text(indices[i])); });
                 },
                 [](const TableListField& field_of_tables) {
                   const auto tables = field_of_tables.tables(field_of_tables.list);
                   return list_text(tables.size(),
                                    [&](std::size_t i) { return table_text(field_of_tables.group(), *tables[i]); });
                 }},
      field);
}

}  // namespace touchstone::internal
