# The engine as a library of this machine, which nothing uses: it is there for the analysis of its source (.ci/run).
file(GLOB engine_sources CONFIGURE_DEPENDS web/engine/*.cpp)
list(FILTER engine_sources EXCLUDE REGEX "/exports[.]cpp$")
add_library(lab_web_engine STATIC EXCLUDE_FROM_ALL ${engine_sources})
unite_sources(lab_web_engine 24)
target_include_directories(lab_web_engine PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(lab_web_engine PUBLIC lab_lessons lab_files lab_explain lab_figure third_party::json)
target_precompile_headers(lab_web_engine REUSE_FROM lab_base)
