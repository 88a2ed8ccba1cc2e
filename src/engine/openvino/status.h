// SPDX-License-Identifier: Apache-2.0
// OpenVINO's exceptions as Errors of ours, by what was being done.
#pragma once

#include <headroom/base/error.h>

#include <cstdint>
#include <exception>
#include <new>
#include <string>
#include <string_view>

namespace headroom::openvino {

enum class Stage : std::uint8_t {
  Read,    ///< The file is read and converted to OpenVINO's own operators.
  Create,  ///< The graph is optimised and compiled.
  Bind,
  Run,
  Other,
};

/// The kind that `message` means at `stage`: OpenVINO has one type of exception for everything.
ErrorKind kind_of(Stage stage, std::string_view message);

/// What the engine says, on one line, without the places in its source.
std::string plain_message(std::string_view message);

/// An Error that names the engine, what was being done to `what`, and the engine's plain message.
Error make_error(Stage stage, std::string_view what, std::string_view message);

/// Calls `call`; an exception of OpenVINO in it leaves as make_error's.
template <class Call>
auto translated(const Stage& stage, std::string_view what, Call&& call) {
  try {
    return call();
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& exception) {
    throw make_error(stage, what, exception.what());
  }
}

}  // namespace headroom::openvino
