#pragma once

#include <clocale>
#include <cstdlib>
#include <string>

#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"

namespace lab {

/// While it lives, the program runs in a locale with a decimal comma.
class DecimalComma {
 public:
  DecimalComma() : set_(use_locale_of_system() || use_own_locale()) {}
  ~DecimalComma() {
    std::setlocale(LC_ALL, "C");
    ::unsetenv("LOCPATH");
  }
  DecimalComma(const DecimalComma&) = delete;
  DecimalComma& operator=(const DecimalComma&) = delete;

  /// False where the system has no such locale and cannot make one.
  explicit operator bool() const { return set_; }

 private:
  static bool has_comma() { return std::string(std::localeconv()->decimal_point) == ","; }

  static bool use_locale_of_system() {
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"})
      if (std::setlocale(LC_ALL, name) && has_comma()) return true;
    return false;
  }

  bool use_own_locale() {
    const std::string make =
        "localedef -i de_DE -f UTF-8 '" + (folder_ / "de_DE.UTF-8") + "' >/dev/null 2>&1";
    if (std::system(make.c_str()) != 0) return false;
    ::setenv("LOCPATH", (folder_ / ".").c_str(), 1);
    return std::setlocale(LC_ALL, "de_DE.UTF-8") && has_comma();
  }

  TemporaryFolder folder_;
  bool set_;
};

}  // namespace lab
