#include "pipeline/corpus/links/title_join.hpp"

#include "common/digest.hpp"

namespace touchstone::pipeline::corpus::links {

std::uint64_t TitleJoin::hash(const Title& title) {
  return xxh3_64(title.text, static_cast<std::uint64_t>(static_cast<std::int64_t>(title.ns)));
}

void TitleJoin::finish(const std::function<void(Question, std::uint32_t)>& found,
                       const std::function<void(Question)>& missing,
                       const std::function<void(std::uint32_t)>& double_title) {
  pages_.finish();
  questions_.finish();
  Page page{};
  Asked asked{};
  bool have_question = questions_.next(asked);
  bool have_last = false;
  std::uint64_t last = 0;
  while (pages_.next(page)) {
    if (have_last && page.hash == last) {
      double_title(page.page);
      continue;
    }
    have_last = true;
    last = page.hash;
    for (; have_question && asked.hash < page.hash; have_question = questions_.next(asked)) {
      missing({asked.page, asked.tag});
    }
    for (; have_question && asked.hash == page.hash; have_question = questions_.next(asked)) {
      found({asked.page, asked.tag}, page.page);
    }
  }
  for (; have_question; have_question = questions_.next(asked)) missing({asked.page, asked.tag});
}

}  // namespace touchstone::pipeline::corpus::links
