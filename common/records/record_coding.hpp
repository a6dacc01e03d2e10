#pragma once

#include "common/records/record_bytes.hpp"

#include <array>
#include <bit>
#include <bitset>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

/// How records become bytes. A record lists its fields once, in a member function beside them:
///
///     struct QueryPage {
///       PageId page;
///       std::string title;
///       template <class Fields>
///       void fields(Fields& field) {
///         field("page_id", page)("title", title);
///       }
///     };
///
/// From that list follow the bytes (`encode`), the record (`decode`), and the layout: a text that names all fields and
/// their types, with which a file can be read by programs that do not know the record.
///
/// A field is a whole number, a truth value, a `double`, an enum (if `names_of(value)` gives a table with the names of
/// its values from 0 on, they are in the layout), a text, an id (a struct whose only member is
/// `value`), a bitset of at most 64 bits, an array of bytes, a record, or a vector, array,
/// map (a list of pairs), optional, pair or variant of such. Records may hold records of their own kind.
namespace touchstone::records {

/// Letters of a layout; lists, optional values and pairs are written around the layout of what they hold:
/// `[X]`, `?X`, `(XY)`, variants as `<XY>`, and records as `{name:X,name:X}`. A record within one of its own kind is
/// `^N.`, where N is the number of records between them. The names of an enum follow its letter: `eNAME|NAME.`.
enum class Letter : char {
  kNumber = 'n',
  kSigned = 's',
  kTruth = 'b',
  kReal = 'd',
  kText = 't',
  kBytes = 'x',
  kNamed = 'e'
};

namespace internal {

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsMap : std::false_type {};
template <class K, class V>
struct IsMap<std::map<K, V>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsPair : std::false_type {};
template <class A, class B>
struct IsPair<std::pair<A, B>> : std::true_type {};
template <class T>
struct IsBytes : std::false_type {};
template <std::size_t N>
struct IsBytes<std::array<std::uint8_t, N>> : std::true_type {};
template <class T>
struct IsArray : std::false_type {};
template <class T, std::size_t N>
struct IsArray<std::array<T, N>> : std::true_type {};
template <class T>
struct IsBitset : std::false_type {};
template <std::size_t N>
struct IsBitset<std::bitset<N>> : std::bool_constant<(N <= 64)> {};

template <class T>
struct IsVariant : std::false_type {};
template <class... T>
struct IsVariant<std::variant<T...>> : std::true_type {};

/// Gives the variant its alternative number `index` and calls `use` with it. Returns false if the variant has fewer
/// alternatives.
template <std::size_t I = 0, class... T, class Use>
bool emplace_alternative(std::variant<T...>& value, std::uint64_t index, const Use& use) {
  if constexpr (I == sizeof...(T)) {
    return false;
  } else {
    if (index != I) return emplace_alternative<I + 1>(value, index, use);
    use(value.template emplace<I>());
    return true;
  }
}

struct AnyField {
  template <class T>
  AnyField& operator()(std::string_view /*name*/, T& /*value*/);
};

template <class T>
concept Described = requires(T& record, AnyField& field) {
  record.fields(field);
};
template <class T>
concept Named = std::is_enum_v<T> && requires(T value) {
  names_of(value);
};
template <class T>
concept Id = requires(T& id) {
  requires std::unsigned_integral<std::remove_reference_t<decltype(id.value)>>;
};

/// Passes each field to a function.
template <class Visit>
struct FieldVisitor {
  Visit visit;
  template <class T>
  FieldVisitor& operator()(std::string_view name, T& value) {
    visit(name, value);
    return *this;
  }
};
template <class T, class Visit>
void for_each_field(T& record, Visit visit) {
  FieldVisitor<Visit> visitor{std::move(visit)};
  record.fields(visitor);
}

}  // namespace internal

template <class T>
void encode(Encoder& to, const T& value) {
  if constexpr (std::same_as<T, bool> || std::unsigned_integral<T>) {
    to.number(value);
  } else if constexpr (std::signed_integral<T>) {
    to.signed_number(value);
  } else if constexpr (std::is_enum_v<T>) {
    encode(to, static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::same_as<T, double>) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    std::array<char, sizeof bits> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(bits >> 8 * i & 0xFFU);
    to.raw({bytes.data(), bytes.size()});
  } else if constexpr (std::same_as<T, std::string>) {
    to.text(value);
  } else if constexpr (internal::IsBytes<T>::value) {
    to.raw({reinterpret_cast<const char*>(value.data()), value.size()});
  } else if constexpr (internal::IsBitset<T>::value) {
    to.number(value.to_ullong());
  } else if constexpr (internal::IsVector<T>::value || internal::IsArray<T>::value || internal::IsMap<T>::value) {
    to.number(value.size());
    for (const auto& item : value) encode(to, item);
  } else if constexpr (internal::IsOptional<T>::value) {
    to.number(value.has_value());
    if (value) encode(to, *value);
  } else if constexpr (internal::IsPair<T>::value) {
    encode(to, value.first);
    encode(to, value.second);
  } else if constexpr (internal::IsVariant<T>::value) {
    to.number(value.index());
    std::visit([&](const auto& alternative) { encode(to, alternative); }, value);
  } else if constexpr (internal::Described<T>) {
    // A record lists its fields for reading and writing; nothing is changed here.
    internal::for_each_field(const_cast<T&>(value), [&](std::string_view, const auto& field) { encode(to, field); });
  } else {
    static_assert(internal::Id<T>, "a record has to list this field");
    encode(to, value.value);
  }
}

/// Throws FormatError for bytes that `encode` did not write.
template <class T>
void decode(Decoder& from, T& value) {
  if constexpr (std::same_as<T, bool>) {
    const auto number = from.number();
    if (number > 1) from.fail();
    value = number == 1;
  } else if constexpr (std::unsigned_integral<T>) {
    value = from.number_as<T>();
  } else if constexpr (std::signed_integral<T>) {
    const auto number = from.signed_number();
    if (!std::in_range<T>(number)) from.fail();
    value = static_cast<T>(number);
  } else if constexpr (std::is_enum_v<T>) {
    std::underlying_type_t<T> number{};
    decode(from, number);
    value = static_cast<T>(number);
    if constexpr (internal::Named<T>) {
      if (std::cmp_greater_equal(number, names_of(value).size())) from.fail();
    }
  } else if constexpr (std::same_as<T, double>) {
    std::uint64_t bits = 0;
    int shift = 0;
    for (const char byte : from.raw(sizeof bits)) {
      bits |= std::uint64_t{static_cast<unsigned char>(byte)} << shift;
      shift += 8;
    }
    value = std::bit_cast<double>(bits);
  } else if constexpr (std::same_as<T, std::string>) {
    value = from.text();
  } else if constexpr (internal::IsBytes<T>::value) {
    const auto bytes = from.raw(value.size());
    for (std::size_t i = 0; i < value.size(); ++i) value[i] = static_cast<std::uint8_t>(bytes[i]);
  } else if constexpr (internal::IsBitset<T>::value) {
    value = T(from.number());
  } else if constexpr (internal::IsArray<T>::value) {
    if (from.count() != value.size()) from.fail();
    for (auto& item : value) decode(from, item);
  } else if constexpr (internal::IsVector<T>::value) {
    value.clear();
    // One after the other: memory for all would be as large as damaged bytes say.
    for (auto count = from.count(); count > 0; --count) {
      typename T::value_type item{};
      decode(from, item);
      value.push_back(std::move(item));
    }
  } else if constexpr (internal::IsMap<T>::value) {
    value.clear();
    for (auto count = from.count(); count > 0; --count) {
      std::pair<typename T::key_type, typename T::mapped_type> item;
      decode(from, item);
      value.insert(value.end(), std::move(item));
    }
  } else if constexpr (internal::IsOptional<T>::value) {
    value.reset();
    if (from.number() != 0) decode(from, value.emplace());
  } else if constexpr (internal::IsPair<T>::value) {
    decode(from, value.first);
    decode(from, value.second);
  } else if constexpr (internal::IsVariant<T>::value) {
    const auto index = from.number();
    if (!internal::emplace_alternative(value, index, [&](auto& alternative) { decode(from, alternative); }))
      from.fail();
  } else if constexpr (internal::Described<T>) {
    const Decoder::Nested nested(from);
    internal::for_each_field(value, [&](std::string_view, auto& field) { decode(from, field); });
  } else {
    static_assert(internal::Id<T>, "a record has to list this field");
    decode(from, value.value);
  }
}

/// The record that fills all of the bytes.
template <class T>
T decode_all(std::string_view bytes) {
  Decoder from(bytes);
  T value{};
  decode(from, value);
  from.end();
  return value;
}

namespace internal {

/// The kinds of the records that a layout is in, outermost first, each as the address of its tag.
using Enclosing = std::vector<const char*>;
template <class T>
inline constexpr char kTag = 0;

template <class T>
std::string layout_in(Enclosing& enclosing);

template <class... T>
std::string layouts_in(Enclosing& enclosing, const std::variant<T...>* /*of*/) {
  return (layout_in<T>(enclosing) + ...);
}

template <class T>
std::string layout_in(Enclosing& enclosing) {
  const auto letter = [](Letter of) { return std::string(1, static_cast<char>(of)); };
  if constexpr (std::same_as<T, bool>) {
    return letter(Letter::kTruth);
  } else if constexpr (std::unsigned_integral<T> || IsBitset<T>::value) {
    return letter(Letter::kNumber);
  } else if constexpr (std::signed_integral<T>) {
    return letter(Letter::kSigned);
  } else if constexpr (Named<T>) {
    static_assert(std::unsigned_integral<std::underlying_type_t<T>>);
    std::string names;
    for (const auto& [value, name] : names_of(T{})) names += (names.empty() ? "" : "|") + std::string(name);
    return letter(Letter::kNamed) + names + ".";
  } else if constexpr (std::is_enum_v<T>) {
    return layout_in<std::underlying_type_t<T>>(enclosing);
  } else if constexpr (std::same_as<T, double>) {
    return letter(Letter::kReal);
  } else if constexpr (std::same_as<T, std::string>) {
    return letter(Letter::kText);
  } else if constexpr (IsBytes<T>::value) {
    return letter(Letter::kBytes) + std::to_string(std::tuple_size_v<T>) + ".";
  } else if constexpr (IsVector<T>::value || IsArray<T>::value) {
    return "[" + layout_in<typename T::value_type>(enclosing) + "]";
  } else if constexpr (IsMap<T>::value) {
    return "[" + layout_in<std::pair<typename T::key_type, typename T::mapped_type>>(enclosing) + "]";
  } else if constexpr (IsOptional<T>::value) {
    return "?" + layout_in<typename T::value_type>(enclosing);
  } else if constexpr (IsPair<T>::value) {
    return "(" + layout_in<typename T::first_type>(enclosing) + layout_in<typename T::second_type>(enclosing) + ")";
  } else if constexpr (IsVariant<T>::value) {
    return "<" + layouts_in(enclosing, static_cast<const T*>(nullptr)) + ">";
  } else if constexpr (Described<T>) {
    for (std::size_t i = enclosing.size(); i-- > 0;) {
      if (enclosing[i] == &kTag<T>) return "^" + std::to_string(enclosing.size() - 1 - i) + ".";
    }
    enclosing.push_back(&kTag<T>);
    std::string layout;
    T record{};
    for_each_field(record, [&]<class Field>(std::string_view name, Field&) {
      layout += (layout.empty() ? "" : ",") + std::string(name) + ":" + layout_in<Field>(enclosing);
    });
    enclosing.pop_back();
    return "{" + layout + "}";
  } else {
    static_assert(Id<T>, "a record has to list this field");
    return letter(Letter::kNumber);
  }
}

}  // namespace internal

template <class T>
std::string layout_of() {
  internal::Enclosing enclosing;
  return internal::layout_in<T>(enclosing);
}

}  // namespace touchstone::records
