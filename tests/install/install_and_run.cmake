# cmake -DBUILD_DIR= -DSOURCE_DIR= -DWORK_DIR= -DCXX_COMPILER= -DGENERATOR= -P install_and_run.cmake
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}\nexit status ${status}\n${out}\n${err}")
  endif()
  set(out "${out}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
set(prefix ${WORK_DIR}/prefix)
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})
run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE_DIR} -B ${WORK_DIR}/build -DCMAKE_PREFIX_PATH=${prefix}
  -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
run(${WORK_DIR}/build/embed_one ${prefix}/share/genomamba/models/tiny-random ACGTACGTNACGT)
if(NOT out MATCHES "^8 numbers, first -?[0-9]")
  message(FATAL_ERROR "embed_one printed: ${out}")
endif()

# The installed apps find the bundled model from where they are, and start one another.
file(WRITE ${WORK_DIR}/one.fa ">one\nACGTACGTACGT\n")
run(${prefix}/bin/genomamba embed --no-version ${WORK_DIR}/one.fa)
if(NOT out MATCHES "one\t")
  message(FATAL_ERROR "the installed genomamba printed: ${out}")
endif()
