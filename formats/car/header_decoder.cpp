#include "formats/car/header_decoder.hpp"

#include "formats/car/item_view.hpp"

#include <utility>

namespace touchstone::formats::car::internal {
namespace {

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
