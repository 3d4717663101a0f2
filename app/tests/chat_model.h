#pragma once

#include <filesystem>
#include <string>

#include "app/files/open.h"
#include "app/tests/temporary_folder.h"

namespace lab {

/// A folder with the model "words" and a chat template of its own: each turn is its role, a colon,
/// what it says without blanks around it, and the token that ends a text. A turn of another role
/// than the usual ones is refused.
class ChatModelFolder {
 public:
  ChatModelFolder() {
    namespace fs = std::filesystem;
    fs::copy(fs::path(files::assets_folder()) / "models" / "words", folder_.path(),
             fs::copy_options::recursive);
    write_template(
        "{% for m in messages %}"
        "{% if m.role not in ['system', 'user', 'assistant'] %}"
        "{{ raise_exception('no ' + m.role + ' here') }}{% endif %}"
        "{{ m.role + ': ' + m.content | trim + '<|endoftext|>' }}{% endfor %}"
        "{% if add_generation_prompt %}{{ 'assistant:' }}{% endif %}");
  }

  std::string path() const { return folder_.path().string(); }
  void write_template(const std::string& text) const { folder_.write("chat_template.jinja", text); }

 private:
  TemporaryFolder folder_;
};

}  // namespace lab
