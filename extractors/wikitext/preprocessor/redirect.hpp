#pragma once

#include "extractors/wikitext/preprocessor/expander.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace touchstone::extractors::internal {

/// `#REDIRECT [[Target#fragment]]` at the start of a page.
struct Redirect {
  std::optional<Title> target;  ///< nothing when it leads to another wiki or to a page that the wiki makes itself
  std::string fragment;
  std::string_view rest;  ///< the text behind it
};

std::optional<Redirect> read_redirect(PageContext& context, std::string_view wikitext);

/// Only the target.
std::optional<Title> redirect_target(PageContext& context, std::string_view wikitext);

}  // namespace touchstone::extractors::internal
