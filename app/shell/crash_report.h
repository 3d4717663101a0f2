#pragma once

#include <csignal>
#include <string>
#include <vector>

namespace lab::shell {

/// While this exists, a signal that ends the program because of a fault (SIGSEGV, SIGBUS, SIGFPE,
/// SIGILL, SIGABRT, as of an uncaught exception) first leaves a report in a folder: the version,
/// the signal, the last steps (see note_step) and the functions being called, and nothing of the
/// document. The program then ends as it would have.
class CrashReporter {
 public:
  /// Reports go to `folder`, where there is one when the program ends; nothing is done if it is
  /// empty. `version` is what --version prints.
  CrashReporter(const std::string& folder, const std::string& version);
  ~CrashReporter();
  /// Can be neither copied nor moved: signal handlers belong to the process.
  CrashReporter(const CrashReporter&) = delete;
  CrashReporter& operator=(const CrashReporter&) = delete;
};

/// The folder of reports, beside that of journals; empty when neither XDG_STATE_HOME nor HOME is
/// known.
std::string crash_folder();

/// The report that an earlier run left in `folder`, the newest of several, with the names of
/// functions as they are in the source. Each is returned once, and stays where it is; only the
/// latest ten are kept. Empty when there is none.
std::string take_crash_report(const std::string& folder);

}  // namespace lab::shell
