#pragma once

#include <cstdint>
#include <string>

#include "app/base/error.h"

namespace lab {

/// Bytes of memory that the program can still take: the least of what the machine has left, what
/// the control groups of the process (v1 and v2) and the limit of its address space leave. The
/// environment variable ATTENTION_LAB_MEMORY replaces it: a number of bytes, or with K, M or G
/// after it of 1024, 1024² or 1024³ bytes. What cannot be read limits nothing. Files are read below
/// the folder `root`.
std::int64_t available_memory(const std::string& root = "");

/// "69 GB", "1.5 GB", "12 MB", in powers of 1000.
std::string bytes_text(std::int64_t bytes);

/// Fails with kBadInput when `bytes` are more than available_memory(): "WHAT needs 69 GB of memory,
/// but 20 GB are available; ADVICE".
Expected<void> check_memory(std::int64_t bytes, const std::string& what, const std::string& advice);

}  // namespace lab
