include(CMakeFindDependencyMacro)
find_dependency(Eigen3)
find_dependency(Threads)
include("${CMAKE_CURRENT_LIST_DIR}/attention-onednn.cmake")  # for where the library was built with it
include("${CMAKE_CURRENT_LIST_DIR}/attention-targets.cmake")
