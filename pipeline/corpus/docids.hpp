#pragma once

#include "common/ids.hpp"
#include "extractors/site/site_info.hpp"
#include "pipeline/corpus/wiki_options.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace touchstone::pipeline::corpus {

/// The wiki's name as docids carry it: as configured, else the site's database name or name, without the
/// characters that a docid cannot hold; "wiki" where nothing is left.
std::string wiki_name(const NameOptions& options, const extractors::site::SiteInfo& site);

/// `<wiki>-<page id>-<ordinal>`
std::string make_docid(std::string_view wiki, PageId page, std::uint32_t ordinal);

/// The page in a docid that `make_docid` made. Throws FormatError for any other text.
PageId page_of_docid(std::string_view docid);

}  // namespace touchstone::pipeline::corpus
