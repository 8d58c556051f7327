# Every third-party package is found on the system; nothing is downloaded (conda and Debian builds have no network).
# C++20, position-independent code and hidden symbols hold for each of our targets (AddLibrary.cmake).
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)

# Eigen 3.4 and 5 both serve: a version in find_package would refuse the newer major.
find_package(Eigen3 CONFIG REQUIRED)
if(Eigen3_VERSION VERSION_LESS 3.4)
  message(FATAL_ERROR "genomamba needs Eigen 3.4 or newer, found ${Eigen3_VERSION}")
endif()

find_package(xsimd CONFIG REQUIRED)
if(xsimd_VERSION VERSION_LESS 8.1)
  message(FATAL_ERROR "genomamba needs xsimd 8.1 or newer, found ${xsimd_VERSION}")
endif()

find_package(TBB CONFIG REQUIRED)
find_package(fmt CONFIG REQUIRED)
find_package(nlohmann_json CONFIG REQUIRED)
pkg_check_modules(HTSLIB REQUIRED IMPORTED_TARGET "htslib>=1.16")
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)

include(FindLibBigWig)

if(GENOMAMBA_BUILD_APPS)
  find_package(CLI11 CONFIG REQUIRED)
endif()
if(GENOMAMBA_BUILD_TESTS)
  # Catch2 2 and 3 both serve (tests/support/catch.hpp hides the difference).
  find_package(Catch2 CONFIG REQUIRED)
  find_package(Python3 COMPONENTS Interpreter REQUIRED)
endif()
if(GENOMAMBA_BUILD_BENCH)
  find_package(benchmark CONFIG REQUIRED)
endif()
