// SPDX-License-Identifier: Apache-2.0
// A real engine, small models for it, and tensors in and out; skipped where the build lacks it.
#pragma once

#include <headroom/engine.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/model_builder.h"
#include "support/temp_folder.h"
#include "support/thrown.h"

namespace headroom::test {

template <class T>
Tensor tensor_of(const std::string& name, ElementType type, std::vector<std::int64_t> shape,
                 const std::vector<T>& values) {
  Tensor tensor = make_tensor(name, type, std::move(shape));
  if (!values.empty())
    std::memcpy(tensor.data.bytes().data(), values.data(), values.size() * sizeof(T));
  return tensor;
}

inline Tensor floats(const std::string& name, std::vector<std::int64_t> shape,
                     const std::vector<float>& values) {
  return tensor_of(name, ElementType::Float32, std::move(shape), values);
}

template <class T>
std::vector<T> elements(const Tensor& tensor) {
  std::vector<T> values(tensor.data.bytes().size() / sizeof(T));
  if (!values.empty())
    std::memcpy(values.data(), tensor.data.bytes().data(), values.size() * sizeof(T));
  return values;
}

template <class... Tensors>
void bind(Session& session, Tensors... tensors) {
  std::vector<Tensor> inputs;
  (inputs.push_back(std::move(tensors)), ...);
  session.bind(std::move(inputs));
}

class EngineFixture : public testing::Test {
 protected:
  explicit EngineFixture(std::string name) : name_(std::move(name)) {}

  void SetUp() override {
    const auto absent = absent_engines();
    const auto found = absent.find(name_);
    if (found != absent.end()) GTEST_SKIP() << found->second;
    engine_ = make_engine(name_);
  }

  std::unique_ptr<Session> load(const ModelBuilder& builder, const SessionOptions& options = {},
                                const LoadObserver& observer = {}) {
    builder.write(folder_ / "model.onnx");
    return engine_->load({folder_ / "model.onnx"}, options, observer);
  }

  std::string refusal(ErrorKind kind, const ModelBuilder& builder,
                      const SessionOptions& options = {}) {
    return message_of(kind, [&] { load(builder, options); });
  }

  // y = x * w, w = 2, 3.
  static ModelBuilder product(const DimsSpec& output = std::nullopt) {
    ModelBuilder model;
    model.input("x", ElementType::Float32, {{"n", 2}})
        .initializer("w", {2}, std::vector<float>{2, 3})
        .node("Mul", {"x", "w"}, {"y"}, {}, "", "product")
        .output("y", ElementType::Float32, output);
    return model;
  }

  // Passes `x` through.
  static ModelBuilder passing(ElementType type, const DimsSpec& dims) {
    ModelBuilder model;
    model.input("x", type, dims).node("Identity", {"x"}, {"y"}).output("y", type, dims);
    return model;
  }

  TempFolder folder_{};
  std::string name_;
  std::unique_ptr<Engine> engine_{};
};

/// A session of the fixture's engine that is given values of any kind.
class ValuesFixture : public EngineFixture {
 protected:
  using EngineFixture::EngineFixture;

  void load(const ModelBuilder& builder) { session_ = EngineFixture::load(builder); }

  template <class... Values>
  std::vector<Datum> run(Values... values) {
    std::vector<Datum> inputs;
    (inputs.push_back(std::move(values)), ...);
    session_->bind_values(std::move(inputs));
    session_->run();
    return session_->copy_values();
  }

  std::unique_ptr<Session> session_{};
};

}  // namespace headroom::test
