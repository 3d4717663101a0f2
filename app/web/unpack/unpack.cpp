// Unpacks the engine of the page, which is packed by LZMA: a third smaller than what browsers
// unpack themselves. A module of WebAssembly of its own, without any library. The format is that of
// the LZMA specification (Pavlov 2015) without a header: 4 bits of context for literals, none of
// the position.
#include <cstddef>
#include <cstdint>

extern "C" unsigned char __heap_base;  // the first free byte of memory, told by the linker

namespace {

using Probability = std::uint16_t;

constexpr unsigned kStates = 12, kLiteralBits = 4, kShortest = 2;

// What is learned while unpacking; each begins at one half.
struct Model {
  Probability literal[0x300U << kLiteralBits];
  Probability match[kStates], again[kStates], again0[kStates], again1[kStates], again2[kStates],
      again_short[kStates];
  struct Length {
    Probability choice[2], low[8], middle[8], high[256];
  } length, again_length;
  Probability slot[4][64], special[128], align[16];
};

Model model;

class Reader {
 public:
  Reader(const std::uint8_t* begin, const std::uint8_t* end) : at_(begin + 1), end_(end) {
    for (int i = 0; i < 4; ++i) code_ = code_ << 8 | byte();
  }

  unsigned bit(Probability& probability) {
    const std::uint32_t bound = (range_ >> 11) * probability;
    const bool one = code_ >= bound;
    if (one) {
      range_ -= bound;
      code_ -= bound;
      probability = static_cast<Probability>(probability - (probability >> 5));
    } else {
      range_ = bound;
      probability = static_cast<Probability>(probability + ((2048 - probability) >> 5));
    }
    refill();
    return one ? 1 : 0;
  }
  // Bits that are as often 0 as 1.
  std::uint32_t even_bits(unsigned count) {
    std::uint32_t result = 0;
    while (count-- > 0) {
      range_ >>= 1;
      const bool one = code_ >= range_;
      if (one) code_ -= range_;
      refill();
      result = result << 1 | (one ? 1 : 0);
    }
    return result;
  }
  unsigned tree(Probability* probabilities, unsigned count) {
    unsigned node = 1;
    for (unsigned i = 0; i < count; ++i) node = node << 1 | bit(probabilities[node]);
    return node - (1U << count);
  }
  unsigned reverse_tree(Probability* probabilities, unsigned count) {
    unsigned node = 1, result = 0;
    for (unsigned i = 0; i < count; ++i) {
      const unsigned one = bit(probabilities[node]);
      node = node << 1 | one;
      result |= one << i;
    }
    return result;
  }

 private:
  std::uint8_t byte() { return at_ < end_ ? *at_++ : 0; }
  void refill() {
    if (range_ >= 1U << 24) return;
    range_ <<= 8;
    code_ = code_ << 8 | byte();
  }

  const std::uint8_t *at_, *end_;
  std::uint32_t range_ = 0xFFFFFFFF, code_ = 0;
};

// A tree begins at its node 1: the first element stays unused, or belongs to the one before.
unsigned length_of(Reader& reader, Model::Length& length) {
  if (reader.bit(length.choice[0]) == 0) return reader.tree(length.low, 3);
  if (reader.bit(length.choice[1]) == 0) return 8 + reader.tree(length.middle, 3);
  return 16 + reader.tree(length.high, 8);
}

std::uint32_t distance_of(Reader& reader, unsigned length) {
  const unsigned slot = reader.tree(model.slot[length < 4 ? length : 3], 6);
  if (slot < 4) return slot;
  const unsigned bits = (slot >> 1) - 1;
  const std::uint32_t first = (2U | (slot & 1U)) << bits;
  if (slot < 14) return first + reader.reverse_tree(model.special + first - slot, bits);
  const std::uint32_t high = reader.even_bits(bits - 4) << 4;
  return first + high + reader.reverse_tree(model.align, 4);
}

class Unpacking {
 public:
  Unpacking(Reader reader, std::uint8_t* out, std::size_t size)
      : reader_(reader), out_(out), size_(size) {}

