#include "core/embedding.h"

#include <cmath>

namespace attention {
namespace {

// FNV-1a, 64 bits (Fowler, Noll, Vo).
std::uint64_t hash_bytes(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

}  // namespace

std::uint64_t PortableRandom::next() {
  state_ += 0x9e3779b97f4a7c15u;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

float PortableRandom::uniform() { return static_cast<float>(next() >> 40) * 0x1p-24f; }

// The sum is kept in integers, so that only its conversion to float rounds.
float PortableRandom::normal() {
  std::int32_t sum = -(6 << 24);
  for (int i = 0; i < 12; ++i) sum += static_cast<std::int32_t>(next() >> 40);
  return static_cast<float>(sum) * 0x1p-24f;
}

// The hash is mixed once more to make the seed, because FNV-1a leaves short words close together. A
// whole number of hundredths divided by 100 is rounded once, identically on every machine.
RowVector default_embedding(std::string_view word, Index d_model) {
  PortableRandom random(PortableRandom(hash_bytes(word)).next());
  RowVector result(d_model);
  for (float& value : result) {
    value = static_cast<float>(std::lround(random.normal() * 100.0f)) / 100.0f;
  }
  return result;
}

}  // namespace attention
