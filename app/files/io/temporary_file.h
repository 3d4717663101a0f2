#pragma once

#include <string>

#include "app/files/io/descriptor.h"

namespace lab::files {

/// A file that will replace another in a folder. It is locked while it is open, which shows that
/// its writer is alive.
struct TemporaryFile {
  std::string name;  ///< in its folder
  Descriptor file;   ///< open for writing; none, with errno set, when it could not be created
};

/// Creates one in the open folder `folder`, accessible to this user alone or, depending on `mode`,
/// to others too (less the umask).
TemporaryFile make_temporary(int folder, mode_t mode);

/// Removes one; keeps errno.
void remove_temporary(int folder, const std::string& name);

/// Removes the files from the folder that killed writers of this user left behind. Those of running
/// writers stay, and so do those that cannot be removed: nothing here fails.
void sweep_temporaries(int folder);

}  // namespace lab::files
