// SPDX-License-Identifier: Apache-2.0
// Ids that sort by time and do not meet.
#include <headroom/base/clock.h>
#include <headroom/base/error.h>
#include <headroom/record.h>

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

namespace headroom {

std::string make_record_id() {
  std::uint32_t number = 0;
  std::ifstream random("/dev/urandom", std::ios::binary);
  random.read(reinterpret_cast<char*>(&number), sizeof number);
  if (!random) throw Error(ErrorKind::Internal, "cannot read /dev/urandom for a record's id");
  std::string time = utc_timestamp();
  std::erase_if(time, [](char c) { return c == '-' || c == ':'; });
  return fmt::format("{}-{:08x}", time, number);
}

}  // namespace headroom
