// SPDX-License-Identifier: Apache-2.0
// Where a text report goes: how wide lines may be and whether they may be coloured. Front ends fill
// it in; reports ask no terminal and no environment.
#pragma once

namespace headroom {

struct TextStyle {
  int columns = 0;         ///< Width of the terminal; 0: as wide as the text needs.
  bool has_color = false;  ///< Escape sequences for headings and warnings.
};

}  // namespace headroom
