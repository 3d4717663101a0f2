# The engine as a program of this machine, which answers the same requests as the one in a page: app/web/tests compares both.
file(GLOB engine_sources CONFIGURE_DEPENDS web/engine/*.cpp)
list(FILTER engine_sources EXCLUDE REGEX "/exports[.]cpp$")
add_executable(web_peer web/tests/peer.cpp ${engine_sources})
unite_sources(web_peer 24)
target_link_libraries(web_peer PRIVATE lab_explain lab_files lab_lessons lab_figure third_party::json)
target_precompile_headers(web_peer REUSE_FROM lab_base)
