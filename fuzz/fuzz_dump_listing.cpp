// Any bytes as what a mirror of dumps says of its files: names that are safe in a folder, or one FormatError.
#include "common/error.hpp"
#include "pipeline/download/dump_listing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace touchstone;
using namespace touchstone::pipeline::download;

void require(bool condition) {
  if (!condition) std::abort();
}

void require_safe(std::string_view name) {
  require(!name.empty() && name.front() != '.' && name.find('/') == std::string_view::npos && name.size() < 256);
  require(std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c < 127; }));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto index = read_index(bytes);
  require(std::is_sorted(index.begin(), index.end()));
  for (std::string_view name : index) {
    if (name.ends_with('/')) name.remove_suffix(1);
    require_safe(name);
    require(!day_number(name) || name.size() == 8);
  }
  for (const auto& file : read_sums(bytes)) {
    require_safe(file.name);
    require(file.sha1.size() == 40);
  }
  try {
    const std::vector<std::string> jobs = {"articlesdump", "pagelinkstable"};
    const auto found = read_dump_status(bytes, "status", jobs, "w-20261101-");
    require(found.size() == jobs.size());
    for (const auto& job : found) {
      require(job.done() != job.files.empty());
      for (const auto& file : job.files) {
        require_safe(file.name);
        require(file.name.starts_with("w-20261101-") && file.bytes && file.sha1.size() == 40);
      }
    }
  } catch (const FormatError& error) {
    require(*error.what() != '\0');
  }
  return 0;
}
