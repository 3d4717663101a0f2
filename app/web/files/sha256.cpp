// app/base/sha256.h, as FIPS 180-4 defines it.
#include "app/base/sha256.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace {

constexpr std::array<std::uint32_t, 64> kRounds = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

}  // namespace

// The name is that of the program's library.
struct _GChecksum {
  std::array<std::uint32_t, 8> state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, 64> block{};
  std::uint64_t size = 0;  // of what was added, in bytes

  void add(std::string_view bytes) {
    for (const char byte : bytes) {
      block[size++ % block.size()] = static_cast<std::uint8_t>(byte);
      if (size % block.size() == 0) mix();
    }
  }

  // Ends with a 1 bit, zeros, and the number of bits.
  std::string digest() const {
    _GChecksum whole = *this;
    whole.add("\x80");
    while (whole.size % block.size() != 56) whole.add(std::string_view("\0", 1));
    for (int shift = 56; shift >= 0; shift -= 8) {
      const char byte = static_cast<char>(8 * size >> shift);
      whole.add({&byte, 1});
    }
    std::string result;
    for (const std::uint32_t word : whole.state)
      for (int shift = 24; shift >= 0; shift -= 8) result += static_cast<char>(word >> shift);
    return result;
  }

 private:
  void mix() {
    std::array<std::uint32_t, 64> w{};
    for (std::size_t i = 0; i < 16; ++i)
      for (std::size_t byte = 0; byte < 4; ++byte) w[i] = w[i] << 8 | block[4 * i + byte];
    for (std::size_t i = 16; i < 64; ++i) {
      const std::uint32_t a = w[i - 15], b = w[i - 2];
      w[i] = w[i - 16] + w[i - 7] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) +
             (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
    }
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t i = 0; i < 64; ++i) {
      const std::uint32_t one = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                                ((e & f) ^ (~e & g)) + kRounds[i] + w[i];
      const std::uint32_t two =
          (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = d + one;
      d = c;
      c = b;
      b = a;
      a = one + two;
    }
    const std::array<std::uint32_t, 8> sum = {a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < sum.size(); ++i) state[i] += sum[i];
  }
};

namespace lab {

void Sha256::Deleter::operator()(_GChecksum* checksum) const { delete checksum; }

Sha256::Sha256() : checksum_(new _GChecksum) {}

void Sha256::add(std::string_view bytes) { checksum_->add(bytes); }

std::string Sha256::bytes() const { return checksum_->digest(); }

std::string Sha256::hex() const {
  std::string text;
  for (const char byte : bytes())
    for (const int shift : {4, 0})
      text += "0123456789abcdef"[static_cast<std::uint8_t>(byte) >> shift & 15];
  return text;
}

std::string sha256(std::string_view bytes) {
  Sha256 checksum;
  checksum.add(bytes);
  return checksum.hex();
}

}  // namespace lab
