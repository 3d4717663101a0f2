#pragma once

#include <array>
#include <cstdint>

// The patterns of the formats IQ1, IQ2 and IQ3 of GGUF files: tables that the format defines, made
// by core/network/make_codebooks.py. A pattern is packed into 16 bits, its first number in the
// lowest: 2 bits each for eight numbers, 3 bits each for four.

namespace attention::network {

extern const std::array<std::uint16_t, 2048> kPatternsIQ1;     ///< 0, 1, 2 mean −1, 0, 1
extern const std::array<std::uint16_t, 256> kPatternsIQ2_XXS;  ///< 0, 1, 2 mean 8, 25, 43
extern const std::array<std::uint16_t, 512> kPatternsIQ2_XS;   ///< 0, 1, 2 mean 8, 25, 43
extern const std::array<std::uint16_t, 1024> kPatternsIQ2_S;   ///< 0, 1, 2 mean 8, 25, 43
extern const std::array<std::uint16_t, 256>
    kPatternsIQ3_XXS;  ///< 0 … 7 mean 4, 12, 20, 28, 36, 44, 52, 62
extern const std::array<std::uint16_t, 512> kPatternsIQ3_S;  ///< 0 … 7 mean 1, 3, 5 … 15

}  // namespace attention::network
