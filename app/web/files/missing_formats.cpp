// Formats of files that a page cannot read, because they need libraries that it does not have. The
// program for the desktop makes sessions of them, which a page opens.
#include "app/base/bad_input.h"
#include "app/embedded_session/embedded_session.h"
#include "app/embedded_session/session_formats.h"
#include "app/files/import/csv.h"
#include "app/files/tensors/tensors.h"
#include "app/translation/words.h"

namespace {

tl::unexpected<lab::Error> refuse(const char* what) {
  return lab::fail(lab::ErrorType::kBadInput,
                   lab::tr("A page cannot read {}; the program for the desktop can, and saves a "
                           "session that a page opens.",
                           {what}));
}

}  // namespace

namespace lab::embedded_session {

// Pictures are for the page itself to show.
const CarrierType* carrier_type(std::string_view bytes) {
  static constexpr CarrierType kPage{"a page of HTML", is_html, session_in_html, kHtmlSessionId};
  return is_html(bytes) ? &kPage : nullptr;
}
std::optional<std::string> session_of_figure(std::string_view bytes) {
  const CarrierType* const type = carrier_type(bytes);
  return type == nullptr ? std::nullopt : type->session(bytes);
}
bool has_session_mark(const CarrierType& type, std::string_view bytes) {
  return bytes.find(type.mark) != bytes.npos;
}

}  // namespace lab::embedded_session

namespace lab::files {

Expected<TensorFile> read_npz(std::string_view /*bytes*/, attention::WorkWatch* /*watch*/) {
  return refuse(".npz");
}
Expected<std::string> write_npz(const TensorFile& /*file*/) { return refuse(".npz"); }

Expected<attention::Matrix> read_csv(std::string_view /*text*/, attention::WorkWatch* /*watch*/,
                                     std::int64_t /*most_numbers*/) {
  return refuse("CSV");
}
Expected<LabelledTable> read_labelled_csv(std::string_view /*text*/,
                                          attention::WorkWatch* /*watch*/,
                                          std::int64_t /*most_numbers*/) {
  return refuse("CSV");
}

}  // namespace lab::files
