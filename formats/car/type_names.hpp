#pragma once

#include "formats/car/records.hpp"

#include <string_view>
#include <utility>

namespace touchstone::formats::car {

/// The names of page types in JSON lines and in outputs.
inline constexpr std::pair<std::string_view, PageType> kPageTypes[] = {{"article", PageType::kArticle},
                                                                       {"category", PageType::kCategory},
                                                                       {"disambiguation", PageType::kDisambiguation},
                                                                       {"redirect", PageType::kRedirect}};

/// The names of file types in outputs.
inline constexpr std::pair<std::string_view, FileType> kFileTypes[] = {
    {"pages", FileType::kPages}, {"outlines", FileType::kOutlines}, {"paragraphs", FileType::kParagraphs}};

}  // namespace touchstone::formats::car
