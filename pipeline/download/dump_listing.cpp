#include "pipeline/download/dump_listing.hpp"

#include "common/ascii.hpp"
#include "common/display_text.hpp"
#include "common/error.hpp"
#include "common/json_tree.hpp"
#include "common/number_text.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::pipeline::download {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kSha1Digits = 40;
/// No file is longer; sums of sizes stay far from overflow.
constexpr std::uint64_t kMaxFileBytes = std::uint64_t{1} << 50;
/// With the endings of partial files, a name fits the 255 bytes that file systems allow.
constexpr std::size_t kMaxNameBytes = 200;

bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

bool is_sha1(std::string_view text) noexcept {
  return text.size() == kSha1Digits &&
         std::ranges::all_of(text, [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); });
}

/// "part2" is before "part10".
bool is_before(std::string_view left, std::string_view right) noexcept {
  const auto number_at = [](std::string_view text) {
    return text.substr(0, std::min(text.find_first_not_of("0123456789"), text.size()));
  };
  const auto whole = std::pair(left, right);
  while (!left.empty() && !right.empty()) {
    const auto a = number_at(left), b = number_at(right);
    if (a.empty() || b.empty()) {
      if (left.front() != right.front()) return left.front() < right.front();
      left.remove_prefix(1);
      right.remove_prefix(1);
      continue;
    }
    const auto strip = [](std::string_view digits) {
      return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
    };
    const auto x = strip(a), y = strip(b);
    if (x != y) return x.size() != y.size() ? x.size() < y.size() : x < y;
    left.remove_prefix(a.size());
    right.remove_prefix(b.size());
  }
  return left.empty() && right.empty() ? whole.first < whole.second : left.empty();
}

class StatusReader {
 public:
  StatusReader(std::string_view source, std::string_view prefix) : source_(source), prefix_(prefix) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw FormatError(fmt::format("{}: {}; try again later, or name another mirror", source_, what));
  }

  /// The field of an object, null if it is not there.
  static const Json& field(const Json& object, const char* name) {
    static const Json nothing;
    const auto found = object.is_object() ? object.find(name) : object.end();
    return found == object.end() ? nothing : *found;
  }

  DumpJob job(const Json& jobs, const std::string& name) const {
    DumpJob job{name, "absent", {}};
    const auto& json = field(jobs, name.c_str());
    if (json.is_null()) return job;
    const auto& status = field(json, "status");
    if (!status.is_string()) fail(fmt::format("job {} has no status", name));
    job.status = status.get<std::string>();
    if (!job.done()) return job;
    const auto& files = field(json, "files");
    if (!files.is_object() || files.empty()) fail(fmt::format("job {} is done, but lists no files", name));
    for (const auto& [file, facts] : files.items()) job.files.push_back(listed(file, facts));
    std::ranges::sort(job.files, is_before, &ListedFile::name);
    return job;
  }

 private:
  ListedFile listed(const std::string& name, const Json& facts) const {
    if (!is_plain_name(name) || !name.starts_with(prefix_))
      fail(fmt::format("it lists a file \"{}\", which is no name of a file of this dump", display_excerpt(name)));
    const auto& size = field(facts, "size");
    const auto& sha1 = field(facts, "sha1");
    if (!size.is_number_unsigned() || size.get<std::uint64_t>() > kMaxFileBytes)
      fail(fmt::format("it does not give the size of {}", name));
    if (!sha1.is_string() || !is_sha1(sha1.get_ref<const std::string&>()))
      fail(fmt::format("it does not give the SHA-1 of {}", name));
    return {name, size.get<std::uint64_t>(), sha1.get<std::string>()};
  }

  std::string_view source_, prefix_;
};

}  // namespace

bool is_plain_name(std::string_view name) noexcept {
  return !name.empty() && name.size() <= kMaxNameBytes && name.front() != '.' &&
         std::ranges::all_of(name, [](char c) { return is_ascii_alphanumeric(c) || c == '.' || c == '-' || c == '_'; });
}

std::optional<std::int64_t> day_number(std::string_view day) noexcept {
  if (day.size() != 8 || !std::ranges::all_of(day, is_digit)) return std::nullopt;
  const auto number = to_number<unsigned>(day).value_or(0);
  const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(number / 10'000)),
                                         std::chrono::month(number / 100 % 100), std::chrono::day(number % 100));
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count();
}

std::vector<DumpJob> read_dump_status(std::string_view json, std::string_view source, std::span<const std::string> jobs,
                                      std::string_view prefix) {
  const StatusReader reader(source, prefix);
  const auto tree = parse_json_or_discard(json);
  if (tree.is_discarded()) reader.fail("it is not JSON, or is cut off");
  const auto& all = StatusReader::field(tree, "jobs");
  if (!all.is_object()) reader.fail("it has no \"jobs\", as the status of a dump has");
  std::vector<DumpJob> found;
  for (const auto& name : jobs) found.push_back(reader.job(all, name));
  return found;
}

std::vector<ListedFile> read_sums(std::string_view text) {
  std::vector<ListedFile> files;
  while (!text.empty()) {
    auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const auto space = line.find(' ');
    if (space == std::string_view::npos || !is_sha1(line.substr(0, space))) continue;
    auto name = line.substr(space);
    name.remove_prefix(std::min(name.find_first_not_of(" *"), name.size()));
    if (is_plain_name(name)) files.push_back({std::string(name), std::nullopt, std::string(line.substr(0, space))});
  }
  return files;
}

std::vector<std::string> read_index(std::string_view html) {
  std::vector<std::string> names;
  constexpr std::string_view kLink = "href=";
  for (auto at = html.find(kLink); at != std::string_view::npos; at = html.find(kLink, at)) {
    at += kLink.size();
    if (at == html.size() || (html[at] != '"' && html[at] != '\'')) continue;
    const auto end = html.find(html[at], at + 1);
    if (end == std::string_view::npos) break;
    auto target = html.substr(at + 1, end - at - 1);
    at = end;
    if (target.starts_with("./")) target.remove_prefix(2);
    if (is_plain_name(target.ends_with('/') ? target.substr(0, target.size() - 1) : target)) names.emplace_back(target);
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace touchstone::pipeline::download
