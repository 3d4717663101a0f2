#pragma once

#include <string>
#include <string_view>

#include "app/base/error.h"

namespace lab::handout {

/// The file of the page that computes: $ATTENTION_LAB_PAGE, else page/attention-lab.html among the
/// assets, else build/web/attention-lab.html beside them in a source folder. Fails with kIo, saying
/// how to get it, when there is none.
Expected<std::string> page_file();

/// The page, as it was built. Fails with kIo as page_file() does and when it cannot be read, and
/// with kBadInput when the file is no such page.
Expected<std::string> read_page();

/// Where the page ends to be the same for all: what it brings along stands before this tag, which
/// occurs once. The content of the element are the built-in files.
inline constexpr std::string_view kPageAssets = R"(<script type="text/plain" id="assets-data">)";

}  // namespace lab::handout
