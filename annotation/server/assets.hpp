#pragma once

#include <span>
#include <string_view>

namespace touchstone::annotation::server {

/// A file of web/ as it was when the program was built.
struct Asset {
  std::string_view name;  ///< "annotate.css"
  std::string_view text;
};

/// The files that make the pages of annotators and owner.
std::span<const Asset> page_assets();

}  // namespace touchstone::annotation::server
