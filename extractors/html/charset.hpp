#pragma once

#include <string>
#include <string_view>

namespace touchstone::extractors::html {

/// The bytes of a page of HTML as UTF-8. A byte order mark decides; else bytes that are UTF-8 stay as they are,
/// whatever is declared; else the charset of the page's <meta> or XML declaration is taken, and windows-1252 where
/// there is none or it is not known. Bytes that mean nothing become U+FFFD.
/// Source: html.spec.whatwg.org, "Determining the character encoding" (windows-1252 stands for latin-1 there).
std::string as_utf8(std::string_view bytes);

}  // namespace touchstone::extractors::html
