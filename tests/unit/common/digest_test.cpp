#include "common/digest.hpp"

#include <gtest/gtest.h>

namespace touchstone {
namespace {

// Published test vectors: FIPS 180-2 appendix B, and the empty text.
TEST(Digest, Sha256OfPublishedVectors) {
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Digest, Sha1OfPublishedVector) {
  EXPECT_EQ(sha1_hex("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(Sha1().update("a").update("").update("bc").hex(), sha1_hex("abc"));
}

// MediaWiki's own value for an empty text, as in every dump.
TEST(Digest, Base36Sha1IsMediaWikis) {
  EXPECT_EQ(sha1_base36(""), "phoiac9h4m842xq45sp7s6u21eteeq1");
}

// Computed with the integers of Python: int(hashlib.sha1(text).hexdigest(), 16), divided by 36 again and again.
TEST(Digest, Base36Sha1KeepsZerosInFront) {
  EXPECT_EQ(sha1_base36("abc"), "jt72fo5t4yobf0qugwuczbwj07max7h");
  EXPECT_EQ(sha1_base36("351"), "00mmwx4pzph8ahzp90ksgtu43zcpkik");
}

TEST(Digest, FieldsWithTheSameBytesButOtherBoundsDiffer) {
  EXPECT_NE(Sha256().update_field("ab").update_field("c").hex(), Sha256().update_field("a").update_field("bc").hex());
}

// The vector of no bytes: github.com/Cyan4973/xxHash, cli tests (read 2025-01).
TEST(Digest, Xxh3Of128BitsIsInItsCanonicalOrder) {
  const Digest128 expected = {0x99, 0xaa, 0x06, 0xd3, 0x01, 0x47, 0x98, 0xd8,
                              0x60, 0x01, 0xc3, 0x24, 0x46, 0x8d, 0x49, 0x7f};
  EXPECT_EQ(xxh3_128(""), expected);
  EXPECT_NE(xxh3_128("a"), xxh3_128("b"));
}

TEST(Digest, ACopyGoesOnFromWhatWasRead) {
  Sha256 beginning;
  beginning.update("abc");
  Sha256 copy(beginning);
  EXPECT_EQ(copy.update("def").hex(), sha256_hex("abcdef"));
  EXPECT_EQ(beginning.update("xyz").hex(), sha256_hex("abcxyz"));
}

}  // namespace
}  // namespace touchstone
