#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone {

/// Finds secrets in text in every form that an echo usually takes: as they are and in other cases of letters, with
/// characters escaped as in JSON (`\/`, `\u002d`, any number of backslashes), in URLs (`%2D`, escaped again or not) and
/// in HTML (`&#45;`, `&sol;`), and within hexadecimal or base64 text at each of its three alignments; and any 16 bytes
/// of a longer secret that follow each other. Immutable, thread-safe.
class SecretFinder {
 public:
  /// Secrets of fewer than six bytes are left out: they are in any text by chance.
  explicit SecretFinder(const std::vector<std::string>& secrets);

  bool empty() const noexcept { return forms_.empty(); }
  /// Replaces each by "***"; base64 text around one goes with it. True when there was one. Time is linear in the text
  /// for each secret.
  bool hide(std::string& text) const;

 private:
  struct Form {
    std::string text;
    bool any_case = false;
    bool base64 = false;

    bool begins(std::string_view part) const noexcept;
    bool operator==(const Form&) const = default;
  };
  void add(Form form);
  void prepare_skips();
  /// Whether a form is in a text without escapes. Looks at a pair of bytes; where no form can be around it, goes
  /// on by as many bytes as the shortest form allows. Source: S. Wu, U. Manber: A fast algorithm for multi-pattern
  /// searching. Technical report TR-94-17, University of Arizona, 1994.
  bool holds_one(std::string_view text) const noexcept;
  void replace(std::string& text) const;

  std::vector<Form> forms_;
  std::size_t window_ = 0;           // bytes of the shortest form, which the search looks at in each
  std::vector<std::uint8_t> skips_;  // by pair: bytes to go on by; 0: a form may begin where the window does
};

/// True for names of headers and parameters that usually hold a secret ("x-api-key", "Authorization"), in any case.
/// Pure.
bool names_secret(std::string_view name);

/// Keeps a secret out of all that this process writes from now on: log lines and messages, and every text that is
/// passed to `hide_secrets`. Forbids core dumps as well. There is one list for the process, as there is one log.
/// Thread-safe.
void keep_secret(std::string_view secret);

/// True when there is a secret to keep. Costs nothing.
bool has_secrets() noexcept;

/// Replaces the secrets of the process; see SecretFinder::hide. Thread-safe.
bool hide_secrets(std::string& text);

/// From now on a crash of this process leaves no copy of its memory, and other processes of the user cannot read it.
/// The decision cannot be taken back. Thread-safe.
void forbid_core_dumps() noexcept;

}  // namespace touchstone
