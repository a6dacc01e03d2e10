#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

namespace touchstone::text {

/// The sentences of a paragraph that are compared between pages, one after the other without gaps. A sentence ends at a
/// full stop, question or exclamation mark in front of a blank, behind a word of at least four letters or a shorter one
/// in small letters that a capital follows, and at those of Chinese and Japanese. A rough rule, but fast and the same
/// on all pages, which is what matters here.
void for_each_sentence(std::string_view text, const std::function<void(std::string_view sentence)>& use);

/// Bytes of `text` in front of its last sentence, without the blanks there.
std::size_t size_without_last_sentence(std::string_view text);

/// Where the sentences of a text end, in bytes, as Unicode Standard Annex 29 defines them, by ICU's root locale; the
/// last is its size. Better and slower than for_each_sentence(). Thread-safe. Throws Error without the data of ICU.
std::vector<std::size_t> sentence_ends(std::string_view text);

}  // namespace touchstone::text
