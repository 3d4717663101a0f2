#include "core/network/stored_format.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

#include "core/network/codebooks.h"

namespace attention::network {
namespace {

// Formulas and layouts are those of ggml (ggml-quants.c) and of its package gguf (quants.py), in
// whose terms d is the scale of a block and qs are its packed numbers.

constexpr Index kSuper = kLargestBlock;  // numbers in a block of the K, IQ and TQ formats

// Reads the fields of a block one after the other.
class Fields {
 public:
  explicit Fields(const std::byte* from) : at_(from) {}

  // A view of the next `count` bytes.
  const std::uint8_t* bytes(std::size_t count) {
    const std::byte* const here = std::exchange(at_, at_ + count);
    return reinterpret_cast<const std::uint8_t*>(here);
  }
  float half() { return static_cast<float>(std::bit_cast<Eigen::half>(number<std::uint16_t>())); }
  template <typename Number>
  Number number() {
    Number value;
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }

 private:
  const std::byte* at_;
};

template <typename Number>
Number number_at(const std::uint8_t* from) {
  Number value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

float as_signed(std::uint8_t byte) { return static_cast<float>(static_cast<std::int8_t>(byte)); }

template <float (*load)(const std::byte*), std::size_t size>
void widen_each(const std::byte* from, Index count, float* to) {
  for (Index i = 0; i < count; ++i, from += size) to[i] = load(from);
}

// Calls widen_block(fields, to) for each block.
template <void (*widen_block)(Fields, float*), Index block, std::size_t bytes>
void widen_blocks(const std::byte* from, Index count, float* to) {
  for (Index i = 0; i < count; ++i, from += bytes, to += block) widen_block(Fields(from), to);
}

float load_float32(const std::byte* from) { return Fields(from).number<float>(); }
float load_float16(const std::byte* from) { return Fields(from).half(); }
float load_bfloat16(const std::byte* from) {
  return std::bit_cast<float>(std::uint32_t{Fields(from).number<std::uint16_t>()} << 16);
}

// The low halves of 16 bytes are the first 16 numbers, the high halves the others.
void read_nibbles(const std::uint8_t* qs, int (&numbers)[32]) {
  for (int i = 0; i < 16; ++i) numbers[i] = qs[i] & 15, numbers[i + 16] = qs[i] >> 4;
}

void widen_q4_0(Fields fields, float* to) {
  const float d = fields.half();
  int q[32];
  read_nibbles(fields.bytes(16), q);
  for (int i = 0; i < 32; ++i) to[i] = d * static_cast<float>(q[i] - 8);
}

void widen_q4_1(Fields fields, float* to) {
  const float d = fields.half(), minimum = fields.half();
  int q[32];
  read_nibbles(fields.bytes(16), q);
  for (int i = 0; i < 32; ++i) to[i] = d * static_cast<float>(q[i]) + minimum;
}

// The fifth bits are those of a word.
void read_fifths(Fields& fields, int (&numbers)[32]) {
  const auto high = fields.number<std::uint32_t>();
  read_nibbles(fields.bytes(16), numbers);
  for (int i = 0; i < 32; ++i) numbers[i] |= static_cast<int>(high >> i & 1U) << 4;
}

void widen_q5_0(Fields fields, float* to) {
  const float d = fields.half();
  int q[32];
  read_fifths(fields, q);
  for (int i = 0; i < 32; ++i) to[i] = d * static_cast<float>(q[i] - 16);
}

void widen_q5_1(Fields fields, float* to) {
  const float d = fields.half(), minimum = fields.half();
  int q[32];
  read_fifths(fields, q);
  for (int i = 0; i < 32; ++i) to[i] = d * static_cast<float>(q[i]) + minimum;
}

void widen_q8_0(Fields fields, float* to) {
  const float d = fields.half();
  const std::uint8_t* const qs = fields.bytes(32);
  for (int i = 0; i < 32; ++i) to[i] = d * as_signed(qs[i]);
}

// Number `i` of a block whose 32 bytes hold 128 numbers, 2 bits each: the lowest bits of all of
// them come first.
int two_bits(const std::uint8_t* qs, int i) {
  return qs[i / 128 * 32 + i % 32] >> (i / 32 % 4 * 2) & 3;
}

void widen_q2_k(Fields fields, float* to) {
  const std::uint8_t *const scales = fields.bytes(16), *const qs = fields.bytes(64);
  const float d = fields.half(), minimum = fields.half();
  for (int i = 0; i < kSuper; ++i) {
    const std::uint8_t scale = scales[i / 16];
    to[i] = d * static_cast<float>(scale & 15) * static_cast<float>(two_bits(qs, i)) -
            minimum * static_cast<float>(scale >> 4);
  }
}

void widen_q3_k(Fields fields, float* to) {
  const std::uint8_t *const high = fields.bytes(32), *const qs = fields.bytes(64);
  const std::uint8_t* const packed = fields.bytes(12);
  const float d = fields.half();
  for (int i = 0; i < kSuper; ++i) {
    const int group = i / 16;
    const int low_scale = packed[group % 8] >> (group / 8 * 4) & 15;
    const int high_scale = packed[8 + group % 4] >> (group / 4 * 2) & 3;
    const int scale = (low_scale | high_scale << 4) - 32;
    const bool above = (high[i % 32] >> (i / 32) & 1) != 0;
    to[i] = d * static_cast<float>(scale) * static_cast<float>(two_bits(qs, i) - (above ? 0 : 4));
  }
}

// The scale and the minimum of group `i` of eight, 6 bits each.
struct ScaleAndMinimum {
  ScaleAndMinimum(const std::uint8_t* packed, int i) {
    if (i < 4) {
      scale = packed[i] & 63, minimum = packed[i + 4] & 63;
    } else {
      scale = (packed[i + 4] & 15) | (packed[i - 4] >> 6 << 4);
      minimum = (packed[i + 4] >> 4) | (packed[i] >> 6 << 4);
    }
  }
  int scale, minimum;
};

// `high` gives the fifth bit of number `i` of group `group`, as 0 or 16.
template <typename High>
void widen_q4_or_q5_k(float d, float least, const std::uint8_t* packed, const std::uint8_t* qs,
                      float* to, High high) {
  for (int group = 0; group < 8; ++group) {
    const ScaleAndMinimum both(packed, group);
    const float scale = d * static_cast<float>(both.scale);
    const float minimum = least * static_cast<float>(both.minimum);
    const std::uint8_t* const pairs = qs + group / 2 * 32;
    for (int i = 0; i < 32; ++i) {
      const int q = (pairs[i] >> (group % 2 * 4) & 15) + high(group, i);
      to[group * 32 + i] = scale * static_cast<float>(q) - minimum;
    }
  }
}

void widen_q4_k(Fields fields, float* to) {
  const float d = fields.half(), least = fields.half();
  const std::uint8_t *const packed = fields.bytes(12), *const qs = fields.bytes(128);
  widen_q4_or_q5_k(d, least, packed, qs, to, [](int, int) { return 0; });
}

void widen_q5_k(Fields fields, float* to) {
  const float d = fields.half(), least = fields.half();
  const std::uint8_t *const packed = fields.bytes(12), *const qh = fields.bytes(32);
  widen_q4_or_q5_k(d, least, packed, fields.bytes(128), to,
                   [qh](int group, int i) { return (qh[i] >> group & 1) << 4; });
}

void widen_q6_k(Fields fields, float* to) {
  const std::uint8_t *const ql = fields.bytes(128), *const qh = fields.bytes(64);
  const std::uint8_t* const scales = fields.bytes(16);
  const float d = fields.half();
  for (int i = 0; i < kSuper; ++i) {
    const int half = i / 128, quarter = i / 32 % 4;
    const int low = ql[half * 64 + i % 64] >> (quarter / 2 * 4) & 15;
    const int high = qh[half * 32 + i % 32] >> (quarter * 2) & 3;
    to[i] = d * as_signed(scales[i / 16]) * static_cast<float>((low | high << 4) - 32);
  }
}

// The numbers of a packed pattern, through the values that its digits mean.
template <int length, std::size_t count>
void read_pattern(std::uint16_t packed, const std::array<int, count>& values, float (&to)[length]) {
  constexpr int bits = 16 / length - (length == 4 ? 1 : 0);
  for (int i = 0; i < length; ++i)
    to[i] = static_cast<float>(
        values[static_cast<std::size_t>(packed >> (bits * i) & ((1 << bits) - 1))]);
}

constexpr std::array kValuesIQ1 = {-1, 0, 1};
constexpr std::array kValuesIQ2 = {8, 25, 43};
constexpr std::array kValuesIQ3_XXS = {4, 12, 20, 28, 36, 44, 52, 62};
constexpr std::array kValuesIQ3_S = {1, 3, 5, 7, 9, 11, 13, 15};

// The signs of eight numbers, of which seven are stored: the number of minus signs is even.
unsigned all_signs(unsigned seven) {
  return seven | static_cast<unsigned>(std::popcount(seven) & 1) << 7;
}

// Eight numbers: a pattern of IQ2 times `scale`, with a minus where `signs` has a bit.
void put_pattern(std::uint16_t packed, unsigned signs, float scale, float* to) {
  float numbers[8];
  read_pattern(packed, kValuesIQ2, numbers);
  for (int i = 0; i < 8; ++i)
    to[i] = (signs >> i & 1U) != 0 ? -scale * numbers[i] : scale * numbers[i];
}

// Four numbers of IQ3, with the signs from bit `first` on.
void put_four(std::uint16_t packed, const std::array<int, 8>& values, unsigned signs, float scale,
              float* to) {
  float numbers[4];
  read_pattern(packed, values, numbers);
  for (int i = 0; i < 4; ++i)
    to[i] = (signs >> i & 1U) != 0 ? -scale * numbers[i] : scale * numbers[i];
}

// Eight numbers of IQ1: a pattern plus a small shift.
void put_shifted(std::uint16_t packed, float shift, float scale, float* to) {
  float numbers[8];
  read_pattern(packed, kValuesIQ1, numbers);
  for (int i = 0; i < 8; ++i) to[i] = scale * (numbers[i] + shift);
}

constexpr float kShift = 0.125f;

void widen_iq1_s(Fields fields, float* to) {
  const float d = fields.half();
  const std::uint8_t *const qs = fields.bytes(32), *const qh = fields.bytes(16);
  for (int group = 0; group < 8; ++group) {  // of 32 numbers
    const auto high = number_at<std::uint16_t>(qh + 2 * group);
    const float scale = d * static_cast<float>(2 * (high >> 12 & 7) + 1);
    for (int part = 0; part < 4; ++part, to += 8) {
      const int index = qs[group * 4 + part] | (high >> (3 * part) & 7) << 8;
      put_shifted(kPatternsIQ1[static_cast<std::size_t>(index)],
                  (high & 0x8000) != 0 ? -kShift : kShift, scale, to);
    }
  }
}

void widen_iq1_m(Fields fields, float* to) {
  const std::uint8_t *const qs = fields.bytes(32), *const qh = fields.bytes(16);
  std::uint16_t scales[4];
  for (std::uint16_t& scale : scales) scale = fields.number<std::uint16_t>();
  std::uint16_t bits = 0;  // the scale of the block, four bits in each
  for (int i = 0; i < 4; ++i)
    bits = static_cast<std::uint16_t>(bits | (scales[i] >> 12) << (4 * i));
  const auto d = static_cast<float>(std::bit_cast<Eigen::half>(bits));
  for (int eight = 0; eight < 32; ++eight, to += 8) {
    const int pair = eight / 2;  // 16 numbers share a scale
    const float scale = d * static_cast<float>(2 * (scales[pair / 4] >> (pair % 4 * 3) & 7) + 1);
    const int high = qh[pair] >> (eight % 2 * 4) & 15;
    const int index = qs[eight] | (high & 7) << 8;
    put_shifted(kPatternsIQ1[static_cast<std::size_t>(index)], (high & 8) != 0 ? -kShift : kShift,
                scale, to);
  }
}

void widen_iq2_xxs(Fields fields, float* to) {
  const float d = fields.half();
  for (int group = 0; group < 8; ++group) {
    const std::uint8_t* const indices = fields.bytes(4);
    const auto rest = fields.number<std::uint32_t>();
    const float scale = d * (0.5f + static_cast<float>(rest >> 28)) * 0.25f;
    for (int i = 0; i < 4; ++i, to += 8)
      put_pattern(kPatternsIQ2_XXS[indices[i]], all_signs(rest >> (7 * i) & 127U), scale, to);
  }
}

void widen_iq2_xs(Fields fields, float* to) {
  const float d = fields.half();
  const std::uint8_t *const qs = fields.bytes(64), *const scales = fields.bytes(8);
  for (int i = 0; i < 32; ++i, to += 8) {
    const auto q = number_at<std::uint16_t>(qs + 2 * i);
    const float scale =
        d * (0.5f + static_cast<float>(scales[i / 4] >> (i / 2 % 2 * 4) & 15)) * 0.25f;
    put_pattern(kPatternsIQ2_XS[q & 511U], all_signs(q >> 9), scale, to);
  }
}

void widen_iq2_s(Fields fields, float* to) {
  const float d = fields.half();
  const std::uint8_t *const qs = fields.bytes(32), *const signs = fields.bytes(32);
  const std::uint8_t *const qh = fields.bytes(8), *const scales = fields.bytes(8);
  for (int i = 0; i < 32; ++i, to += 8) {
    const int index = qs[i] | (qh[i / 4] >> (i % 4 * 2) & 3) << 8;
    const float scale =
        d * (0.5f + static_cast<float>(scales[i / 4] >> (i / 2 % 2 * 4) & 15)) * 0.25f;
    put_pattern(kPatternsIQ2_S[static_cast<std::size_t>(index)], signs[i], scale, to);
  }
}

void widen_iq3_xxs(Fields fields, float* to) {
  const float d = fields.half();
  const std::uint8_t *const qs = fields.bytes(64), *const words = fields.bytes(32);
  for (int group = 0; group < 8; ++group) {
    const auto word = number_at<std::uint32_t>(words + 4 * group);
    const float scale = d * (0.5f + static_cast<float>(word >> 28)) * 0.5f;
    for (int i = 0; i < 8; ++i, to += 4) {
      const unsigned signs = all_signs(word >> (7 * (i / 2)) & 127U) >> (i % 2 * 4);
      put_four(kPatternsIQ3_XXS[qs[group * 8 + i]], kValuesIQ3_XXS, signs, scale, to);
    }
  }
}

void widen_iq3_s(Fields fields, float* to) {
  const float d = fields.half();
  const std::uint8_t *const qs = fields.bytes(64), *const qh = fields.bytes(8);
  const std::uint8_t *const signs = fields.bytes(32), *const scales = fields.bytes(4);
  for (int i = 0; i < 64; ++i, to += 4) {
    const int group = i / 8;
    const int index = qs[i] | (qh[group] >> (i % 8) & 1) << 8;
    const float scale = d * static_cast<float>(1 + 2 * (scales[group / 2] >> (group % 2 * 4) & 15));
    put_four(kPatternsIQ3_S[static_cast<std::size_t>(index)], kValuesIQ3_S,
             static_cast<unsigned>(signs[i / 2] >> (i % 2 * 4)), scale, to);
  }
}

constexpr std::array<float, 16> kValuesIQ4 = {-127, -104, -83, -65, -49, -35, -22, -10,
                                              1,    13,   25,  38,  53,  69,  89,  113};

void widen_iq4_nl(Fields fields, float* to) {
  const float d = fields.half();
  int q[32];
  read_nibbles(fields.bytes(16), q);
  for (int i = 0; i < 32; ++i) to[i] = d * kValuesIQ4[static_cast<std::size_t>(q[i])];
}

void widen_iq4_xs(Fields fields, float* to) {
  const float d = fields.half();
  const auto high = fields.number<std::uint16_t>();
  const std::uint8_t *const low = fields.bytes(4), *const qs = fields.bytes(128);
  for (int group = 0; group < 8; ++group, to += 32) {
    const int scale = (low[group / 2] >> (group % 2 * 4) & 15) | (high >> (2 * group) & 3) << 4;
    int q[32];
    read_nibbles(qs + 16 * group, q);
    for (int i = 0; i < 32; ++i)
      to[i] = d * static_cast<float>(scale - 32) * kValuesIQ4[static_cast<std::size_t>(q[i])];
  }
}

// Digit `power` of a byte that holds five of base 3: byte / 256 is a fraction in base 3, and its
// first digit is found when 3^power is multiplied away.
float ternary(std::uint8_t byte, int power) {
  constexpr std::array<std::uint8_t, 5> kPowers = {1, 3, 9, 27, 81};
  const auto shifted = static_cast<std::uint8_t>(byte * kPowers[static_cast<std::size_t>(power)]);
  return static_cast<float>((shifted * 3 >> 8) - 1);
}

void widen_tq1_0(Fields fields, float* to) {
  const std::uint8_t *const first = fields.bytes(32), *const second = fields.bytes(16),
                            *const last = fields.bytes(4);
  const float d = fields.half();
  const auto put = [&](const std::uint8_t* bytes, int count, int digits) {
    for (int power = 0; power < digits; ++power)
      for (int i = 0; i < count; ++i) *to++ = d * ternary(bytes[i], power);
  };
  put(first, 32, 5), put(second, 16, 5), put(last, 4, 4);
}

void widen_tq2_0(Fields fields, float* to) {
  const std::uint8_t* const qs = fields.bytes(64);
  const float d = fields.half();
  for (int i = 0; i < kSuper; ++i) to[i] = d * static_cast<float>(two_bits(qs, i) - 1);
}

// The values of floating point with 2 bits of exponent and one of mantissa (OCP Microscaling
// Formats 1.0), times two.
constexpr std::array<float, 16> kValuesE2M1 = {0, 1,  2,  3,  4,  6,  8,  12,
                                               0, -1, -2, -3, -4, -6, -8, -12};

void widen_mxfp4(Fields fields, float* to) {
  const int exponent = *fields.bytes(1);
  const auto d = static_cast<float>(std::ldexp(0.5, exponent - 127));
  int q[32];
  read_nibbles(fields.bytes(16), q);
  for (int i = 0; i < 32; ++i) to[i] = d * kValuesE2M1[static_cast<std::size_t>(q[i])];
}

// Half of a positive number of 4 bits of exponent and 3 of mantissa; its NaN counts as 0.
float half_of_e4m3(std::uint8_t bits) {
  if (bits == 127) return 0;
  const int exponent = bits >> 3 & 15, mantissa = bits & 7;
  const double value =
      exponent == 0 ? std::ldexp(mantissa, -9) : std::ldexp(1 + mantissa / 8.0, exponent - 7);
  return static_cast<float>(value / 2);
}

void widen_nvfp4(Fields fields, float* to) {
  const std::uint8_t *const scales = fields.bytes(4), *const qs = fields.bytes(32);
  for (int i = 0; i < 64; ++i) {
    const int group = i / 16;
    const int q = qs[group * 8 + i % 8] >> (i / 8 % 2 * 4) & 15;
    to[i] = half_of_e4m3(scales[group]) * kValuesE2M1[static_cast<std::size_t>(q)];
  }
}

using enum StoredFormat;

template <void (*widen_block)(Fields, float*), Index block, std::size_t bytes>
constexpr StoredFormatInfo quantised(StoredFormat format, std::string_view name) {
  return {format, name, block, bytes, widen_blocks<widen_block, block, bytes>};
}

// In the order of StoredFormat.
constexpr std::array kInfos = {
    StoredFormatInfo{kFloat32, "F32", 1, 4, widen_each<load_float32, 4>},
    StoredFormatInfo{kFloat16, "F16", 1, 2, widen_each<load_float16, 2>},
    StoredFormatInfo{kBFloat16, "BF16", 1, 2, widen_each<load_bfloat16, 2>},
    quantised<widen_q4_0, 32, 18>(kQ4_0, "Q4_0"),
    quantised<widen_q4_1, 32, 20>(kQ4_1, "Q4_1"),
    quantised<widen_q5_0, 32, 22>(kQ5_0, "Q5_0"),
    quantised<widen_q5_1, 32, 24>(kQ5_1, "Q5_1"),
    quantised<widen_q8_0, 32, 34>(kQ8_0, "Q8_0"),
    quantised<widen_q2_k, kSuper, 84>(kQ2_K, "Q2_K"),
    quantised<widen_q3_k, kSuper, 110>(kQ3_K, "Q3_K"),
    quantised<widen_q4_k, kSuper, 144>(kQ4_K, "Q4_K"),
    quantised<widen_q5_k, kSuper, 176>(kQ5_K, "Q5_K"),
    quantised<widen_q6_k, kSuper, 210>(kQ6_K, "Q6_K"),
    quantised<widen_iq1_s, kSuper, 50>(kIQ1_S, "IQ1_S"),
    quantised<widen_iq1_m, kSuper, 56>(kIQ1_M, "IQ1_M"),
    quantised<widen_iq2_xxs, kSuper, 66>(kIQ2_XXS, "IQ2_XXS"),
    quantised<widen_iq2_xs, kSuper, 74>(kIQ2_XS, "IQ2_XS"),
    quantised<widen_iq2_s, kSuper, 82>(kIQ2_S, "IQ2_S"),
    quantised<widen_iq3_xxs, kSuper, 98>(kIQ3_XXS, "IQ3_XXS"),
    quantised<widen_iq3_s, kSuper, 110>(kIQ3_S, "IQ3_S"),
    quantised<widen_iq4_nl, 32, 18>(kIQ4_NL, "IQ4_NL"),
    quantised<widen_iq4_xs, kSuper, 136>(kIQ4_XS, "IQ4_XS"),
    quantised<widen_tq1_0, kSuper, 54>(kTQ1_0, "TQ1_0"),
    quantised<widen_tq2_0, kSuper, 66>(kTQ2_0, "TQ2_0"),
    quantised<widen_mxfp4, 32, 17>(kMXFP4, "MXFP4"),
    quantised<widen_nvfp4, 64, 36>(kNVFP4, "NVFP4"),
};

static_assert([] {
  for (std::size_t i = 0; i < kInfos.size(); ++i)
    if (static_cast<std::size_t>(kInfos[i].format) != i) return false;
  return true;
}());

}  // namespace

const StoredFormatInfo& stored_format_info(StoredFormat format) {
  return kInfos[static_cast<std::size_t>(format)];
}

std::optional<StoredFormat> stored_format_from_name(std::string_view name) {
  const auto found = std::ranges::find(kInfos, name, &StoredFormatInfo::name);
  return found == kInfos.end() ? std::nullopt : std::optional(found->format);
}

}  // namespace attention::network
