#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace touchstone::pipeline::automatic {

/// Brings records into an order that looks random and depends on their ids and a seed alone: by the hash of the id.
/// The records wait in files of `folder`, spread by their hash, so that the memory holds one part of 256 at a time.
/// Not thread-safe. Throws StorageError when a file cannot be written or read.
class ShuffledRecords {
 public:
  /// \param name  distinguishes several objects in one folder
  ShuffledRecords(std::filesystem::path folder, std::string name, std::uint64_t seed);
  ~ShuffledRecords();
  ShuffledRecords(const ShuffledRecords&) = delete;
  ShuffledRecords& operator=(const ShuffledRecords&) = delete;

  /// Of several records with one id, the first one is kept.
  void add(std::string_view id, std::string_view record);

  /// Gives all records in their order. Call once, after the last `add`.
  void for_each(const std::function<void(std::string_view id, std::string_view record)>& take);

 private:
  static constexpr std::size_t kParts = 256;
  struct Close {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };
  using File = std::unique_ptr<std::FILE, Close>;

  std::filesystem::path path_of(std::size_t part) const;
  std::FILE* file_of(std::size_t part);
  [[noreturn]] void fail(std::size_t part, const char* doing) const;
  std::string read_part(std::size_t part);

  std::filesystem::path folder_;
  std::string name_;
  std::uint64_t seed_;
  std::array<File, kParts> files_;
};

}  // namespace touchstone::pipeline::automatic
