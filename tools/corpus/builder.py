# SPDX-License-Identifier: Apache-2.0
"""A thin layer over onnx.helper that names nodes and values the way exporters do: /layer1/conv1/Conv."""
import contextlib

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


class Builder:
    """Collects nodes and initialisers in topological order; scope() adds a level to the names made inside it."""

    def __init__(self, name):
        self.name = name
        self.nodes = []
        self.initializers = []
        self.inputs = []
        self.outputs = []
        self._scopes = []
        self._counts = {}
        self._constants = {}

    @contextlib.contextmanager
    def scope(self, name):
        self._scopes.append(name)
        yield
        self._scopes.pop()

    def parameter_name(self, leaf):
        return ".".join([*self._scopes, leaf])

    def input(self, name, element, shape):
        self.inputs.append(helper.make_tensor_value_info(name, element, shape))
        return name

    def output(self, name, element, shape):
        self.outputs.append(helper.make_tensor_value_info(name, element, shape))

    def parameter(self, name, array):
        """An initialiser under exactly this name."""
        self.initializers.append(numpy_helper.from_array(np.asarray(array, order="C"), name))
        return name

    def constant(self, value, dtype=np.int64):
        """A small constant shared by all nodes that want the same one."""
        array = np.asarray(value, dtype)
        key = (array.dtype.str, array.shape, array.tobytes())
        if key not in self._constants:
            self._constants[key] = self.parameter(f"onnx::Constant_{len(self._constants)}", array)
        return self._constants[key]

    def node(self, op, inputs, outputs=1, domain="", into=None, **attributes):
        """Adds a node and returns the name of its output, or the list of them. `into` names a graph output."""
        path = "/" + "/".join([*self._scopes, op])
        count = self._counts.get(path, 0)
        self._counts[path] = count + 1
        path += f"_{count}" if count else ""
        made = [into] if into else [f"{path}_output_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(op, inputs, made, name=path, domain=domain, **attributes))
        return made[0] if outputs == 1 else made

    def model(self, opset, ir_version=8, domains=()):
        graph = helper.make_graph(self.nodes, self.name, self.inputs, self.outputs, self.initializers)
        imports = [helper.make_opsetid("", opset), *(helper.make_opsetid(domain, 1) for domain in domains)]
        made = helper.make_model(graph, opset_imports=imports, ir_version=ir_version, producer_name="headroom-corpus")
        onnx.checker.check_model(made)
        return made


FLOAT = TensorProto.FLOAT
INT64 = TensorProto.INT64
