#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/base/error.h"
#include "app/document/document.h"
#include "app/files/problem/multihead_file.h"
#include "app/files/session/session_view.h"
#include "core/numerics/work_watch.h"

namespace lab::files {

/// A built-in example.
struct ExampleInfo {
  std::string name;   ///< as typed on the command line: "refer", "cat-sat"
  std::string title;  ///< for people: "What does “it” refer to?"
  std::string path;   ///< of its session file
};

/// The built-in examples in teaching order; empty when the assets are not found.
std::vector<ExampleInfo> examples();

/// The folder of the program's assets: $ATTENTION_LAB_ASSETS, else share/attention-lab beside the
/// program, else assets in the source folder around its build folder, else in the one that it was
/// built from; empty when none of them exists.
std::string assets_folder();

/// The content of a file or an example.
struct Opened {
  Document document;
  std::optional<SessionView> view;  ///< how it was viewed, if the file says so
  std::vector<std::string> notes;   ///< what a person should know about the file, one sentence each
  bool is_session = false;          ///< a session that saving may overwrite without loss
  std::string path;                 ///< of the file; empty for an example and for standard input
  std::optional<std::int64_t> change = {};  ///< when that file was last changed, see last_change
};

/// Opens whatever `source` names: a built-in example by name or title, or a file, "-" for standard
/// input. A file may be a session (JSON), a figure that embeds one, or a problem or a PyTorch
/// layer in safetensors or NPZ, or ready attention weights in any of these, .npy or CSV; its
/// content decides which, not its name (see file_type). Pickles and anything else are refused with
/// kBadInput and what was found. Reports progress to `watch`, which may be null and may stop it:
/// throws attention::WorkStopped then. `choice` decides what a PyTorch layer leaves open.
Expected<Opened> open_whole(const std::string& source, attention::WorkWatch* watch = nullptr,
                            const MultiheadChoice& choice = {});
/// Opens the content of such a file, whose document is called `title` where the file does not say.
/// Fails and throws in the same way; its messages do not name the file.
Expected<Opened> open_bytes(const std::string& bytes, const std::string& title,
                            attention::WorkWatch* watch = nullptr,
                            const MultiheadChoice& choice = {});
/// As open_whole, but returns only the document; the notes are appended to `notes`, which may be
/// null.
Expected<Document> open_document(const std::string& source,
                                 std::vector<std::string>* notes = nullptr,
                                 attention::WorkWatch* watch = nullptr,
                                 const MultiheadChoice& choice = {});

}  // namespace lab::files
