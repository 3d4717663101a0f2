#include <algorithm>

#include "app/document/model/layer_name.h"
#include "app/files/model/json/detached_edits_json.h"
#include "app/files/model/json/interventions_json.h"
#include "app/files/model/json/model_texts_json.h"
#include "app/files/model/json/weight_edits_json.h"
#include "app/files/model/model_list.h"
#include "app/files/model/model_session.h"
#include "app/files/session/view_json.h"

namespace lab::files {
namespace {

void write_hash(JsonWriter& out, const WeightsHash& hash) {
  out.begin('{');
  out.member("file");
  out.string(hash.file);
  out.member("sha256");
  out.string(hash.sha256);
  out.end('}');
}

void write_training_place(JsonWriter& out, const TrainingPlace& place) {
  out.member("training");
  out.begin('{');
  out.member("branch");
  out.raw(std::to_string(place.branch));
  out.member("step");
  out.raw(std::to_string(place.state->step));
  out.end('}');
}

void write_model(JsonWriter& out, const ModelSource& source,
                 const std::vector<WeightsHash>& weights,
                 const std::optional<WeightsHash>& config) {
  out.member("model");
  out.begin('{');
  out.member("folder");
  out.string(std::filesystem::absolute(source.folder).lexically_normal().string());
  if (source.training) write_training_place(out, *source.training);
  const std::vector<ModelInfo> models = list_models();
  const auto listed = std::ranges::find(models, source.folder, &ModelInfo::folder);
  if (listed != models.end()) {
    out.member("name");
    out.string(listed->name);
  }
  out.member("weights");
  out.begin('[');
  for (const WeightsHash& hash : weights) {
    out.element();
    write_hash(out, hash);
  }
  out.end(']');
  if (config) {
    out.member("config");
    write_hash(out, *config);
  }
  out.end('}');
}

}  // namespace

std::string write_model_session(const ModelDocument& document,
                                const std::vector<WeightsHash>& weights,
                                const std::optional<WeightsHash>& config,
                                const std::optional<SessionView>& view) {
  JsonWriter out;
  out.begin('{');
  out.member("type");
  out.string(kModelSessionType);
  out.member("version");
  out.raw(std::to_string(kModelSessionVersion));
  write_model(out, *document.source, weights, config);
  write_texts(out, document);
  if (document.layer) {
    out.member("layer");
    out.string(layer_name(*document.layer));
  }
  write_interventions(out, document.interventions);
  write_weight_edits(out, document.source->network, document.network);
  write_detached_edits(out, document.detached);
  if (!(document.switched_off == attention::network::Interventions{}) || document.weights_off) {
    out.member("switched_off");
    out.begin('{');
    write_interventions(out, document.switched_off);
    if (document.weights_off)
      write_weight_edits(out, document.source->network, *document.weights_off);
    out.end('}');
  }
  write_model_batch(out, document);
  if (view) write_view(out, *view);
  out.end('}');
  return out.take();
}

}  // namespace lab::files
