#pragma once

#include "common/records/sorter.hpp"
#include "common/title.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>

namespace touchstone::pipeline::corpus::links {

/// Finds the pages that titles name, for more titles than fit in memory: pages and questions are sorted by a hash of
/// their title and merged. Of two pages with one title the one with the lower number counts. Not thread-safe.
class TitleJoin {
 public:
  /// A page that asks for a title. `tag` is the caller's.
  struct Question {
    std::uint32_t page = 0, tag = 0;
  };

  /// \param folder        for what does not fit in memory
  /// \param memory_bytes  of all records held at once
  TitleJoin(const std::filesystem::path& folder, std::size_t memory_bytes)
      : pages_(folder, memory_bytes / 3), questions_(folder, memory_bytes - memory_bytes / 3) {}

  void add_page(const Title& title, std::uint32_t page) { pages_.add({hash(title), page}); }
  void ask(const Title& title, Question question) { questions_.add({hash(title), question.page, question.tag}); }

  /// Answers every question once, in the order of the hashes. `found` gets the question and the page, `missing` the
  /// question; `double_title` gets each page whose title another page has. To be called once.
  void finish(const std::function<void(Question, std::uint32_t)>& found, const std::function<void(Question)>& missing,
              const std::function<void(std::uint32_t)>& double_title);

 private:
  struct Page {
    std::uint64_t hash;
    std::uint32_t page;
    friend auto operator<=>(const Page&, const Page&) = default;
  };
  struct Asked {
    std::uint64_t hash;
    std::uint32_t page, tag;
    friend auto operator<=>(const Asked&, const Asked&) = default;
  };
  static std::uint64_t hash(const Title& title);

  records::Sorter<Page> pages_;
  records::Sorter<Asked> questions_;
};

}  // namespace touchstone::pipeline::corpus::links
