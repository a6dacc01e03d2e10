// Compiled for processors with SSSE3 or for aarch64 (extractors/CMakeLists.txt).
#if defined(__SSSE3__) || defined(__AARCH64EL__)

#include "extractors/scan/block_scan.hpp"

#ifdef __SSSE3__
#include <tmmintrin.h>
#else
#include <arm_neon.h>
#endif

namespace touchstone::extractors::scan::internal {
namespace {

#ifdef __SSSE3__

struct Block16 {
  using Vector = __m128i;
  static constexpr std::size_t kBytes = 16;

  static Vector load(const char* bytes) noexcept { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)); }
  static void store(char* out, Vector block) noexcept { _mm_storeu_si128(reinterpret_cast<__m128i*>(out), block); }
  static Vector load_half(ShortBytes bytes) noexcept {
    return _mm_set_epi64x(static_cast<long long>(bytes.high), static_cast<long long>(bytes.low));
  }
  static Vector shift_down(Vector block) noexcept { return _mm_srli_si128(block, 1); }
  static Vector look_up(const HalfBytes& low, const HalfBytes& high, Vector bytes) noexcept {
    const Vector lower = _mm_set1_epi8(15);
    return both(_mm_shuffle_epi8(load_table(low), both(bytes, lower)),
                _mm_shuffle_epi8(load_table(high), both(_mm_srli_epi16(bytes, 4), lower)));
  }
  static Vector both(Vector a, Vector b) noexcept { return _mm_and_si128(a, b); }
  static bool is_ascii(Vector bytes) noexcept { return _mm_movemask_epi8(bytes) == 0; }
  static std::uint32_t mask(Vector found) noexcept {
    return ~static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(found, _mm_setzero_si128()))) & 0xFFFFU;
  }

 private:
  static Vector load_table(const HalfBytes& table) noexcept {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(table.data()));
  }
};

#else

struct Block16 {
  using Vector = uint8x16_t;
  static constexpr std::size_t kBytes = 16;

  static Vector load(const char* bytes) noexcept { return vld1q_u8(reinterpret_cast<const std::uint8_t*>(bytes)); }
  static void store(char* out, Vector block) noexcept { vst1q_u8(reinterpret_cast<std::uint8_t*>(out), block); }
  static Vector load_half(ShortBytes bytes) noexcept {
    return vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(bytes.low), vcreate_u64(bytes.high)));
  }
  static Vector shift_down(Vector block) noexcept { return vextq_u8(block, vdupq_n_u8(0), 1); }
  static Vector look_up(const HalfBytes& low, const HalfBytes& high, Vector bytes) noexcept {
    return both(vqtbl1q_u8(vld1q_u8(low.data()), both(bytes, vdupq_n_u8(15))),
                vqtbl1q_u8(vld1q_u8(high.data()), vshrq_n_u8(bytes, 4)));
  }
  static Vector both(Vector a, Vector b) noexcept { return vandq_u8(a, b); }
  static bool is_ascii(Vector bytes) noexcept { return vmaxvq_u8(bytes) < 0x80; }
  static std::uint32_t mask(Vector found) noexcept {
    const Vector all = vtstq_u8(found, found);
    // Half a byte for each byte tells cheaply that there is no stop, which is the usual case.
    const uint8x8_t halves = vshrn_n_u16(vreinterpretq_u16_u8(all), 4);
    if (vget_lane_u64(vreinterpret_u64_u8(halves), 0) == 0) return 0;
    constexpr std::uint8_t kBits[kBytes] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const Vector bits = both(all, vld1q_u8(kBits));
    return vaddv_u8(vget_low_u8(bits)) | static_cast<std::uint32_t>(vaddv_u8(vget_high_u8(bits))) << 8U;
  }
};

#endif

}  // namespace

constexpr ScanFunctions kScanBy16 = BlockScan<Block16>::functions();

}  // namespace touchstone::extractors::scan::internal

#endif