  bool run() {
    while (at_ < size_) {
      if (reader_.bit(model.match[state_]) == 0)
        literal();
      else if (!copy())
        return false;
    }
    return true;
  }

 private:
  void literal() {
    const unsigned before = at_ == 0 ? 0 : out_[at_ - 1];
    Probability* const probabilities = model.literal + 0x300U * (before >> (8 - kLiteralBits));
    unsigned symbol = 1;
    // After a match, the byte that stands at its distance is not the next one.
    bool same = state_ >= 7;
    unsigned there = same ? out_[at_ - distance_[0] - 1] : 0;
    while (symbol < 0x100) {
      if (same) {
        const unsigned expected = there >> 7 & 1U;
        there <<= 1;
        const unsigned one = reader_.bit(probabilities[((1 + expected) << 8) + symbol]);
        symbol = symbol << 1 | one;
        same = one == expected;
      } else {
        symbol = symbol << 1 | reader_.bit(probabilities[symbol]);
      }
    }
    out_[at_++] = static_cast<std::uint8_t>(symbol);
    state_ = state_ < 4 ? 0 : state_ < 10 ? state_ - 3 : state_ - 6;
  }

  bool copy() {
    unsigned length = 0;
    if (reader_.bit(model.again[state_]) == 0) {
      distance_[3] = distance_[2], distance_[2] = distance_[1], distance_[1] = distance_[0];
      length = length_of(reader_, model.length);
      state_ = state_ < 7 ? 7 : 10;
      distance_[0] = distance_of(reader_, length);
    } else {
      if (reader_.bit(model.again0[state_]) == 0) {
        if (reader_.bit(model.again_short[state_]) == 0) {
          state_ = state_ < 7 ? 9 : 11;
          return repeat(1);
        }
      } else {
        choose();
      }
      length = length_of(reader_, model.again_length);
      state_ = state_ < 7 ? 8 : 11;
    }
    return repeat(length + kShortest);
  }

  // One of the last distances becomes the first.
  void choose() {
    unsigned which = 1;
    if (reader_.bit(model.again1[state_]) != 0) which = 2 + reader_.bit(model.again2[state_]);
    const std::uint32_t chosen = distance_[which];
    for (; which > 0; --which) distance_[which] = distance_[which - 1];
    distance_[0] = chosen;
  }
  bool repeat(std::size_t length) {
    if (distance_[0] >= at_ || length > size_ - at_) return false;
    for (; length > 0; --length, ++at_) out_[at_] = out_[at_ - distance_[0] - 1];
    return true;
  }

  Reader reader_;
  std::uint8_t* out_;
  std::size_t size_, at_ = 0;
  unsigned state_ = 0;
  std::uint32_t distance_[4] = {};
};

}  // namespace

/// Makes room for `size` bytes behind everything else, and returns where it begins; 0 when there is
/// not enough memory.
extern "C" __attribute__((export_name("room"))) std::uint8_t* room(std::size_t size) {
  static std::uint8_t* next = &__heap_base;
  constexpr std::size_t kPage = 65536;
  std::uint8_t* const begin = next;
  const std::size_t end = reinterpret_cast<std::size_t>(begin) + size;
  const std::size_t pages = (end + kPage - 1) / kPage, there = __builtin_wasm_memory_size(0);
  if (pages > there && __builtin_wasm_memory_grow(0, pages - there) == static_cast<std::size_t>(-1))
    return nullptr;
  next += size;
  return begin;
}

/// Unpacks into `out`, which has room for its size. False when the bytes are damaged.
extern "C" __attribute__((export_name("unpack"))) bool unpack(const std::uint8_t* packed,
                                                              std::size_t packed_size,
                                                              std::uint8_t* out, std::size_t size) {
  auto* const all = reinterpret_cast<Probability*>(&model);
  for (std::size_t i = 0; i < sizeof(model) / sizeof(Probability); ++i) all[i] = 1024;
  return Unpacking(Reader(packed, packed + packed_size), out, size).run();
}
