#pragma once

#include <string>
#include <string_view>

#include "app/base/error.h"

namespace lab::files {

/// Puts `bytes` where `path` leads, through symbolic links, even to a file that is not there yet.
/// A temporary file in the same folder is written, synced and renamed, and the folder is synced: at
/// every moment, a crash of the machine included, the file is the old one or the new one.
///
/// Permissions stay, owner and group as far as this user may give them; access control lists,
/// extended attributes and hard links do not. Devices and pipes are written in place.
///
/// Fails with kIo, the old file untouched, or, where the folder alone could not be synced, the new
/// one in its place. No temporary stays behind; those of writers that were killed are removed.
Expected<void> write_atomically(const std::string& path, std::string_view bytes);

}  // namespace lab::files
