// SPDX-License-Identifier: Apache-2.0
// A part of a model → the ModelProto that holds it.
#pragma once

#include <headroom/model/extract.h>

#include "model/extract/data_copy.h"
#include "model/extract/pieces.h"

namespace headroom::extract {

/// `data` is where external data moves to; null: it stays. Errors: Unsupported for an input without
/// a known type; those of DataCopy::moved.
Pieces message_of(const Model& model, const Part& part, DataCopy* data);

/// Whether the data of a tensor of the part lie outside of the model's file.
bool has_external(const Model& model, const Part& part);

}  // namespace headroom::extract
