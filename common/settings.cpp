#include "common/settings.hpp"

#include "common/edit_distance.hpp"
#include "common/files.hpp"
#include "common/option_values.hpp"
#include "common/toml_bounds.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace touchstone {
namespace {

constexpr std::uint64_t kMaxConfigBytes = 1 << 20;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// What is behind `key=` on the command line, as TOML: texts need no quotes there, and lists no brackets.
std::string assignment_as_toml(const OptionField& field, std::string_view value) {
  if (internal::is_text(field)) {
    const bool quoted = value.size() >= 2 && value.front() == '"';
    return quoted ? std::string(value) : internal::in_quotes(value);
  }
  const bool bracketed = value.starts_with('[');
  if (!internal::is_list_of_texts(field) || bracketed) return std::string(value);
  std::string toml = "[";
  for (std::string_view rest = value; !rest.empty();) {
    const auto comma = rest.find(',');
    toml += internal::in_quotes(trimmed(rest.substr(0, comma))) + ",";
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
  }
  return toml + "]";
}

}  // namespace

Settings::Settings(std::span<const OptionGroup* const> groups) {
  std::set<std::string_view> keys;
  for (const auto* group : groups) {
    const bool known = std::any_of(groups_.begin(), groups_.end(), [&](const auto& g) { return g.first == group; });
    if (known) continue;
    auto values = group->make();
    for (const auto& row : group->rows) {
      TS_CHECK(keys.insert(row.key).second, "two options have the key " + std::string(row.key));
      options_.push_back({&row, group, row.field(values.get()), OptionOrigin::kDefault, "default"});
    }
    groups_.emplace_back(group, std::move(values));
  }
}

void* Settings::values(const OptionGroup& group) const {
  const auto found =
      std::find_if(groups_.begin(), groups_.end(), [&](const auto& g) { return g.first->type == group.type; });
  TS_CHECK(found != groups_.end(), std::string("these settings have no option group ") + group.type.name());
  return found->second.get();
}

const Settings::OptionState* Settings::find(std::string_view key) const {
  const auto found = std::find_if(options_.begin(), options_.end(), [&](const auto& o) { return o.row->key == key; });
  return found == options_.end() ? nullptr : &*found;
}
Settings::OptionState* Settings::find(std::string_view key) {
  return const_cast<OptionState*>(std::as_const(*this).find(key));
}

std::string Settings::nearest(std::string_view key) const {
  const OptionRow* best = nullptr;
  std::size_t best_distance = std::max<std::size_t>(3, key.size() / 3) + 1;
  for (const auto& option : options_) {
    const auto distance = std::min(edit_distance(key, option.row->key), edit_distance(key, option.row->name()) + 1);
    if (distance < best_distance) best = option.row, best_distance = distance;
  }
  if (best == nullptr) return "; touchstone config --show lists all";
  return "; did you mean \"" + std::string(best->key) + "\"?";
}

/// Walks TOML and gives each value to its option.
struct Settings::Reader {
  Settings& settings;
  const std::string& where;

  void read(const toml::table& table, const std::string& prefix) const {
    for (const auto& [name, node] : table) {
      const std::string key = prefix.empty() ? std::string(name.str()) : prefix + "." + std::string(name.str());
      if (const auto* inner = node.as_table()) {
        read(*inner, key);
        continue;
      }
      const std::string place = internal::place_of(node, where);
      auto* option = settings.find(key);
      if (option == nullptr) {
        settings.add_problem(place + ": there is no option \"" + key + "\"" + settings.nearest(key));
        continue;
      }
      assign(*option, node, place);
      option->origin = OptionOrigin::kFile;
      option->origin_name = where;
    }
  }

  void assign(OptionState& option, const toml::node& node, const std::string& place) const {
    if (auto* tables = std::get_if<TableListField>(&option.field)) {
      assign_tables(*option.row, *tables, node, place);
      return;
    }
    if (auto problem = internal::assign(*option.row, option.field, node); !problem.empty())
      settings.add_problem(place + ": " + problem);
  }

  /// A list of tables. Where one of them is a text, it is TOML itself: so older work directories kept them.
  void assign_tables(const OptionRow& row, const TableListField& field, const toml::node& node,
                     const std::string& place) const {
    const auto wrong = [&](std::string_view got) {
      settings.add_problem(fmt::format("{}: {} must be a {}, not {}", place, row.key, internal::type_name(field), got));
    };
    const auto* array = node.as_array();
    if (array == nullptr) return wrong("a single value");
    field.clear(field.list);
    for (std::size_t i = 0; i < array->size(); ++i) {
      const std::string number = fmt::format(", table {} of {}", i + 1, row.key);
      if (const auto* table = array->get_as<toml::table>(i)) {
        assign_table(field, *table, where, number);
      } else if (const auto text = array->get(i)->value<std::string>()) {
        if (line_of_deep_toml_key(*text) > 0) {
          settings.add_problem(place + number + ": " + deep_toml_key_text());
          continue;
        }
        try {
          assign_table(field, toml::parse(*text), place, number);
        } catch (const toml::parse_error& error) {
          settings.add_problem(place + number + ": not valid TOML (" + std::string(error.description()) + ")");
        }
      } else {
        return wrong("a list with values of another type");
      }
    }
  }

