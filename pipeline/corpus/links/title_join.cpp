#include "pipeline/corpus/links/title_join.hpp"

#include "common/digest.hpp"

#include <optional>

namespace touchstone::pipeline::corpus::links {

std::uint64_t TitleJoin::hash(const Title& title) {
  return xxh3_64(title.text, static_cast<std::uint64_t>(static_cast<std::int64_t>(title.ns)));
}

void TitleJoin::finish(const std::function<void(Question, std::uint32_t)>& found,
                       const std::function<void(Question)>& missing,
                       const std::function<void(std::uint32_t)>& double_title) {
  auto asked = questions_.next();
  std::optional<std::uint64_t> last;
  while (const auto page = pages_.next()) {
    if (page->hash == last) {
      double_title(page->page);
      continue;
    }
    last = page->hash;
    for (; asked && asked->hash < page->hash; asked = questions_.next()) missing({asked->page, asked->tag});
    for (; asked && asked->hash == page->hash; asked = questions_.next()) found({asked->page, asked->tag}, page->page);
  }
  for (; asked; asked = questions_.next()) missing({asked->page, asked->tag});
}

}  // namespace touchstone::pipeline::corpus::links
