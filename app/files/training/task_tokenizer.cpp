#include "app/files/training/task_tokenizer.h"

#include "app/files/session/json_writer.h"
#include "app/tokenizer/reading/read_tokenizer.h"

namespace lab::files {

std::string task_tokenizer_json(const attention::training::Task& task) {
  JsonWriter out;
  out.begin('{');
  out.member("version");
  out.string("1.0");
  for (const char* none : {"truncation", "padding", "normalizer", "post_processor", "decoder"}) {
    out.member(none);
    out.raw("null");
  }
  out.member("added_tokens");
  out.raw("[]");
  out.member("pre_tokenizer");
  out.raw(R"({"type": "WhitespaceSplit"})");
  out.member("model");
  out.raw(R"({"type": "WordLevel", "unk_token": "", "vocab": )");
  out.begin('{');
  for (std::size_t id = 0; id < task.tokens().size(); ++id) {
    out.member(task.tokens()[id]);
    out.raw(std::to_string(id));
  }
  out.end('}');
  out.raw("}");
  out.end('}');
  return out.take();
}

Expected<tokenizer::Tokenizer> task_tokenizer(const attention::training::Task& task) {
  return tokenizer::read_tokenizer(task_tokenizer_json(task));
}

}  // namespace lab::files
