#pragma once

// How the values of options are read from TOML and written back. Only settings.cpp and option_values.cpp include this:
// TOML's header is large.

#include "common/options.hpp"

#include <string>
#include <string_view>

// NOLINTNEXTLINE(readability-identifier-naming): the name is the library's
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

namespace touchstone::internal {

/// "whole number", "list of texts", ...
std::string_view type_name(const OptionField& field);
/// A text, or one of several texts.
bool is_text(const OptionField& field);
bool is_list_of_texts(const OptionField& field);

/// Gives a value to any field but a TableListField. Returns what is wrong with it, as a sentence without its place;
/// empty: nothing. A value of the wrong type changes nothing.
std::string assign(const OptionRow& row, const OptionField& field, const toml::node& node);

/// The value in TOML's notation; what `assign` reads.
std::string text_of(const OptionField& field);

std::string in_quotes(std::string_view text);
/// The texts, each between two `quote`s.
std::string joined(const ChoiceTexts& texts, std::string_view separator, std::string_view quote);
/// "f.toml line 3".
std::string place_of(const toml::node& node, const std::string& where);

}  // namespace touchstone::internal
