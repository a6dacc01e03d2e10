#include "pipeline/automatic/new_paragraphs.hpp"

#include "collection/automatic/leak_index.hpp"
#include "common/digest.hpp"
#include "formats/car/ids.hpp"
#include "formats/car/records.hpp"
#include "storage/keys.hpp"
#include "storage/records.hpp"

#include <set>
#include <variant>
#include <vector>

namespace touchstone::pipeline::automatic {
namespace {

namespace car = formats::car;

using Texts = std::set<Digest128>;

Digest128 digest_of(const car::Paragraph& paragraph) {
  return xxh3_128(car::paragraph_text(paragraph));
}

bool is_known(const car::Skeleton& skeleton, const Texts& known) {
  if (const auto* paragraph = std::get_if<car::Paragraph>(&skeleton.element))
    return known.contains(digest_of(*paragraph));
  if (const auto* item = std::get_if<car::ListItem>(&skeleton.element))
    return known.contains(digest_of(item->paragraph));
  if (const auto* section = std::get_if<car::Section>(&skeleton.element)) return section->children.empty();
  return false;
}

void remove_known(std::vector<car::Skeleton>& elements, const Texts& known) {
  for (auto& [element] : elements) {
    if (auto* section = std::get_if<car::Section>(&element)) remove_known(section->children, known);
    if (auto* image = std::get_if<car::Image>(&element)) remove_known(image->caption, known);
  }
  std::erase_if(elements, [&](const car::Skeleton& skeleton) { return is_known(skeleton, known); });
}

}  // namespace

NewParagraphs::NewParagraphs(const storage::Store& store, const std::string& day, const std::filesystem::path& previous,
                             const selection::AutomaticOptions& options)
    : pages_(store, day, previous) {
  if (pages_.previous() == nullptr) return;
  before_.emplace(*pages_.previous(), "",
                  PageComposer::Options{.list_items = options.include_lists,
                                        .table_rows = options.include_tables,
                                        .links = false,
                                        .min_words = static_cast<std::size_t>(options.min_passage_words)});
}

void NewParagraphs::keep_new(ComposedPage& composed) const {
  std::string bytes;
  if (!before_ || !pages_.previous()->get(storage::Family::kPage, storage::page_key(composed.id), bytes)) return;
  const auto before = before_->compose(composed.id, storage::decode_page(bytes));
  if (!before) return;
  Texts known;
  collection::automatic::for_each_text(before->page,
                                       [&](const car::Paragraph& paragraph) { known.insert(digest_of(paragraph)); });
  remove_known(composed.page.skeleton, known);
}

}  // namespace touchstone::pipeline::automatic
