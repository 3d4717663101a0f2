#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "app/document/model/model_document.h"
#include "app/document/workspace.h"
#include "app/tests/rooms.h"

namespace lab {

inline constexpr attention::network::LayerId kFirst{attention::network::Sublayer::kSelf, 0};
inline constexpr attention::network::LayerId kSecond{attention::network::Sublayer::kSelf, 1};

/// The largest difference of numbers that are the same, relative to the largest of them.
inline constexpr double kSameLayers = 1e-5;

/// What `source` means, on `text` or an example; a failure of the test that tells the error.
Document opened(const std::string& source, const std::optional<std::string>& text = {});
/// The same for one of the small checkpoints.
Document opened_checkpoint(const std::string& name);

/// Sets a number of W_Q of a head, in the layer that is looked at.
SetCell edit_of_W_Q(float value);

/// A workspace on a model that keeps its record.
struct ModelBench {
  Workspace workspace;
  std::vector<std::string> record;

  explicit ModelBench(Document document);
  /// Executes the intents. Everything that is shown then must be fresh.
  void drain(const std::vector<Intent>& intents);
  const ModelDocument& model() const { return *workspace.document().layer.model; }
  attention::network::LayerId at() const { return workspace.document().layer.at; }
  /// The number that edit_of_W_Q() sets, in the layer that is shown.
  float shown_W_Q() const;
  /// Fails the test unless all that is shown is what a new evaluator gives for the same model.
  void expect_fresh() const;
};

/// Fails the test unless both are the same to a person: the same numbers and the same texts.
void expect_same_model(const ModelDocument& found, const ModelDocument& expected);

}  // namespace lab
