#pragma once

#include <string>
#include <utility>

namespace touchstone {

/// What the operating system says to an error number.
std::string system_reason(int code);

/// Owns a file descriptor and closes it; a negative number is none.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) noexcept : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  int get() const noexcept { return number_; }
  bool is_open() const noexcept { return number_ >= 0; }
  /// Gives the descriptor away.
  int release() noexcept { return std::exchange(number_, -1); }
  /// Whether the system could close it is not told: a writer that must know flushes before.
  void close() noexcept;

 private:
  int number_ = -1;
};

struct Pipe {
  Descriptor read_end, write_end;
};

/// A pipe whose ends other programs do not get by themselves. Throws Error, with the name of the program it is for.
Pipe make_pipe(const std::string& program);

}  // namespace touchstone
