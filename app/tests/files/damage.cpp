#include "app/tests/files/damage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/files/io/little_endian.h"
#include "app/tests/memory_peak.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using nlohmann::json;

constexpr std::size_t kMostMemory = 64'000'000;

const std::vector<std::uint64_t>& extremes() {
  constexpr std::uint64_t k31 = std::uint64_t{1} << 31, k32 = k31 << 1, k63 = k31 << 32;
  static const std::vector<std::uint64_t> all = {0,   k31 - 1, k31, k32 - 1,
                                                 k32, k63 - 1, k63, ~std::uint64_t{0}};
  return all;
}

std::string spelled(std::uint64_t value, std::size_t size, bool big_endian) {
  std::string bytes;
  append_little_endian(bytes, value, static_cast<int>(size));
  if (big_endian) std::ranges::reverse(bytes);
  return bytes;
}

// Every place of a JSON value, the root's left out.
std::vector<json::json_pointer> places_in(const json& root) {
  std::vector<json::json_pointer> places, open = {json::json_pointer()};
  while (!open.empty()) {
    const json::json_pointer place = open.back();
    open.pop_back();
    if (!place.empty()) places.push_back(place);
    for (const auto& [name, value] : root.at(place).items())
      if (root.at(place).is_structured())
        open.push_back(root.at(place).is_array() ? place / std::stoul(name) : place / name);
  }
  return places;
}

// Texts that stand for a value: numbers beyond every limit, and values of other kinds.
std::vector<std::string> hard_values() {
  return {"0",
          "-0",
          "-1",
          "1.5",
          "1e39",
          "1e308",
          "1e999",
          "1e-999",
          "2147483647",
          "2147483648",
          "4294967297",
          "9223372036854775808",
          "18446744073709551616",
          "null",
          "true",
          "\"\"",
          "\"NaN\"",
          "\"-Infinity\"",
          "\"\\u0000\"",
          "\"\\ud800\"",
          "[]",
          "{}",
          "[[]]",
          "{\"fill\":\"zero\"}",
          "[1,2,3,4,5,6,7,8,9]",
          "\"" + std::string(100'000, 'x') + "\"",
          std::string(100, '[') + std::string(100, ']')};
}

}  // namespace

void Damage::read(std::string bytes) {
  // On the heap and no longer than it is, so that a sanitizer sees what is read beyond it.
  const auto exact = std::make_unique<char[]>(bytes.size());
  std::ranges::copy(bytes, exact.get());
  const std::size_t size = bytes.size();
  bytes = {};
  const MemoryPeak memory;
  read_({exact.get(), size});
  ++count_;
  most_memory_ = std::max(most_memory_, memory.bytes());
  EXPECT_LE(memory.bytes(), kMostMemory) << "of memory for " << size << " bytes";
}

Damage::~Damage() {
  std::printf("%zu damaged files, at most %zu bytes of memory for one\n", count_, most_memory_);
}

void Damage::everywhere(const std::string& bytes) {
  for (std::size_t size = 0; size < bytes.size(); ++size) read(bytes.substr(0, size));
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    read(std::move(flipped));
  }
}

void Damage::numbers(const std::string& bytes) {
  for (const std::size_t size : {1, 2, 4, 8})
    for (std::size_t at = 0; at + size <= bytes.size(); ++at) {
      const std::uint64_t value = load_little_endian(std::string_view(bytes).substr(at, size));
      std::vector<std::uint64_t> values = {value + 1, value - 1};
      for (const std::uint64_t extreme : extremes())
        if (size == 8 || extreme >> (8 * size) == 0) values.push_back(extreme);
      for (const std::uint64_t other : values)
        read(std::string(bytes).replace(at, size, spelled(other, size, false)));
      if (size > 1) read(std::string(bytes).replace(at, size, spelled(1, size, true)));
    }
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    read(std::string(bytes).erase(at, 1));
    read(std::string(bytes).erase(at, 8));
    read(std::string(bytes).insert(at, bytes.substr(at, 8)));
  }
}

void Damage::json(const std::string& text) {
  const nlohmann::json root = nlohmann::json::parse(text);
  const auto places = places_in(root);
  constexpr const char* kMark = "\"put it here\"";
  for (const auto& place : places) {
    nlohmann::json changed = root;
    changed[place] = "put it here";
    const std::string marked = changed.dump();
    const std::size_t at = marked.find(kMark);
    for (const std::string& value : hard_values())
      read(std::string(marked).replace(at, std::string_view(kMark).size(), value));
    changed = root;
    nlohmann::json& parent = changed[place.parent_pointer()];
    if (parent.is_object()) parent.erase(place.back());
    if (parent.is_array()) parent.erase(std::stoul(place.back()));
    read(changed.dump());
  }
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      nlohmann::json changed = root;
      changed[places[i]] = root[places[j]];
      if (changed.contains(places[j])) changed[places[j]] = root[places[i]];
      read(changed.dump());
    }
}

void damage(const std::string& bytes, const ReadDamaged& read) { Damage(read).everywhere(bytes); }

}  // namespace lab
