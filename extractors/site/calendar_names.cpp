#include "extractors/site/calendar_names.hpp"

#include "extractors/data/data_table.hpp"
#include "extractors/site/language_data.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace touchstone::extractors::site::internal {
using data::data_table;
using data::DataRow;
using data::DataTable;
using data::for_each_row;
using data::throw_bad_row;
namespace {

/// Names separated by '|', from January and from Sunday on; empty where those of the fallback language hold.
struct CalendarNames {
  std::string_view code;
  std::array<std::string_view, 5> kinds;  ///< in the order of CalendarName
};

std::vector<CalendarNames> read_names() {
  constexpr std::array<std::string_view, 5> kKinds = {"month", "month-genitive", "month-short", "day", "day-short"};
  const DataTable& table = data_table("calendar_names");
  std::vector<CalendarNames> read;
  for_each_row<3>(table, [&](const DataRow<3>& row) {
    const auto& [language, kind, names] = row;
    const auto found = std::find(kKinds.begin(), kKinds.end(), kind);
    if (found == kKinds.end()) throw_bad_row(table, kind, "no kind of names is \"" + std::string(kind) + '"');
    if (read.empty() || read.back().code != language) read.push_back({language, {}});
    read.back().kinds[static_cast<std::size_t>(found - kKinds.begin())] = names;
  });
  return read;
}

const CalendarNames* find_names(std::string_view code) {
  static const std::vector<CalendarNames> all_names = read_names();
  const auto found =
      std::lower_bound(all_names.begin(), all_names.end(), code,
                       [](const CalendarNames& one, std::string_view value) { return one.code < value; });
  return found != all_names.end() && found->code == code ? &*found : nullptr;
}

std::string_view pick(std::string_view names, int number) {
  for (; number > 0; --number) names.remove_prefix(std::min(names.size(), names.find('|') + 1));
  return names.substr(0, names.find('|'));
}

}  // namespace

std::string_view calendar_name(std::string_view language, CalendarName kind, int number) {
  const auto place = static_cast<std::size_t>(kind);
  for (const std::string_view code : language_chain(language)) {
    const CalendarNames* names = find_names(code);
    if (names != nullptr && !names->kinds[place].empty()) return pick(names->kinds[place], number);
  }
  return pick(find_names("en")->kinds[place], number);
}

}  // namespace touchstone::extractors::site::internal
