// SPDX-License-Identifier: Apache-2.0
// Counts the multiply-adds of the model that is named, through the installed headers and libraries.
#include <headroom/cost.h>

#include <iostream>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  headroom::Model model = headroom::load_model(argv[1]);
  headroom::inline_functions(model);
  headroom::infer_shapes(model, {});
  std::cout << headroom::count_work(model).macs.value << '\n';
}
