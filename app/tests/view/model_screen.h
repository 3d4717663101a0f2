#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "app/document/model/model_document.h"
#include "app/files/opened_model.h"
#include "app/tests/rooms.h"
#include "app/tests/view/screen.h"

namespace lab {

/// A trained model on a text in the window.
struct ModelScreen : Screen {
  explicit ModelScreen(const std::string& name = "induction", const std::string& text = "abcdabc",
                       ImVec2 size = {1600, 1000})
      : Screen(opened(name, text), size) {}

  /// Draws frames until everything that is shown is known.
  void settle() {
    frames(3);
    const auto given_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (view.model_numbers().busy()) {
      ASSERT_LT(std::chrono::steady_clock::now(), given_up) << "the numbers never come";
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      frames();
    }
    frames(2);
  }
  void ctrl_click(const std::string& name) {
    compat::feed_key(ImGui::GetIO(), Key::kLeftCtrl, true);
    click(name);
    compat::feed_key(ImGui::GetIO(), Key::kLeftCtrl, false);
    frames();
  }
  /// The model and the layer that are shown.
  const ModelDocument& model() const { return *document().layer.model; }
  const std::vector<attention::network::HeadGain>& gains() const {
    return model().interventions.gains;
  }
  attention::network::LayerId at() const { return document().layer.at; }
  const AnalysisResult& numbers() { return view.model_numbers().analysis(); }

 private:
  static Document opened(const std::string& name, const std::string& text) {
    auto model = open_model_source(name, text);
    if (!model) throw std::runtime_error(model.error().message);
    return std::move(model->document);
  }
};

}  // namespace lab
