// SPDX-License-Identifier: Apache-2.0
// What a careful person writes by hand to time a model: ONNX Runtime's C++ interface, bound
// buffers, a loop with two clock readings. Nothing of Headroom. Prints the median in ns and the
// peak of resident memory in bytes. Inputs: float32 only, open dimensions 1, all elements 0.5.
//
// Usage: bare_loop MODEL THREADS SECONDS
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include <onnxruntime_cxx_api.h>

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostSamples = 100'000;  // 0.8 MB: what is measured includes this
constexpr std::chrono::milliseconds kWarmup{300};

std::uint64_t peak_bytes() {
  std::ifstream file("/proc/self/status");
  std::string line;
  while (std::getline(file, line))
    if (line.rfind("VmHWM:", 0) == 0) return std::stoull(line.substr(6)) * 1024;
  return 0;
}

struct Input {
  std::string name{};
  std::vector<std::int64_t> shape{};
  std::vector<float> elements{};
};

std::vector<Input> make_inputs(const Ort::Session& session) {
  Ort::AllocatorWithDefaultOptions allocator;
  std::vector<Input> inputs;
  for (std::size_t i = 0; i < session.GetInputCount(); ++i) {
    const auto type = session.GetInputTypeInfo(i);
    Input input{.name = session.GetInputNameAllocated(i, allocator).get(),
                .shape = type.GetTensorTypeAndShapeInfo().GetShape()};
    std::size_t count = 1;
    for (std::int64_t& size : input.shape) {
      if (size < 1) size = 1;
      count *= static_cast<std::size_t>(size);
    }
    input.elements.assign(count, 0.5F);
    inputs.push_back(std::move(input));
  }
  return inputs;
}

void run(const std::string& model, int threads, double seconds) {
  const Ort::Env env(ORT_LOGGING_LEVEL_ERROR, "bare");
  Ort::SessionOptions options;
  options.SetIntraOpNumThreads(threads);
  options.SetInterOpNumThreads(1);
  options.SetExecutionMode(ORT_SEQUENTIAL);
  options.SetGraphOptimizationLevel(ORT_ENABLE_ALL);
  Ort::Session session(env, model.c_str(), options);
  std::vector<Input> inputs = make_inputs(session);
  Ort::IoBinding binding(session);
  const auto memory = Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeDefault);
  for (Input& input : inputs)
    binding.BindInput(input.name.c_str(), Ort::Value::CreateTensor<float>(
                                              memory, input.elements.data(), input.elements.size(),
                                              input.shape.data(), input.shape.size()));
  Ort::AllocatorWithDefaultOptions allocator;
  for (std::size_t i = 0; i < session.GetOutputCount(); ++i)
    binding.BindOutput(session.GetOutputNameAllocated(i, allocator).get(), memory);
  const Ort::RunOptions run_options;

  for (const auto end = Clock::now() + kWarmup; Clock::now() < end;)
    session.Run(run_options, binding);
  std::vector<std::int64_t> samples;
  samples.reserve(kMostSamples);
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (samples.size() < kMostSamples) {
    const auto before = Clock::now();
    session.Run(run_options, binding);
    const auto after = Clock::now();
    samples.push_back(std::chrono::nanoseconds(after - before).count());
    if (after >= end) break;
  }
  const std::uint64_t peak = peak_bytes();
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>((samples.size() - 1) / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  std::printf("%lld %llu\n", static_cast<long long>(*middle),
              static_cast<unsigned long long>(peak));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: bare_loop MODEL THREADS SECONDS\n");
    return 2;
  }
  try {
    run(argv[1], std::atoi(argv[2]), std::atof(argv[3]));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bare_loop: %s\n", error.what());
    return 1;
  }
}
