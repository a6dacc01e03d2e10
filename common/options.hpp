#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <typeindex>
#include <variant>
#include <vector>

namespace touchstone {

class Settings;

// An option group is a struct of values with their defaults, together with one table that describes them:
//
//   enum class Mode { kStrict, kLenient };
//   template <> struct Choices<Mode> { static constexpr Choice<Mode> table[] = {{"strict", Mode::kStrict}, ...}; };
//
//   struct GroupsOptions {
//     Mode mode = Mode::kLenient;
//     std::int64_t min_members = 3;
//     static std::vector<Option<GroupsOptions>> options() {
//       return {{"groups.mode", &GroupsOptions::mode, "What happens to a column with an empty cell."},
//               {"groups.min_members", &GroupsOptions::min_members, between(1, 1e6), "Fewer members discard a
//               column."}};
//     }
//     static std::vector<std::string> problems(const Settings&);  // optional: combinations that make no sense
//   };
//
// Settings (common/settings.hpp) holds such groups and reads their values. The config parser, `config --show`, the
// documentation and the fingerprints of stages are all made from the tables.

/// Smallest and largest value of a number; both 0: any.
struct OptionRange {
  double minimum = 0, maximum = 0;
};
constexpr OptionRange between(double minimum, double maximum) {
  return {minimum, maximum};
}

/// What a change of an option means for work that is done.
enum class OptionEffect : std::uint8_t {
  kOutput,      ///< output depends on it: it is in the fingerprint of every stage that reads it
  kRemembered,  ///< in no fingerprint, but kept with the work directory for its next run: addresses, prices
  kNone         ///< in no fingerprint and not kept: speed, memory, files of the moment
};

/// A value of an enum, and how it is written.
template <class Enum>
struct Choice {
  std::string_view text;
  Enum value;
};

/// To be specialised for each enum that an option can hold: `static constexpr Choice<Enum> table[]`, with every value
/// once, in the order in which messages and documents list them.
template <class Enum>
struct Choices;

/// How a value of such an enum is written; empty for a value that is not in the table.
template <class Enum>
constexpr std::string_view choice_text(Enum value) {
  for (const auto& choice : Choices<Enum>::table) {
    if (choice.value == value) return choice.text;
  }
  return {};
}

/// The texts of an enum without its type.
struct ChoiceTexts {
  std::size_t count = 0;
  std::string_view (*text)(std::size_t index) = nullptr;

  template <class Enum>
  static ChoiceTexts of() {
    return {std::size(Choices<Enum>::table), [](std::size_t index) { return Choices<Enum>::table[index].text; }};
  }
};

/// An option whose value is one of an enum. Indices are those of the enum's table of texts.
struct ChoiceField {
  ChoiceTexts texts;
  void* value = nullptr;
  std::size_t (*get)(const void* value) = nullptr;
  void (*set)(void* value, std::size_t index) = nullptr;
};

/// An option whose value is a list of an enum's values.
struct ChoiceListField {
  ChoiceTexts texts;
  void* list = nullptr;
  std::vector<std::size_t> (*get)(const void* list) = nullptr;
  void (*set)(void* list, const std::vector<std::size_t>& indices) = nullptr;
};

struct OptionGroup;

/// The values of one table in a list of tables, and which of the group's options it gave.
class GivenOptions {
 public:
  virtual ~GivenOptions() = default;
  virtual void* values() = 0;

  std::vector<bool> given;  ///< a flag for each row of the group

 protected:
  GivenOptions() = default;
  GivenOptions(const GivenOptions&) = default;
  GivenOptions(GivenOptions&&) = default;
  GivenOptions& operator=(const GivenOptions&) = default;
  GivenOptions& operator=(GivenOptions&&) = default;
};

/// An option whose value is a list of tables with the keys of a group.
struct TableListField {
  const OptionGroup& (*group)() = nullptr;
  void* list = nullptr;
  void (*clear)(void* list) = nullptr;
  GivenOptions& (*append)(void* list) = nullptr;
  std::vector<GivenOptions*> (*tables)(void* list) = nullptr;
};

/// Where an option's value lives in its group.
using OptionField = std::variant<bool*, std::int64_t*, double*, std::string*, std::vector<std::string>*, ChoiceField,
                                 ChoiceListField, TableListField>;

/// One row of the table that describes a group.
struct OptionRow {
  std::string_view key;      ///< dotted, as in the file: "groups.min_members"
  std::string_view summary;  ///< one sentence: effect, unit, when to change it
  OptionRange range;
  OptionEffect effect = OptionEffect::kOutput;
  std::function<OptionField(void* group)> field;
  std::function<void(void* to, const void* from)> copy;  ///< between two groups of the same type

