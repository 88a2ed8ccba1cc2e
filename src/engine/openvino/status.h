// SPDX-License-Identifier: Apache-2.0
// OpenVINO's exceptions as Errors of ours, by what was being done.
#pragma once

#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "engine/adapter.h"

namespace headroom::openvino {

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
