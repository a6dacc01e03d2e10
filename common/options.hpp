#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace touchstone {

/// Where an option's value lives in the program's config structs.
using OptionField = std::variant<bool*, std::int64_t*, double*, std::string*, std::vector<std::string>*>;

/// One row of the table that the config parser, `config --show`, the help and docs/config.md are made from.
struct OptionRow {
  std::string_view key;             ///< dotted, as in the file: "groups.min_members"
  std::string_view summary;         ///< one sentence: effect, unit, when to change it
  double minimum = 0, maximum = 0;  ///< for numbers; both 0: any
  std::string_view choices = {};    ///< for texts with a fixed set: "strict|lenient"
  bool affects_output = true;       ///< false for speed and memory settings: they are in no fingerprint
  bool remembered = false;  ///< in no fingerprint, but kept with the work directory for its next run: addresses, prices
};

/// A value's source, for `config --show`.
enum class OptionOrigin : std::uint8_t { kDefault, kFile, kFlag };

/// Binds rows to fields, and reads values with the precedence default < file < flag.
/// Not thread-safe; the bound fields must outlive it.
class OptionSet {
 public:
  /// `fields[i]` belongs to `rows[i]`; the fields' present values are the defaults.
  OptionSet(std::span<const OptionRow> rows, std::vector<OptionField> fields);

  /// Reads a TOML file. A list of texts may also be written as an array of tables; each then becomes the TOML text of
  /// its keys. Unknown keys, wrong types and values out of range are collected, not thrown.
  void read_file(const std::filesystem::path& file);
  /// TOML text; `where` names it in messages.
  void read_text(std::string_view toml, const std::string& where);
  /// `key=value`; lists are comma-separated or in TOML's brackets.
  void read_assignment(std::string_view assignment);

  /// Adds a problem found by the caller (combinations of values).
  void add_problem(std::string problem) { problems_.push_back(std::move(problem)); }
  /// Throws ConfigError with all problems found so far, one a line.
  void throw_if_problems() const;

  /// `key = value` in TOML's notation, without origin.
  std::string value_text(std::size_t row) const;
  OptionOrigin origin(std::size_t row) const { return origins_.at(row); }
  const std::string& origin_name(std::size_t row) const { return origin_names_.at(row); }
  std::span<const OptionRow> rows() const noexcept { return rows_; }
  std::string_view type_name(std::size_t row) const;

  /// Values that affect output of all rows whose key starts with one of `prefixes`, as text for a fingerprint.
  std::string fingerprint(std::span<const std::string_view> prefixes) const;

 private:
  std::size_t find(std::string_view key) const;
  void check_range(std::size_t row, const std::string& where);
  std::string nearest(std::string_view key) const;
  // Opaque: toml::node and toml::table, so that only one source file reads the large header.
  void assign(std::size_t row, const void* node, const std::string& where);
  void read_table(const void* table, const std::string& prefix, const std::string& where, OptionOrigin origin);

  std::span<const OptionRow> rows_;
  std::vector<OptionField> fields_;
  std::vector<OptionOrigin> origins_;
  std::vector<std::string> origin_names_;
  std::vector<std::string> problems_;
};

}  // namespace touchstone