  /// The key within its section: "min_members".
  std::string_view name() const { return key.substr(key.rfind('.') + 1); }
};

/// A group's type, table and defaults without the type. Made by `option_group`.
struct OptionGroup {
  std::type_index type;
  std::vector<OptionRow> rows;
  std::shared_ptr<void> (*make)() = nullptr;                            ///< a group with its defaults
  std::vector<std::string> (*problems)(const Settings& all) = nullptr;  ///< a sentence each; may be null
};

/// The description of a group; one object a type.
template <class Group>
const OptionGroup& option_group();

/// Values of some of a group's options, to be laid over another group's values.
template <class Group>
class Overrides : public GivenOptions {
 public:
  Overrides() { given.assign(option_group<Group>().rows.size(), false); }

  /// `base` with the options that are given here.
  Group over(Group base) const {
    const auto& rows = option_group<Group>().rows;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (given[i]) rows[i].copy(&base, &values_);
    }
    return base;
  }
  void* values() override { return &values_; }

 private:
  Group values_;
};

namespace internal {

inline OptionField field_of(bool& value) {
  return &value;
}
inline OptionField field_of(std::int64_t& value) {
  return &value;
}
inline OptionField field_of(double& value) {
  return &value;
}
inline OptionField field_of(std::string& value) {
  return &value;
}
inline OptionField field_of(std::vector<std::string>& value) {
  return &value;
}

template <class Enum>
std::size_t choice_index(Enum value) {
  const auto& table = Choices<Enum>::table;
  return static_cast<std::size_t>(
      std::find_if(std::begin(table), std::end(table), [&](const auto& choice) { return choice.value == value; }) -
      std::begin(table));
}

template <class Enum>
requires std::is_enum_v<Enum> OptionField field_of(Enum& value) {
  return ChoiceField{ChoiceTexts::of<Enum>(), &value,
                     [](const void* at) { return choice_index(*static_cast<const Enum*>(at)); },
                     [](void* at, std::size_t index) { *static_cast<Enum*>(at) = Choices<Enum>::table[index].value; }};
}

template <class Enum>
requires std::is_enum_v<Enum> OptionField field_of(std::vector<Enum>& list) {
  return ChoiceListField{ChoiceTexts::of<Enum>(), &list,
                         [](const void* at) {
                           std::vector<std::size_t> indices;
                           for (const auto value : *static_cast<const std::vector<Enum>*>(at))
                             indices.push_back(choice_index(value));
                           return indices;
                         },
                         [](void* at, const std::vector<std::size_t>& indices) {
                           auto& values = *static_cast<std::vector<Enum>*>(at);
                           values.clear();
                           for (const auto index : indices) values.push_back(Choices<Enum>::table[index].value);
                         }};
}

template <class Group>
OptionField field_of(std::vector<Overrides<Group>>& list) {
  using List = std::vector<Overrides<Group>>;
  return TableListField{&option_group<Group>, &list, [](void* at) { static_cast<List*>(at)->clear(); },
                        [](void* at) -> GivenOptions& { return static_cast<List*>(at)->emplace_back(); },
                        [](void* at) {
                          std::vector<GivenOptions*> tables;
                          for (auto& table : *static_cast<List*>(at)) tables.push_back(&table);
                          return tables;
                        }};
}

}  // namespace internal

/// A row of a group's own table: binds a key to a member of the group.
template <class Group>
struct Option : OptionRow {
  template <class Value>
  Option(std::string_view name, Value Group::*member, OptionRange bounds, OptionEffect change,
         std::string_view sentence)
      : OptionRow{name,
                  sentence,
                  bounds,
                  change,
                  [member](void* group) { return internal::field_of(static_cast<Group*>(group)->*member); },
                  [member](void* to, const void* from) {
                    static_cast<Group*>(to)->*member = static_cast<const Group*>(from)->*member;
                  }} {}
  template <class Value>
  Option(std::string_view name, Value Group::*member, OptionRange bounds, std::string_view sentence)
      : Option(name, member, bounds, OptionEffect::kOutput, sentence) {}
  template <class Value>
  Option(std::string_view name, Value Group::*member, OptionEffect change, std::string_view sentence)
      : Option(name, member, OptionRange{}, change, sentence) {}
  template <class Value>
  Option(std::string_view name, Value Group::*member, std::string_view sentence)
      : Option(name, member, OptionRange{}, OptionEffect::kOutput, sentence) {}
};

template <class Group>
const OptionGroup& option_group() {
  static const OptionGroup group = [] {
    OptionGroup made{typeid(Group), {}, [] { return std::shared_ptr<void>(std::make_shared<Group>()); }, nullptr};
    for (auto& row : Group::options()) made.rows.push_back(row);
    if constexpr (requires(const Settings& all) { Group::problems(all); }) made.problems = &Group::problems;
    return made;
  }();
  return group;
}

}  // namespace touchstone
