#pragma once

#include "app/base/typed_number.h"
#include "app/files/open.h"
#include "app/translation/words.h"

namespace lab::cli {

/// Makes a language, and a decimal mark, those of the process until the verb is done.
class LanguageMeanwhile {
 public:
  /// `comma`: whether decimals have a comma.
  LanguageMeanwhile(Language requested, bool comma) {
    set(requested);
    set_decimal_comma(comma);
  }
  ~LanguageMeanwhile() {
    set(before_);
    set_decimal_comma(comma_before_);
  }
  /// Can be neither copied nor moved, so that the settings before it are restored once.
  LanguageMeanwhile(const LanguageMeanwhile&) = delete;
  LanguageMeanwhile& operator=(const LanguageMeanwhile&) = delete;

  /// Changes the language only.
  static void set(Language requested) {
    if (requested != language()) set_language(requested, files::assets_folder());
  }

 private:
  Language before_ = language();
  bool comma_before_ = decimal_comma();
};

}  // namespace lab::cli
