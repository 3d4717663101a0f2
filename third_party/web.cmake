# The dependencies of the page that computes. Those that are headers alone are where every compiler looks; what libraries
# compute otherwise, the page does itself (app/web).
find_package(Eigen3 REQUIRED NO_MODULE)
foreach(name json expected rapidjson icu oniguruma md4c glib zip csv zlib png qpdf)
  add_library(third_party_${name} INTERFACE IMPORTED GLOBAL)
  add_library(third_party::${name} ALIAS third_party_${name})
endforeach()
# A page has no threads.
add_library(Threads::Threads INTERFACE IMPORTED GLOBAL)
