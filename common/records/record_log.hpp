#pragma once

#include "common/descriptor.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::records {

/// A file of records that only grows, for what must not be lost: a kill or a power cut costs nothing that `append`
/// returned for, and damaged bytes cost the blocks that they are in.
///
/// A file is a line of text, "touchstone record log 1 LAYOUT", then blocks of some 8 KiB of records: eight bytes that
/// mark the beginning of a block, then a block as in record_file.hpp, whose checksum covers the layout too. Behind
/// damaged bytes, the next block is found by its mark.
///
/// One process may append, others may read meanwhile. `append` and `read` are thread-safe.
class RecordLog {
 public:
  enum class Access : std::uint8_t {
    kAppend,       ///< makes a missing file, and cuts off what follows the last whole block
    kAppendAlone,  ///< likewise, for a file that nobody else appends to: without a lock, which shared disks may not
                   ///< have
    kRead          ///< a file that is not there is empty; what is behind the last whole block may be on its way
  };
  enum class Durability : std::uint8_t {
    kProcess,  ///< survives the end of this process
    kMachine   ///< survives a power cut
  };
  /// Where a record is.
  struct Place {
    std::uint64_t block = 0;   ///< its offset in the file
    std::uint32_t record = 0;  ///< number in the block, from 0
  };
  /// Bytes that are no whole blocks.
  struct Losses {
    std::uint64_t places = 0, bytes = 0;  ///< before the last whole block
    std::uint64_t cut = 0;                ///< behind it; a log that may only be read counts none
  };
  using Take = std::function<void(Place, std::string_view)>;

  /// Reads the whole file. Throws StorageError if it cannot be read, or if another process appends and this one wants
  /// to; FormatError if it holds something else.
  /// \param layout  of the records, see `layout_of`
  /// \param take    gets every record; valid during the call
  RecordLog(std::filesystem::path path, std::string_view layout, Access access, const Take& take);

  /// Writes all records at once. Throws StorageError; what was there before stays as it is.
  /// \return  the place of each
  std::vector<Place> append(std::span<const std::string> records, Durability durability);
  /// Throws StorageError if the file cannot be read or is not what it was.
  std::string read(Place place) const;
  const Losses& losses() const noexcept { return losses_; }

 private:
  void lock();
  void scan(std::string_view head, Access access, const Take& take);
  void write_at(std::uint64_t offset, std::string_view bytes);

  std::filesystem::path path_;
  std::uint64_t seed_ = 0;  ///< of checksums
  Descriptor file_;
  Losses losses_;
  std::mutex append_;
  std::uint64_t end_ = 0;  ///< of the last whole block
};

}  // namespace touchstone::records
