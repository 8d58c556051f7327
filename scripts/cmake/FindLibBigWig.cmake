# libBigWig::libBigWig. Debian ships neither a pkg-config nor a CMake file. NOCURL: only files are opened, and curl's
# headers need not be there. Included by the build and by the installed package.
if(NOT TARGET libBigWig::libBigWig)
  find_path(LIBBIGWIG_INCLUDE_DIR bigWig.h PATH_SUFFIXES libbigwig libBigWig)
  find_library(LIBBIGWIG_LIBRARY NAMES BigWig libBigWig)
  if(NOT LIBBIGWIG_INCLUDE_DIR OR NOT LIBBIGWIG_LIBRARY)
    message(FATAL_ERROR "libBigWig (bigWig.h, libBigWig) was not found: apt install libbigwig-dev, or conda install libbigwig")
  endif()
  add_library(libBigWig::libBigWig UNKNOWN IMPORTED)
  set_target_properties(libBigWig::libBigWig PROPERTIES
    IMPORTED_LOCATION "${LIBBIGWIG_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${LIBBIGWIG_INCLUDE_DIR}"
    INTERFACE_COMPILE_DEFINITIONS NOCURL)
endif()
