#include "annotation/access.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_writer.hpp"
#include "common/secrets.hpp"
#include "common/system_failure.hpp"
#include "common/unicode.hpp"
#include "formats/fields/quote.hpp"
#include "formats/json/field_reader.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <set>

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <sys/file.h>
#include <sys/stat.h>

namespace touchstone::annotation {
namespace {

constexpr std::string_view kFile = "access.json";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kMaxNameBytes = 200, kMaxAnnotators = 10'000;

std::vector<std::uint8_t> random_bytes(std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  if (RAND_bytes(bytes.data(), static_cast<int>(size)) != 1)
    throw Error("the system gives no random numbers for links");
  return bytes;
}

std::uint64_t random_number() {
  std::uint64_t number = 0;
  for (const auto byte : random_bytes(8)) number = number << 8U | byte;
  return number;
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

/// Files that are made while it lives are for their owner only.
class PrivateFiles {
 public:
  PrivateFiles() : before_(::umask(0077)) {}
  ~PrivateFiles() { ::umask(before_); }
  PrivateFiles(const PrivateFiles&) = delete;
  PrivateFiles& operator=(const PrivateFiles&) = delete;

 private:
  mode_t before_;
};

/// The names of the list, in its order.
std::vector<std::string> read_names(const std::filesystem::path& list) {
  std::vector<std::string> names;
  std::map<std::string, std::uint64_t> lines;
  for_each_line(
      list,
      [&](std::string_view line, std::uint64_t number) {
        if (number == 1 && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
        auto name = line.substr(0, line.find('\t'));
        while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
        while (!name.empty() && name.front() == ' ') name.remove_prefix(1);
        if (name.empty() || name.front() == '#') return true;
        const auto fail = [&](const std::string& what) {
          throw FormatError(fmt::format("{}:{}: {}", list.string(), number, what));
        };
        if (name.size() > kMaxNameBytes)
          fail(fmt::format("a name has more than {} bytes; give one name a line", kMaxNameBytes));
        if (!is_valid_utf8(name) || std::any_of(name.begin(), name.end(), is_control))
          fail("a name has a control character or is not UTF-8; write names as plain text");
        const auto [known, is_new] = lines.emplace(name, number);
        if (!is_new) {
          fail(fmt::format("the name {} is in line {} already; tell the two people apart",
                           formats::fields::quote_for_message(name), known->second));
        }
        if (names.size() == kMaxAnnotators) fail(fmt::format("there are more than {} names", kMaxAnnotators));
        names.emplace_back(name);
        return true;
      },
      std::size_t{1} << 16U);
  if (names.empty()) throw FormatError(list.string() + " names nobody; write the name of one annotator a line");
  return names;
}

}  // namespace

Descriptor lock_folder(const std::filesystem::path& folder) {
  const auto file = folder / "lock";
  Descriptor lock(::open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600));
  if (lock.get() < 0) throw StorageError(failure_text("open", file, errno));
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) == 0) return lock;
  if (errno != EWOULDBLOCK) throw StorageError(failure_text("lock", file, errno));
  throw StorageError(folder.string() +
                     " is in use by another touchstone annotate; stop that one, or name another folder with --out");
}

bool equal_in_constant_time(std::string_view a, std::string_view b) noexcept {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string random_token() {
  const auto bytes = random_bytes(32);
  std::array<std::uint8_t, 48> text{};
  const auto size = EVP_EncodeBlock(text.data(), bytes.data(), static_cast<int>(bytes.size()));
  std::string token(text.begin(), text.begin() + size);
  std::erase(token, '=');
  std::replace(token.begin(), token.end(), '+', '-');
  std::replace(token.begin(), token.end(), '/', '_');
  return token;
}

Access Access::open(const std::filesystem::path& folder, const std::filesystem::path& list) {
  const auto names = read_names(list);
  Access access;
  if (std::filesystem::exists(folder / kFile)) {
    access = reopen(folder);
  } else {
    access.owner_token_ = random_token();
    access.secret_ = random_token();
    keep_secret(access.owner_token_);
  }
  const std::set<std::string> listed(names.begin(), names.end());
  std::set<std::string> known;
  for (auto& annotator : access.annotators_) {
    annotator.is_listed = listed.contains(annotator.name);
    known.insert(annotator.name);
  }
  std::vector<std::string> fresh;
  std::copy_if(names.begin(), names.end(), std::back_inserter(fresh),
               [&](const std::string& name) { return !known.contains(name); });
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < fresh.size(); ++i) numbers.push_back(access.annotators_.size() + i + 1);
  for (std::size_t i = numbers.size(); i > 1; --i) std::swap(numbers[i - 1], numbers[random_number() % i]);
  for (std::size_t i = 0; i < fresh.size(); ++i)
    access.annotators_.push_back({fresh[i], "A" + std::to_string(numbers[i]), random_token(), true});
  access.write(folder);
  access.make_proofs();
  return access;
}

