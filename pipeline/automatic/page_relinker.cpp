#include "pipeline/automatic/page_relinker.hpp"

#include "common/unicode.hpp"
#include "formats/car/ids.hpp"
#include "linking/linker.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace touchstone::pipeline::automatic {
namespace {

using formats::car::Paragraph;
using formats::car::Skeleton;

void collect_paragraphs(std::vector<Skeleton>& skeletons, std::vector<Paragraph*>& paragraphs) {
  for (auto& skeleton : skeletons) {
    if (auto* section = std::get_if<formats::car::Section>(&skeleton.element)) {
      collect_paragraphs(section->children, paragraphs);
    } else if (auto* paragraph = std::get_if<Paragraph>(&skeleton.element)) {
      paragraphs.push_back(paragraph);
    } else if (auto* item = std::get_if<formats::car::ListItem>(&skeleton.element)) {
      paragraphs.push_back(&item->paragraph);
    } else if (auto* image = std::get_if<formats::car::Image>(&skeleton.element)) {
      collect_paragraphs(image->caption, paragraphs);
    }
  }
}

/// Cuts a text into plain pieces and links, from its begin to its end.
class BodyCutter {
 public:
  explicit BodyCutter(std::string_view text) : text_(text), bytes_(text) {}

  void add_link(std::uint32_t begin, std::uint32_t end, formats::car::Link link) {
    const auto from = bytes_.at_code_point(begin), to = bytes_.at_code_point(end);
    add_plain(from);
    link.anchor = text_.substr(from, to - from);
    bodies_.emplace_back(std::move(link));
    done_ = to;
  }

  std::vector<formats::car::ParagraphBody> take() {
    add_plain(text_.size());
    return std::move(bodies_);
  }

 private:
  void add_plain(std::size_t end) {
    if (end > done_) bodies_.emplace_back(std::string(text_.substr(done_, end - done_)));
  }

  std::string_view text_;
  ByteCounter bytes_;
  std::size_t done_ = 0;
  std::vector<formats::car::ParagraphBody> bodies_;
};

}  // namespace

void PageRelinker::relink(formats::car::Page& page) const {
  std::vector<Paragraph*> paragraphs;
  collect_paragraphs(page.skeleton, paragraphs);
  std::vector<std::string> texts;
  texts.reserve(paragraphs.size());
  for (const auto* paragraph : paragraphs) texts.push_back(formats::car::paragraph_text(*paragraph));
  const auto annotations = touchstone::linking::Linker(dictionary_, options_).link(texts);
  auto next = annotations.begin();
  for (std::size_t i = 0; i < paragraphs.size(); ++i) {
    BodyCutter cutter(texts[i]);
    for (; next != annotations.end() && next->text == i; ++next) {
      formats::car::Link link;
      link.page_name = dictionary_.title(next->entity);
      link.page_id = formats::car::page_id(wiki_, link.page_name);
      if (const auto qid = dictionary_.qid(next->entity); qid != 0) link.qid = "Q" + std::to_string(qid);
      if (link.page_id != page.id) cutter.add_link(next->begin, next->end, std::move(link));
    }
    paragraphs[i]->bodies = cutter.take();
  }
}

void unify_missing_targets(formats::car::Page& page, const entities::MissingTitles& titles, std::string_view wiki) {
  if (titles.size() == 0) return;
  std::vector<Paragraph*> paragraphs;
  collect_paragraphs(page.skeleton, paragraphs);
  for (auto* paragraph : paragraphs) {
    for (auto& body : paragraph->bodies) {
      auto* link = std::get_if<formats::car::Link>(&body);
      if (link == nullptr || link->page_id.empty()) continue;
      const auto& entity = titles.entity(link->page_name);
      if (&entity == &link->page_name) continue;
      link->page_name = entity;
      link->page_id = formats::car::page_id(wiki, entity);
    }
  }
}

}  // namespace touchstone::pipeline::automatic
