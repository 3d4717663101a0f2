#pragma once

#include <string>
#include <string_view>

#include "app/base/error.h"

namespace lab::files {

/// Writes `bytes` to the file to which `path` leads, through symbolic links, even if that file does
/// not exist yet. Writes and syncs a temporary file in the same folder, renames it, and syncs the
/// folder, so that at every moment, even if the machine crashes, the file is either the old one or
/// the new one.
///
/// Permissions are kept, and owner and group as far as this user may set them; access control
/// lists, extended attributes and hard links are not. Devices and pipes are written in place.
///
/// Fails with kIo; the old file is then untouched, except when only syncing the folder failed: then
/// the new one is in its place. No temporary file stays behind, and those of killed writers are
/// removed.
Expected<void> write_atomically(const std::string& path, std::string_view bytes);

}  // namespace lab::files
