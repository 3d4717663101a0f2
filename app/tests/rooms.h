#pragma once

// A test speaks of many rooms at once, so the names of all of them are in sight in it.

namespace lab::cli {}
namespace lab::embedded_session {}
namespace lab::explain {}
namespace lab::figure {}
namespace lab::files {}
namespace lab::lessons {}
namespace lab::platform {}
namespace lab::shell {}
namespace lab::view {}

namespace lab {

using namespace cli;
using namespace embedded_session;
using namespace explain;
using namespace figure;
using namespace files;
using namespace lessons;
using namespace platform;
using namespace shell;
using namespace view;

}  // namespace lab