Access Access::reopen(const std::filesystem::path& folder) {
  const auto file = folder / kFile;
  const auto text = read_file(file, std::uint64_t{1} << 24U);
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  std::string error;
  Access access;
  if (formats::json::parse_object(parser, text, object, error)) {
    formats::json::FieldReader fields(object, error);
    access.owner_token_ = fields.text("owner_token");
    access.secret_ = fields.text("secret");
    for (auto& person : fields.objects("annotators"))
      access.annotators_.push_back({person.text("name"), person.text("pseudonym"), person.text("token"),
                                    !person.has("listed") || person.boolean("listed")});
    if (access.owner_token_.size() < 43 || access.secret_.size() < 43) fields.fail("has a token that is too short");
  }
  if (!error.empty()) throw FormatError(file.string() + " " + error);
  keep_secret(access.owner_token_);
  access.make_proofs();
  return access;
}

void Access::write(const std::filesystem::path& folder) const {
  JsonWriter json({.indent = 1});
  json.begin_object().field("owner_token", owner_token_).field("secret", secret_).key("annotators").begin_array();
  for (const auto& annotator : annotators_) {
    json.begin_object().field("name", annotator.name).field("pseudonym", annotator.pseudonym);
    json.field("token", annotator.token).field("listed", annotator.is_listed).end_object();
  }
  const PrivateFiles only_for_the_owner;
  write_file_atomically(folder / kFile, json.end_array().end_object().take() + "\n");
}

std::optional<std::size_t> Access::find_pseudonym(std::string_view pseudonym) const {
  for (std::size_t i = 0; i < annotators_.size(); ++i) {
    if (annotators_[i].pseudonym == pseudonym) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> Access::find_token(std::string_view token) const {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < annotators_.size(); ++i) {
    if (equal_in_constant_time(token, annotators_[i].token) && annotators_[i].is_listed) found = i;
  }
  if (equal_in_constant_time(token, owner_token_)) found = kOwner;
  return found;
}

std::string Access::name_of(std::size_t who) const {
  return who == kOwner ? "owner" : annotators_[who].pseudonym;
}

std::string Access::keyed(std::string_view purpose, std::size_t who) const {
  // The token is part of the text, so that a new link ends the sessions of the old one.
  const auto text =
      std::string(purpose) + '\n' + name_of(who) + '\n' + (who == kOwner ? owner_token_ : annotators_[who].token);
  std::array<std::uint8_t, 32> digest{};
  unsigned int size = 0;
  TS_CHECK(HMAC(EVP_sha256(), secret_.data(), static_cast<int>(secret_.size()),
                reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data(), &size) != nullptr,
           "HMAC with SHA-256 cannot fail");
  return to_hex(digest.data(), digest.size());
}

void Access::make_proofs() {
  cookies_.clear();
  csrf_.clear();
  for (std::size_t i = 0; i <= annotators_.size(); ++i) {
    const auto who = i == annotators_.size() ? kOwner : i;
    cookies_.push_back(keyed("cookie", who));
    csrf_.push_back(keyed("csrf", who));
  }
}

const std::string& Access::proof(const std::vector<std::string>& of, std::size_t who) const {
  return of[std::min(who, annotators_.size())];
}

std::string Access::cookie_of(std::size_t who) const {
  return name_of(who) + "." + proof(cookies_, who);
}

std::string Access::csrf_of(std::size_t who) const {
  return proof(csrf_, who);
}

std::optional<std::size_t> Access::find_cookie(std::string_view cookie) const {
  const auto dot = cookie.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const auto name = cookie.substr(0, dot);
  const auto who = name == "owner" ? std::optional(kOwner) : find_pseudonym(name);
  if (!who || (*who != kOwner && !annotators_[*who].is_listed)) return std::nullopt;
  if (!equal_in_constant_time(cookie.substr(dot + 1), proof(cookies_, *who))) return std::nullopt;
  return who;
}

}  // namespace touchstone::annotation
