#pragma once

#include "common/error.hpp"
#include "common/options.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone {

/// A value's source, for `config --show`.
enum class OptionOrigin : std::uint8_t { kDefault, kFile, kFlag };

/// Some option groups with their values. Reads values with the precedence default < file < flag, and collects all
/// problems instead of throwing at the first. Not thread-safe while it reads.
class Settings {
 public:
  /// All options have their defaults. Options are listed in the order of the groups; a group that comes twice counts
  /// once. No two options may have the same key.
  explicit Settings(std::span<const OptionGroup* const> groups);
  Settings(Settings&&) noexcept = default;
  Settings& operator=(Settings&&) noexcept = default;

  /// The values of a group, which must be one of the constructor's.
  template <class Group>
  const Group& get() const {
    return *static_cast<const Group*>(values(option_group<Group>()));
  }
  /// The same, to be changed by the program itself; origins stay as they are.
  template <class Group>
  Group& edit() {
    return *static_cast<Group*>(values(option_group<Group>()));
  }

  /// Reads a TOML file. Unknown keys, wrong types and values out of range become problems.
  void read_file(const std::filesystem::path& file);
  /// TOML text; `where` names it in messages.
  void read_text(std::string_view toml, const std::string& where);
  /// `key=value`; lists are comma-separated or in TOML's brackets.
  void read_assignment(std::string_view assignment);

  /// Asks every group for combinations of values that make no sense.
  void check();
  void add_problem(std::string problem) { problems_.push_back(std::move(problem)); }
  /// Throws ConfigError with all problems found so far, one a line.
  void throw_if_problems() const;

  // The options one by one, in order.
  std::size_t size() const noexcept { return options_.size(); }
  const OptionRow& row(std::size_t option) const { return *options_.at(option).row; }
  /// The value in TOML's notation.
  std::string value_text(std::size_t option) const;
  /// "whole number", "text", ... or the choices: "strict or lenient".
  std::string type_text(std::size_t option) const;
  OptionOrigin origin(std::size_t option) const { return options_.at(option).origin; }
  /// "default", the file's name, or "--set".
  const std::string& origin_name(std::size_t option) const { return options_.at(option).origin_name; }
  const OptionGroup& group(std::size_t option) const { return *options_.at(option).group; }

  /// `key = value` of the options of these groups that output depends on, a line each, in order.
  std::string fingerprint(std::span<const OptionGroup* const> groups) const;
  /// `key = value` of all options that a work directory keeps for its next run, a line each; `read_text` reads it.
  std::string remembered() const;

 private:
  struct OptionState {
    const OptionRow* row;
    const OptionGroup* group;
    OptionField field;
    OptionOrigin origin;
    std::string origin_name;
  };
  struct Reader;  // what knows TOML

  void* values(const OptionGroup& group) const;
  const OptionState* find(std::string_view key) const;
  OptionState* find(std::string_view key);
  std::string nearest(std::string_view key) const;
  std::string lines(const std::function<bool(const OptionState&)>& wanted) const;

  std::vector<std::pair<const OptionGroup*, std::shared_ptr<void>>> groups_;
  std::vector<OptionState> options_;
  std::vector<std::string> problems_;
};

/// All options as TOML, each with its origin and meaning.
std::string settings_as_toml(const Settings& settings);
/// All options as the page docs/config.md.
std::string settings_as_markdown(const Settings& settings);

}  // namespace touchstone
