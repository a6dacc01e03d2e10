#pragma once

#include "common/descriptor.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::annotation {

/// Someone who judges. Only the pseudonym leaves the folder of the campaign.
struct Annotator {
  std::string name;
  std::string pseudonym;  ///< A1, A2, ...: numbers are drawn, so that they do not tell the order of the names
  std::string token;      ///< 43 characters of [A-Za-z0-9_-], 256 random bits; whoever has it is the annotator
  bool is_listed = true;  ///< in the newest list of names; others keep their answers and may give no more
};

/// Who may do what: secret links, and what proves a session. Kept in `access.json` of the campaign's folder, which only
/// its owner may read. Immutable after `open`, thread-safe.
class Access {
 public:
  /// Names come from `list`, a line each; empty lines and those that begin with `#` are ignored, and so is what follows
  /// a tab. People who are known from an earlier run keep pseudonym and link.
  /// Throws StorageError, and FormatError for a name that comes twice, has more than 200 bytes, control characters or
  /// no UTF-8, or for an empty list.
  static Access open(const std::filesystem::path& folder, const std::filesystem::path& list);
  /// The people of an earlier run.
  static Access reopen(const std::filesystem::path& folder);

  const std::vector<Annotator>& annotators() const noexcept { return annotators_; }
  const std::string& owner_token() const noexcept { return owner_token_; }
  std::optional<std::size_t> find_pseudonym(std::string_view pseudonym) const;

  /// Who has a token: the number of the annotator, or `kOwner`; nothing for an unknown one. Takes as long for each
  /// token of the same length, so that time tells nothing of it.
  std::optional<std::size_t> find_token(std::string_view token) const;
  static constexpr std::size_t kOwner = static_cast<std::size_t>(-1);

  /// Value of the cookie of a session, and of the header that its POSTs must have: "who.digest" with a keyed digest.
  std::string cookie_of(std::size_t who) const;
  std::string csrf_of(std::size_t who) const;
  /// Who a cookie belongs to.
  std::optional<std::size_t> find_cookie(std::string_view cookie) const;

 private:
  std::string name_of(std::size_t who) const;
  std::string keyed(std::string_view purpose, std::size_t who) const;
  void make_proofs();
  const std::string& proof(const std::vector<std::string>& of, std::size_t who) const;
  void write(const std::filesystem::path& folder) const;

  std::vector<Annotator> annotators_;
  std::string owner_token_, secret_;
  std::vector<std::string> cookies_, csrf_;  ///< keyed digests of annotators, then of the owner
};

/// Keeps a folder for this process until the result is closed. Throws StorageError if another one has it.
Descriptor lock_folder(const std::filesystem::path& folder);

/// Whether two texts are equal, in a time that depends on the size of the second only.
bool equal_in_constant_time(std::string_view a, std::string_view b) noexcept;

/// 43 characters of [A-Za-z0-9_-], 256 random bits. Throws Error if the system has none.
std::string random_token();

}  // namespace touchstone::annotation
