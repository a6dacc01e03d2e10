#include "formats/car/record_decoder.hpp"

#include "common/unicode.hpp"

#include <iterator>
#include <limits>
#include <string_view>
#include <utility>

namespace touchstone::formats::car::internal {
namespace {

Link link_of(const View& view) {
  Tagged link(view, "link");
  if (link.tag != 0) fail_unknown(view, "link", link.tag);
  need_size(view, "link", 5, 6);
  Link result;
  result.page_name = link.items.next().text("page name of the link");
  result.section = optional_text(link.items.next(), "section of the link");
  result.page_id = link.items.next().text("page id of the link");
  result.anchor = link.items.next().text("anchor text of the link");
  if (!link.items.done()) result.qid = optional_text(link.items.next(), "QID of the link").value_or("");
  return result;
}

Paragraph paragraph_of(const View& view) {
  Tagged paragraph(view, "paragraph");
  if (paragraph.tag != 0) fail_unknown(view, "paragraph", paragraph.tag);
  need_size(view, "paragraph", 3, 3);
  Paragraph result;
  result.id = paragraph.items.next().text("id of the paragraph");
  for (Walk bodies(paragraph.items.next(), "content of the paragraph"); !bodies.done();) {
    const auto item = bodies.next();
    Tagged body(item, "piece of the paragraph");
    if (body.tag > 1) fail_unknown(item, "piece of the paragraph", body.tag);
    need_size(item, "piece of the paragraph", 2, 2);
    const auto content = body.items.next();
    if (body.tag == 0) {
      result.bodies.emplace_back(content.text("text of the paragraph"));
    } else {
      result.bodies.emplace_back(link_of(content));
    }
  }
  return result;
}

std::vector<Skeleton> skeleton_of(const View& view, const char* name);

Infobox infobox_of(Walk& items) {
  Infobox infobox;
  infobox.name = items.next().text("name of the infobox");
  for (Walk entries(items.next(), "list of entries of the infobox"); !entries.done();) {
    const auto item = entries.next();
    Walk entry(item, "entry of the infobox");
    need_size(item, "entry of the infobox", 2, 2);
    auto key = entry.next().text("key of the infobox");
    infobox.entries.emplace_back(std::move(key), skeleton_of(entry.next(), "value of the infobox"));
  }
  return infobox;
}

ListItem list_item_of(Walk& items) {
  const auto level = items.next();
  const auto number = level.number("level of the list item");
  if (number > std::numeric_limits<std::uint32_t>::max()) level.fail("the level of the list item is too large");
  return {static_cast<std::uint32_t>(number), paragraph_of(items.next())};
}

Skeleton element_of(const View& view) {
  Tagged element(view, "page element");
  constexpr std::uint32_t kSizes[] = {4, 2, 3, 3, 3};
  if (element.tag >= std::size(kSizes)) fail_unknown(view, "page element", element.tag);
  need_size(view, "page element", kSizes[element.tag], kSizes[element.tag]);
  auto& items = element.items;
  switch (element.tag) {
    case 0: {
      Section section;
      section.heading = items.next().text("heading");
      section.heading_id = items.next().text("id of the heading");
      section.children = skeleton_of(items.next(), "content of the section");
      return {std::move(section)};
    }
    case 1:
      return {paragraph_of(items.next())};
    case 2: {
      Image image;
      image.url = items.next().text("address of the image");
      image.caption = skeleton_of(items.next(), "caption of the image");
      return {std::move(image)};
    }
    case 3:
      return {list_item_of(items)};
    default:
      return {infobox_of(items)};
  }
}

std::vector<Skeleton> skeleton_of(const View& view, const char* name) {
  std::vector<Skeleton> elements;
  for (Walk items(view, name); !items.done();) elements.push_back(element_of(items.next()));
  return elements;
}

void read_page_type(const View& view, Page& page) {
  Tagged type(view, "page type");
  if (type.tag > 3) fail_unknown(view, "page type", type.tag);
  page.type = static_cast<PageType>(type.tag);
  const std::uint32_t size = page.type == PageType::kRedirect ? 2 : 1;
  need_size(view, "page type", size, size);
  if (size == 1) return;
  const auto target = type.items.next();
  if (target.is_array()) {
    page.redirect = link_of(target);
  } else {
    page.redirect.emplace().page_id = target.text("target of the redirect");
  }
}

std::vector<AnchorCount> anchors_of(const View& view) {
  std::vector<AnchorCount> anchors;
  for (Walk items(view, "list of anchors"); !items.done();) {
    const auto item = items.next();
    Walk pair(item, "anchor");
    need_size(item, "anchor", 2, 2);
    auto text = pair.next().text("text of the anchor");
    anchors.push_back({std::move(text), pair.next().number("count of the anchor")});
  }
  return anchors;
}

void read_metadata_item(std::uint64_t tag, const View& value, PageMetadata& metadata) {
  for (const auto& list : kMetadataLists) {
    if (list.tag == tag) metadata.*list.texts = texts(value, list.words);
  }
  switch (tag) {
    case 6:
      for (auto& text : texts(value, "list of anchors")) metadata.inlink_anchors.push_back({std::move(text), 1});
      break;
    case 7:
      metadata.inlink_anchors = anchors_of(value);
      break;
    case 8:
      metadata.qid = optional_text(value, "QID of the page").value_or("");
      break;
    case 9:
      metadata.site_id = optional_text(value, "site of the page").value_or("");
      break;
    case 10:
      metadata.page_tags = texts(value, "list of page tags");
      break;
    default:  // a list, or of a newer version
      break;
  }
}

/// [tag], value, [tag], value, ... or [tag, value], [tag, value], ...
PageMetadata metadata_of(const View& view) {
  PageMetadata metadata;
  for (Walk items(view, "metadata"); !items.done();) {
    const auto item = items.next();
    Tagged entry(item, "metadata entry");
    if (!entry.items.done()) {
      need_size(item, "metadata entry", 1, 2);
      read_metadata_item(entry.tag, entry.items.next(), metadata);
    } else if (!items.done()) {
      read_metadata_item(entry.tag, items.next(), metadata);
    } else {
      item.fail("the metadata entry has no value");
    }
  }
  return metadata;
}

/// The fifth element of old pages: [0, page type, redirect names, disambiguation names, disambiguation ids, category
/// names, category ids, ids of linking pages], each list as [] or [[...]].
void read_old_metadata(const View& view, Page& page) {
  Walk items(view, "metadata");
  items.next();
  read_page_type(items.next(), page);
  for (std::uint64_t tag = 0; tag <= 5 && !items.done(); ++tag) read_metadata_item(tag, items.next(), page.metadata);
}

bool is_old_metadata(const View& view) {
  if (!view.is_array() || view.size() < 2) return false;
  const auto first = Walk(view, "metadata").next();
  return first.kind() == ItemKind::kUnsigned && first.number("metadata") == 0;
}

std::vector<SiteProvenance> sites_of(const View& view) {
  std::vector<SiteProvenance> sites;
  for (Walk items(view, "list of sites"); !items.done();) {
    const auto item = items.next();
    Tagged site(item, "site of the header");
    need_size(item, "site of the header", 5, 5);
    SiteProvenance result;
    result.site_id = site.items.next().text("id of the site");
    result.language = site.items.next().text("language of the site");
    result.source = site.items.next().text("source of the site");
    result.comments = texts(site.items.next(), "list of comments of the site");
    sites.push_back(std::move(result));
  }
  return sites;
}

std::vector<Transform> transforms_of(const View& view) {
  std::vector<Transform> transforms;
  for (Walk items(view, "list of tools"); !items.done();) {
    const auto item = items.next();
    Tagged transform(item, "tool of the header");
    need_size(item, "tool of the header", 4, 4);
    Transform result;
    result.tool = transform.items.next().text("name of the tool");
    result.commit = transform.items.next().text("version of the tool");
    const auto info = transform.items.next();
    if (info.is_text()) result.info = info.text("information on the tool");
    transforms.push_back(std::move(result));
  }
  return transforms;
}

/// [0, sites, release, comments, tools], or the old [0, date of the dump, site, release, comments, commit of the
/// tools]. A form that is not known gives an empty provenance, since no record depends on it.
Provenance provenance_of(const View& view) {
  Provenance provenance;
  if (!view.is_array() || (view.size() != 5 && view.size() != 6)) return provenance;
  Walk items(view, "provenance");
  items.next();
  if (view.size() == 5) {
    provenance.sites = sites_of(items.next());
    provenance.release_name = items.next().text("name of the release");
    provenance.comments = texts(items.next(), "list of comments");
    provenance.transforms = transforms_of(items.next());
    return provenance;
  }
  SiteProvenance site;
  site.source = items.next().text("date of the dump");
  site.site_id = items.next().text("site of the header");
  provenance.sites.push_back(std::move(site));
  provenance.release_name = items.next().text("name of the release");
  auto comments = items.next().text("comments");
  if (!comments.empty()) provenance.comments.push_back(std::move(comments));
  auto commit = items.next().text("version of the tools");
  if (!commit.empty()) provenance.transforms.push_back({"", std::move(commit), ""});
  return provenance;
}

}  // namespace

void View::fail(const std::string& what) const {
  throw WrongItem{tree_->offset + item().at, what + "; fetch or write the file again"};
}

std::string View::text(const char* name) const {
  if (!is_text()) fail(std::string("the ") + name + " is no text");
  const auto text = std::string_view(tree_->texts).substr(item().value, item().count);
  if (!is_valid_utf8(text)) fail(std::string("the ") + name + " is not UTF-8");
  return std::string(text);
}

std::uint64_t View::number(const char* name) const {
  if (kind() != ItemKind::kUnsigned) fail(std::string("the ") + name + " is not a whole number from 0 on");
  return item().value;
}

Walk::Walk(const View& array, const char* name) : array_(array), next_(array.index() + 1) {
  if (!array.is_array()) array.fail(std::string("the ") + name + " is no array");
}

Tagged::Tagged(const View& array, const char* name) : items(array, name) {
  if (items.done()) array.fail(std::string("the ") + name + " is an empty array");
  tag = items.next().number(name);
}

void need_size(const View& array, const char* name, std::uint32_t least, std::uint32_t most) {
  if (array.size() >= least && array.size() <= most) return;
  array.fail(std::string("the ") + name + " has " + std::to_string(array.size()) + " items instead of " +
             std::to_string(least) + (most > least ? " to " + std::to_string(most) : ""));
}

[[noreturn]] void fail_unknown(const View& array, const char* name, std::uint64_t tag) {
  array.fail(std::string("the ") + name + " is of the unknown kind " + std::to_string(tag));
}

std::optional<std::string> optional_text(const View& view, const char* name) {
  if (view.is_text()) return view.text(name);
  Walk items(view, name);
  if (items.done()) return std::nullopt;
  need_size(view, name, 0, 1);
  return items.next().text(name);
}

std::vector<std::string> texts(const View& view, const char* name) {
  std::vector<std::string> values;
  for (Walk items(view, name); !items.done();) {
    const auto item = items.next();
    if (item.is_array()) {
      for (auto& value : texts(item, name)) values.push_back(std::move(value));
    } else {
      values.push_back(item.text(name));
    }
  }
  return values;
}

Page decode_page(const ItemTree& tree) {
  const View view(tree, 0);
  Tagged items(view, "page");
  if (items.tag > 1) fail_unknown(view, "page", items.tag);  // 1: the outlines of some releases
  need_size(view, "page", 4, 6);
  Page page;
  page.name = items.items.next().text("name of the page");
  page.id = items.items.next().text("id of the page");
  page.skeleton = skeleton_of(items.items.next(), "content of the page");
  if (view.size() == 4) return page;
  const auto fifth = items.items.next();
  if (view.size() == 5 && is_old_metadata(fifth)) {
    read_old_metadata(fifth, page);
    return page;
  }
  read_page_type(fifth, page);
  if (!items.items.done()) page.metadata = metadata_of(items.items.next());
  return page;
}

Paragraph decode_paragraph(const ItemTree& tree) {
  return paragraph_of(View(tree, 0));
}

bool looks_like_paragraph(const ItemTree& tree) noexcept {
  return tree.items[0].kind == ItemKind::kArray && tree.items[0].count == 3;
}

Header decode_header(const ItemTree& tree) {
  const View view(tree, 0);
  Walk items(view, "header");
  need_size(view, "header", 3, 3);
  if (items.next().text("first word of the header") != "CAR") view.fail("the header does not begin with \"CAR\"");
  const auto type_item = items.next();
  Tagged type(type_item, "file type");
  if (type.tag > 2) fail_unknown(type_item, "file type", type.tag);
  return {static_cast<FileType>(type.tag), provenance_of(items.next())};
}

}  // namespace touchstone::formats::car::internal
