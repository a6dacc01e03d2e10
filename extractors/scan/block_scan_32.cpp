// Compiled for processors with AVX2 (extractors/CMakeLists.txt).
#ifdef __AVX2__

#include "extractors/scan/block_scan.hpp"

#include <immintrin.h>

namespace touchstone::extractors::scan::internal {
namespace {

struct Block32 {
  using Vector = __m256i;
  static constexpr std::size_t kBytes = 32;

  static Vector load(const char* bytes) noexcept { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes)); }
  static void store(char* out, Vector block) noexcept { _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), block); }
  static Vector load_half(ShortBytes bytes) noexcept { return _mm256_zextsi128_si256(half_of(bytes)); }
  static Vector load_halves(const char* first, ShortBytes second) noexcept {
    return _mm256_set_m128i(half_of(second), _mm_loadu_si128(reinterpret_cast<const __m128i*>(first)));
  }
  static Vector shift_down(Vector block) noexcept {
    return _mm256_alignr_epi8(_mm256_permute2x128_si256(block, block, 0x81), block, 1);
  }
  static Vector look_up(const HalfBytes& low, const HalfBytes& high, Vector bytes) noexcept {
    const Vector lower = _mm256_set1_epi8(15);
    return both(_mm256_shuffle_epi8(load_table(low), both(bytes, lower)),
                _mm256_shuffle_epi8(load_table(high), both(_mm256_srli_epi16(bytes, 4), lower)));
  }
  static Vector both(Vector a, Vector b) noexcept { return _mm256_and_si256(a, b); }
  static bool is_ascii(Vector bytes) noexcept { return _mm256_movemask_epi8(bytes) == 0; }
  static std::uint32_t mask(Vector found) noexcept {
    return ~static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(found, _mm256_setzero_si256())));
  }

 private:
  static __m128i half_of(ShortBytes bytes) noexcept {
    return _mm_set_epi64x(static_cast<long long>(bytes.high), static_cast<long long>(bytes.low));
  }
  /// Twice, since a look-up takes place in each half of a block.
  static Vector load_table(const HalfBytes& table) noexcept {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(table.data())));
  }
};

}  // namespace

constexpr ScanFunctions kScanBy32 = BlockScan<Block32>::functions();

}  // namespace touchstone::extractors::scan::internal

#endif
