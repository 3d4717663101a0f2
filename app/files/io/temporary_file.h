#pragma once

#include <string>

#include "app/files/io/descriptor.h"

namespace lab::files {

/// A file that is to take another's place in a folder. It is locked as long as it is open, which
/// tells that its writer lives.
struct TemporaryFile {
  std::string name;  ///< in its folder
  Descriptor file;   ///< to be written; none, and errno, when it could not be made
};

/// Makes one in the folder that is open as `folder`, for this user alone or, where `mode` says so,
/// for others too (less the umask).
TemporaryFile make_temporary(int folder, mode_t mode);

/// Removes one; errno stays what it was.
void remove_temporary(int folder, const std::string& name);

/// Removes from the folder those that this user's writers left behind when they were killed. Those
/// of writers that still run stay. What cannot be removed stays too: nothing here fails.
void sweep_temporaries(int folder);

}  // namespace lab::files
