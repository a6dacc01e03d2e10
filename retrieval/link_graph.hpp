#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace touchstone::retrieval {

/// Lists of numbers, one after the other.
class NumberLists {
 public:
  void add(std::span<const std::uint32_t> numbers) {
    numbers_.insert(numbers_.end(), numbers.begin(), numbers.end());
    ends_.push_back(numbers_.size());
  }
  std::size_t size() const noexcept { return ends_.size(); }
  std::size_t total() const noexcept { return numbers_.size(); }
  std::span<const std::uint32_t> operator[](std::size_t index) const {
    const auto begin = index == 0 ? 0 : ends_[index - 1];
    return std::span(numbers_).subspan(begin, ends_[index] - begin);
  }
  /// For each number below `count`, the lists that hold it.
  NumberLists inverse(std::size_t count) const;

 private:
  std::vector<std::uint32_t> numbers_;
  std::vector<std::size_t> ends_;
};

/// Which documents belong to which pages, and which pages are linked together.
class LinkGraph {
 public:
  /// Number of a page; made if it is new.
  std::uint32_t page(std::string_view name);
  /// Number of a page, or kNone.
  std::uint32_t find(std::string_view name) const;
  static constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);

  /// The next document, with the pages it is about: its own, and those it links to. Repeated numbers count once.
  void add_document(std::vector<std::uint32_t> pages);
  /// A text with links to pages. Repeated numbers count once.
  void add_source(std::vector<std::uint32_t> pages);
  /// Call once, last.
  void finish();

  bool has_links() const noexcept { return sources_.total() > 0; }
  std::span<const std::uint32_t> pages_of(std::size_t document) const { return documents_[document]; }
  std::span<const std::uint32_t> documents_of(std::uint32_t page) const { return page_documents_[page]; }
  /// The texts that link to the page.
  std::span<const std::uint32_t> sources_of(std::uint32_t page) const { return page_sources_[page]; }
  std::span<const std::uint32_t> targets_of(std::size_t source) const { return sources_[source]; }

  /// Files in a folder. `load` throws StorageError if they are damaged.
  void save(const std::filesystem::path& folder) const;
  static LinkGraph load(const std::filesystem::path& folder);

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  NumberLists documents_, sources_, page_documents_, page_sources_;
};

}  // namespace touchstone::retrieval
