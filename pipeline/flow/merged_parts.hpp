#pragma once

#include "pipeline/flow/parts.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <queue>
#include <string_view>
#include <tuple>
#include <vector>

namespace touchstone::pipeline::flow {

/// The records of one name in the parts of all cuts as one sorted stream. Each part has to be sorted. All parts are
/// open at once, with some 100 KiB each, so the stage should have few cuts. Not thread-safe. Throws as
/// RecordFile::Reader does.
template <class Record>
class MergedParts {
 public:
  struct Item {
    std::uint32_t cut = 0;
    Record record{};
  };

  MergedParts(const Parts& parts, std::string_view name) {
    for (std::size_t cut = 0; cut < parts.cuts(); ++cut) {
      parts_.push_back(std::make_unique<Part>(parts.path(cut, name), static_cast<std::uint32_t>(cut)));
      advance(parts_.back().get());
    }
  }

  /// The next record; nothing behind the last one. Of equal records, that of the first cut comes first.
  std::optional<Item> next() {
    if (heads_.empty()) return std::nullopt;
    Part* const part = heads_.top();
    heads_.pop();
    std::optional<Item> item = part->head;
    advance(part);
    return item;
  }

 private:
  struct Part {
    Part(const std::filesystem::path& path, std::uint32_t cut) : reader(path) { head.cut = cut; }
    typename records::RecordFile<Record>::Reader reader;
    Item head;
  };
  struct Later {
    bool operator()(const Part* a, const Part* b) const {  // the least is on top
      return std::tie(b->head.record, b->head.cut) < std::tie(a->head.record, a->head.cut);
    }
  };

  void advance(Part* part) {
    if (part->reader.next(part->head.record)) heads_.push(part);
  }

  std::vector<std::unique_ptr<Part>> parts_;
  std::priority_queue<Part*, std::vector<Part*>, Later> heads_;
};

}  // namespace touchstone::pipeline::flow