  void assign_table(const TableListField& field, const toml::table& table, const std::string& from,
                    const std::string& number) const {
    const auto& rows = field.group().rows;
    auto& target = field.append(field.list);
    for (const auto& entry : table) {
      const toml::key& name = entry.first;
      const toml::node& node = entry.second;
      const std::string place = (from == where ? internal::place_of(node, from) : from) + number;
      const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r.name() == name.str(); });
      if (row == rows.end()) {
        const auto& any = rows.front();
        const std::string key =
            std::string(any.key.substr(0, any.key.size() - any.name().size())) + std::string(name.str());
        settings.add_problem(place + ": there is no option \"" + key + "\"" + settings.nearest(key));
        continue;
      }
      target.given[static_cast<std::size_t>(row - rows.begin())] = true;
      if (auto problem = internal::assign(*row, row->field(target.values()), node); !problem.empty())
        settings.add_problem(place + ": " + problem);
    }
  }
};

void Settings::read_text(std::string_view toml_text, const std::string& where) {
  if (const auto line = line_of_deep_toml_key(toml_text); line > 0) {
    add_problem(fmt::format("{} line {}: {}", where, line, deep_toml_key_text()));
    return;
  }
  try {
    Reader{*this, where}.read(toml::parse(toml_text, where), "");
  } catch (const toml::parse_error& error) {
    add_problem(fmt::format("{} line {}: not valid TOML ({})", where, error.source().begin.line, error.description()));
  }
}

void Settings::read_file(const std::filesystem::path& file) {
  try {
    read_text(touchstone::read_file(file, kMaxConfigBytes), file.string());
  } catch (const Error& error) {
    std::error_code failed;
    const bool missing = !std::filesystem::exists(file, failed) && !failed;
    add_problem(error.what() + (missing ? did_you_mean_file(file) : std::string()));
  }
}

void Settings::read_assignment(std::string_view assignment) {
  const auto equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    add_problem("--set " + std::string(assignment) + ": write it as key=value");
    return;
  }
  const std::string key(trimmed(assignment.substr(0, equals)));
  const auto value = trimmed(assignment.substr(equals + 1));
  auto* option = find(key);
  if (option == nullptr) {
    add_problem("--set: there is no option \"" + key + "\"" + nearest(key));
    return;
  }
  const std::string where = "--set " + key;
  const std::string toml = "value = " + assignment_as_toml(option->field, value);
  if (line_of_deep_toml_key(toml) > 0) {
    add_problem(where + ": " + deep_toml_key_text());
    return;
  }
  try {
    const toml::table table = toml::parse(toml, where);
    const auto* node = table.get("value");
    if (node == nullptr) return;
    Reader{*this, where}.assign(*option, *node, where);
    option->origin = OptionOrigin::kFlag;
    option->origin_name = "--set";
  } catch (const toml::parse_error&) {
    add_problem(fmt::format("{}: \"{}\" is not a {}", where, value, internal::type_name(option->field)));
  }
}

void Settings::check() {
  for (const auto& [group, values] : groups_) {
    if (group->problems == nullptr) continue;
    for (auto& problem : group->problems(*this)) add_problem(std::move(problem));
  }
}

void Settings::throw_if_problems() const {
  if (problems_.empty()) return;
  throw ConfigError(fmt::format("{}", fmt::join(problems_, "\n       ")));
}

std::string Settings::value_text(std::size_t option) const {
  return internal::text_of(options_.at(option).field);
}

std::string Settings::type_text(std::size_t option) const {
  const auto& field = options_.at(option).field;
  const auto* choice = std::get_if<ChoiceField>(&field);
  return choice == nullptr ? std::string(internal::type_name(field)) : internal::joined(choice->texts, " or ", "");
}

std::string Settings::lines(const std::function<bool(const OptionState&)>& wanted) const {
  std::string text;
  for (const auto& option : options_) {
    if (wanted(option)) text += std::string(option.row->key) + " = " + internal::text_of(option.field) + "\n";
  }
  return text;
}

std::string Settings::fingerprint(std::span<const OptionGroup* const> groups) const {
  return lines([&](const OptionState& option) {
    return option.row->effect == OptionEffect::kOutput &&
           std::find(groups.begin(), groups.end(), option.group) != groups.end();
  });
}

std::string Settings::remembered() const {
  return lines([](const OptionState& option) { return option.row->effect != OptionEffect::kNone; });
}

std::string settings_as_toml(const Settings& settings) {
  std::string outside, text, section;  // what is in no section goes in front of all
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const auto& row = settings.row(i);
    const auto dot = row.key.find('.');
    const auto line =
        fmt::format("{} = {}  # {}: {}\n", row.name(), settings.value_text(i), settings.origin_name(i), row.summary);
    if (dot == std::string_view::npos) {
      outside += line;
      continue;
    }
    if (row.key.substr(0, dot) != section) {
      section = row.key.substr(0, dot);
      text += "\n[" + section + "]\n";
    }
    text += line;
  }
  return outside.empty() && !text.empty() ? text.substr(1) : outside + text;
}

std::string settings_as_markdown(const Settings& settings) {
  std::string text =
      "# Options\n\nGenerated by `touchstone config --markdown` from the option tables of the program. In a file, "
      "`a.b = c` may be\nwritten as `b = c` under `[a]`. A file (`--config`) overrides the default; a flag (`--set "
      "a.b=c`) overrides the file.\n\n"
      "| option | type | default | meaning |\n|---|---|---|---|\n";
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const auto& row = settings.row(i);
    text +=
        fmt::format("| `{}` | {} | `{}` | {} |\n", row.key, settings.type_text(i), settings.value_text(i), row.summary);
  }
  return text;
}

}  // namespace touchstone
