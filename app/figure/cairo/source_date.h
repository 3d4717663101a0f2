#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace lab::figure {

/// The time that files are to be dated with, in seconds since 1970 (UTC), as the environment
/// variable SOURCE_DATE_EPOCH says: 0 … the end of the year 9999. Nothing when it is not set or
/// says anything else; files then carry no date.
std::optional<std::int64_t> source_date();

/// A time in seconds since 1970 as PDF writes it: "D:20250131235959Z".
std::string pdf_date(std::int64_t seconds);

}  // namespace lab::figure
