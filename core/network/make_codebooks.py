#!/usr/bin/env python3
"""Writes codebooks.cpp: the patterns of the formats IQ1, IQ2 and IQ3, as the Python package gguf has them.

    pip install gguf && python3 core/network/make_codebooks.py
"""
import os

from gguf import quants

TABLES = [("kPatternsIQ1", quants.IQ1_S), ("kPatternsIQ2_XXS", quants.IQ2_XXS), ("kPatternsIQ2_XS", quants.IQ2_XS),
          ("kPatternsIQ2_S", quants.IQ2_S), ("kPatternsIQ3_XXS", quants.IQ3_XXS), ("kPatternsIQ3_S", quants.IQ3_S)]


def packed(table):
    """The patterns of a format, each number as its index among the format's values."""
    table.init_grid()
    count, length = table.grid_shape
    bits = 16 // length if length == 8 else 3
    for pattern in table.grid.reshape(count, length):
        yield sum(table.grid_map.index(int(value)) << bits * i for i, value in enumerate(pattern))


def main():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "codebooks.cpp")
    with open(path, "w") as file:
        file.write('#include "core/network/codebooks.h"\n\n// Made by make_codebooks.py.\n\n'
                   "namespace attention::network {\n\n// clang-format off\n")
        for name, table in TABLES:
            numbers = [f"0x{number:04x}," for number in packed(table)]
            lines = "\n".join("    " + " ".join(numbers[i:i + 12]) for i in range(0, len(numbers), 12))
            file.write(f"\nconst std::array<std::uint16_t, {len(numbers)}> {name} = {{\n{lines}\n}};\n")
        file.write("\n// clang-format on\n\n}  // namespace attention::network\n")


if __name__ == "__main__":
    main()
