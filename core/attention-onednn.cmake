# Defines the target DNNL::dnnl where oneDNN is installed. The library's own package file is not used: it also
# demands the headers of OpenCL, which the library does not need here and Debian's package does not install.
if(NOT TARGET DNNL::dnnl)
  find_library(ATTENTION_ONEDNN_LIBRARY dnnl)
  find_path(ATTENTION_ONEDNN_INCLUDE oneapi/dnnl/dnnl.h)
  mark_as_advanced(ATTENTION_ONEDNN_LIBRARY ATTENTION_ONEDNN_INCLUDE)
  if(ATTENTION_ONEDNN_LIBRARY AND ATTENTION_ONEDNN_INCLUDE)
    add_library(DNNL::dnnl UNKNOWN IMPORTED)
    set_target_properties(DNNL::dnnl PROPERTIES IMPORTED_LOCATION "${ATTENTION_ONEDNN_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${ATTENTION_ONEDNN_INCLUDE}")
  endif()
endif()
