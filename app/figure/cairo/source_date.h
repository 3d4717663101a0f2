#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace lab::figure {

/// The date to write into files, in seconds since 1970 (UTC), from the environment variable
/// SOURCE_DATE_EPOCH: 0 … the end of the year 9999. Nothing when it is unset or invalid; files then
/// have no date.
std::optional<std::int64_t> source_date();

/// A time in seconds since 1970 in the format of PDF: "D:20250131235959Z".
std::string pdf_date(std::int64_t seconds);

}  // namespace lab::figure
