#include "retrieval/npy_file.hpp"

#include "common/error.hpp"
#include "common/system_failure.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace touchstone::retrieval {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMaxHeaderBytes = 1 << 16;
constexpr std::uint64_t kMaxRows = std::uint64_t{1} << 31, kMaxColumns = std::uint64_t{1} << 16;

/// IEEE 754 half precision.
float half_to_float(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16U;
  const std::uint32_t exponent = (half >> 10U) & 0x1FU, fraction = half & 0x3FFU;
  if (exponent == 0) {
    const float value = std::ldexp(static_cast<float>(fraction), -24);
    return sign != 0 ? -value : value;
  }
  const std::uint32_t wide = exponent == 31 ? 0xFFU : exponent + 112;
  return std::bit_cast<float>(sign | wide << 23U | fraction << 13U);
}

/// Reads up to `size` bytes; fewer only at the end of the file.
std::size_t read_at(const Descriptor& file, char* to, std::size_t size, std::uint64_t offset,
                    const std::filesystem::path& path) {
  const auto count = touchstone::read_at(file, to, size, offset);
  if (count < 0) throw StorageError(failure_text("read", path.string(), errno));
  return static_cast<std::size_t>(count);
}

/// The text behind `'key':` in the header, without blanks before it; empty if the key is missing.
std::string_view value_of(std::string_view header, std::string_view key) {
  for (const char quote : {'\'', '"'}) {
    const auto at = header.find(quote + std::string(key) + quote);
    if (at == std::string_view::npos) continue;
    auto rest = header.substr(at + key.size() + 2);
    const auto colon = rest.find_first_not_of(' ');
    if (colon == std::string_view::npos || rest[colon] != ':') return {};
    rest.remove_prefix(colon + 1);
    const auto start = rest.find_first_not_of(' ');
    return start == std::string_view::npos ? std::string_view() : rest.substr(start);
  }
  return {};
}

/// The numbers of `(3, 4)`; false if it is no such list.
bool parse_shape(std::string_view text, std::vector<std::uint64_t>& shape) {
  if (text.empty() || text.front() != '(') return false;
  const auto end = text.find(')');
  if (end == std::string_view::npos) return false;
  text = text.substr(1, end - 1);
  while (true) {
    while (!text.empty() && (text.front() == ' ' || text.front() == ',')) text.remove_prefix(1);
    if (text.empty()) return true;
    std::uint64_t number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return false;
    shape.push_back(number);
    text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
  }
}

}  // namespace

void NpyFile::fail(const std::string& what) const {
  throw FormatError(path_.string() + " " + what +
                    "; write it with numpy.save as a matrix of float32 or float16 in C order, one vector a row");
}

NpyFile::NpyFile(std::filesystem::path path) : path_(std::move(path)) {
  file_ = Descriptor(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file_.is_open()) throw StorageError(failure_text("open", path_.string(), errno));
  struct stat status {};
  if (::fstat(file_.get(), &status) != 0) throw StorageError(failure_text("read", path_.string(), errno));
  if (!S_ISREG(status.st_mode)) fail("is no plain file, and vectors are read from several places at once");
  char start[12] = {};
  const auto size = read_at(file_, start, sizeof start, 0, path_);
  if (size < 10 || std::string_view(start, kMagic.size()) != kMagic) fail("is no .npy file");
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(start[i])); };
  const auto version = byte(6);
  if (version < 1 || version > 3)
    fail("has version " + std::to_string(version) + " of the format, and versions 1 to 3 are read");
  if (version > 1 && size < 12) fail("ends inside of its header");
  const std::size_t header_at = version == 1 ? 10 : 12;
  const std::size_t header_bytes =
      version == 1 ? byte(8) | byte(9) << 8U : byte(8) | byte(9) << 8U | byte(10) << 16U | byte(11) << 24U;
  if (header_bytes > kMaxHeaderBytes)
    fail("has a header of " + std::to_string(header_bytes) + " bytes, more than 65536");
  std::string header(header_bytes, '\0');
  if (read_at(file_, header.data(), header.size(), header_at, path_) != header.size())
    fail("ends inside of its header");
  parse_header(header);
  data_offset_ = header_at + header_bytes;
  const auto expected = data_offset_ + static_cast<std::uint64_t>(rows_) * columns_ * value_bytes_;
  if (static_cast<std::uint64_t>(status.st_size) != expected) {
    fail("has " + std::to_string(status.st_size) + " bytes where its shape (" + std::to_string(rows_) + ", " +
         std::to_string(columns_) + ") needs " + std::to_string(expected));
  }
}

void NpyFile::parse_header(const std::string& header) {
  const auto type = value_of(header, "descr");
  if (type.starts_with("'<f4'") || type.starts_with("\"<f4\"")) value_bytes_ = 4;
  if (type.starts_with("'<f2'") || type.starts_with("\"<f2\"")) value_bytes_ = 2;
  if (value_bytes_ == 0)
    fail("holds values of the type " + formats::fields::quote_for_message(type.substr(0, type.find(','))) +
         ", and only little-endian float32 ('<f4') and float16 ('<f2') are read");
  const auto order = value_of(header, "fortran_order");
  if (!order.starts_with("False")) fail("is in Fortran order or does not say in which");
  std::vector<std::uint64_t> shape;
  if (!parse_shape(value_of(header, "shape"), shape)) fail("has a header without a shape");
  if (shape.size() != 2) fail("has " + std::to_string(shape.size()) + " dimensions, where a matrix has 2");
  if (shape[0] == 0 || shape[1] == 0) fail("has no values");
  if (shape[0] > kMaxRows || shape[1] > kMaxColumns)
    fail("says that it has " + std::to_string(shape[0]) + " rows of " + std::to_string(shape[1]) +
         " values, more than are read (2147483648 rows, 65536 values)");
  rows_ = shape[0];
  columns_ = shape[1];
}

void NpyFile::read_rows(std::size_t first, std::span<float> values) const {
  const auto offset = data_offset_ + static_cast<std::uint64_t>(first) * columns_ * value_bytes_;
  std::vector<std::uint16_t> halves(value_bytes_ == 2 ? values.size() : 0);
  char* const to = value_bytes_ == 2 ? reinterpret_cast<char*>(halves.data()) : reinterpret_cast<char*>(values.data());
  const auto bytes = values.size() * value_bytes_;
  if (read_at(file_, to, bytes, offset, path_) != bytes) fail("became shorter while it was read");
  std::transform(halves.begin(), halves.end(), values.begin(), half_to_float);
  const auto bad = std::find_if(values.begin(), values.end(), [](float value) { return !std::isfinite(value); });
  if (bad == values.end()) return;
  const auto index = static_cast<std::size_t>(bad - values.begin());
  throw FormatError(path_.string() + " row " + std::to_string(first + index / columns_) +
                    " (counted from 0) has a value that is no finite number; embed this text again, and look why its "
                    "vector has no value");
}

}  // namespace touchstone::retrieval
