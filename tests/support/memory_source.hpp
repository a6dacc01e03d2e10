#pragma once

#include "extractors/dump/byte_source.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace touchstone::testing {

/// Bytes in memory, given in pieces of the sizes asked for here, over and over; an empty list: as many as fit.
class MemorySource : public extractors::dump::ByteSource {
 public:
  explicit MemorySource(std::string bytes, std::vector<std::size_t> pieces = {}, std::string name = "memory.xml")
      : bytes_(std::move(bytes)), pieces_(std::move(pieces)), name_(std::move(name)) {}

  std::size_t read(char* buffer, std::size_t size) override {
    std::size_t got = std::min(size, bytes_.size() - used_);
    if (!pieces_.empty()) got = std::min(got, std::max<std::size_t>(1, pieces_[next_++ % pieces_.size()]));
    std::memcpy(buffer, bytes_.data() + used_, got);
    used_ += got;
    return got;
  }
  std::uint64_t raw_offset() const noexcept override { return used_; }
  const std::string& name() const noexcept override { return name_; }
  std::string raw_sha256() override { return {}; }

 private:
  std::string bytes_;
  std::vector<std::size_t> pieces_;
  std::string name_;
  std::size_t used_ = 0, next_ = 0;
};

}  // namespace touchstone::testing
