#include <algorithm>
#include <array>

#include "app/cli/verb.h"

namespace lab::cli {

std::span<const Verb> verbs() {
  static constexpr std::array kVerbs = {
      Verb{"compute", "IN -o OUT", "compute every stage and write the numbers", declare_compute},
      Verb{"export", "IN -o OUT", "write a stage as a figure or as a table of numbers",
           declare_export},
      Verb{"explain", "IN --row TOKEN --col TOKEN", "show the arithmetic behind one number",
           declare_explain},
      Verb{"sensitivity", "IN --row TOKEN --col TOKEN", "show which numbers move one number most",
           declare_sensitivity},
      Verb{"solve", "IN --want 'CELL=VALUE' --free MATRIX",
           "find the smallest change that gives a number another value", declare_solve},
      Verb{"check", "IN", "verify that the results are correct", declare_check},
      Verb{"apply", "IN COMMANDS -o OUT", "apply a list of edits and save the session",
           declare_apply},
      Verb{"import", "IN FILE -o OUT", "import a matrix or word vectors and save the session",
           declare_import},
      Verb{"convert", "IN -o OUT", "convert IN to a session, or to tensors for Python",
           declare_convert},
      Verb{"examples", "", "list the built-in examples", declare_examples},
      Verb{"lesson", "LESSON --check", "find mistakes in a lesson, or make a worksheet from it",
           declare_lesson},
      Verb{"lessons", "", "list the built-in lessons", declare_lessons},
      Verb{"link", "IN", "make a link that holds a session, or save what one holds", declare_link},
      Verb{"serve", "[IN]", "serve the page that computes, on this machine only", declare_serve},
      Verb{"screenshot", "IN -o OUT.png", "save an image of the window, drawn off screen",
           declare_screenshot},
      Verb{"models", "", "list the models that can be opened by name", declare_models},
      Verb{"get", "[NAME]", "download a model", declare_get},
      Verb{"model", "MODEL", "describe a model", declare_model},
      Verb{"predict", "MODEL --text TEXT", "print what a model expects next", declare_predict},
      Verb{"attribute", "MODEL --text TEXT", "show which layers and heads make a model's answer",
           declare_attribute},
      Verb{"train", "TASK -o FOLDER", "train a small network and save it as a model",
           declare_train},
      Verb{"tokenize", "FILE --text TEXT", "cut text into the tokens of a tokenizer.json",
           declare_tokenize},
  };
  return kVerbs;
}

std::span<const Verb> hidden_verbs() {
  static constexpr std::array kVerbs = {
      Verb{"man", "", "print the man page", declare_man},
      Verb{"completions", "SHELL", "print the completions of a shell", declare_completions},
      Verb{"complete", "WHAT", "list the names that a shell completes", declare_complete},
  };
  return kVerbs;
}

const Verb* find_verb(std::string_view name) {
  for (const std::span<const Verb> table : {verbs(), hidden_verbs()}) {
    const auto found = std::ranges::find(table, name, &Verb::name);
    if (found != table.end()) return &*found;
  }
  return nullptr;
}

}  // namespace lab::cli
