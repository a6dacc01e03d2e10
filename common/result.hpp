#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace touchstone {

/// Holds a value of type T, or the reason E why there is no value. A small replacement for C++23's std::expected, which
/// the oldest supported compiler (clang 14 with libstdc++ 12) lacks. For single bad records; if the run cannot
/// continue, throw touchstone::Error instead.
template <class T, class E>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: implicit by design
  static Result failure(E reason) { return Result(std::in_place_index<1>, std::move(reason)); }

  bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  /// \pre has_value()
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  /// \pre !has_value()
  const E& error() const { return std::get<1>(state_); }

 private:
  template <std::size_t I, class V>
  Result(std::in_place_index_t<I> index, V&& value) : state_(index, std::forward<V>(value)) {}
  std::variant<T, E> state_;
};

}  // namespace touchstone
