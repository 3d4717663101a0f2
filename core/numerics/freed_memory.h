#pragma once

namespace attention {

/// Lets the process keep up to 64 MB of freed memory for matrices that are allocated later. Without
/// it the C library may return the memory of each layer to the system as soon as the next one is
/// computed, and asking for it again takes about a seventh of a forward pass of GPT-2's sizes. For
/// programs to call once when they begin; does nothing where the C library has no such setting.
void keep_freed_memory();

}  // namespace attention
