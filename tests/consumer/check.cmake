# SPDX-License-Identifier: Apache-2.0
# Installs the build tree BUILD into WORK/prefix, builds the consumer against it and runs it on MODEL.
# It would have caught: a public header that is not installed, a link dependency that is not exported.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE output)
  set(output "${output}" PARENT_SCOPE)
endfunction()
file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -G Ninja -DCMAKE_PREFIX_PATH=${WORK}/prefix
    -DCMAKE_CXX_COMPILER=${COMPILER} -DONNXRUNTIME_ROOT=${ONNXRUNTIME_ROOT}
    "-DCMAKE_CXX_FLAGS=${FLAGS}")
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/consumer ${MODEL})
string(STRIP "${output}" output)
if(NOT output STREQUAL EXPECTED)
  message(FATAL_ERROR "the consumer counted ${output} MACs, ${EXPECTED} are right")
endif()
