#pragma once

#include <string>

namespace lab::cli {

/// The man page attention-lab(1) in roff, UTF-8, made from verb_rows().
std::string man_page();

}  // namespace lab::cli
