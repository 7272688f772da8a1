"""The speed of our networks beside that of onnxruntime, in turns, by processor time.

    cargo build --release -p proofplay-net --example speed
    python3 crates/net/scripts/speed.py target/release/examples/speed [board [planes blocks channels [rounds]]]

It needs numpy, onnx and onnxruntime. The net has random weights: residual blocks with a ReLU after the sum, a dense policy
head and a dense value head, batch normalisations being parts of the convolutions, as in our own example.
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper


def build(columns, rows, planes, blocks, channels):
    cells, nodes, weights = columns * rows, [], []
    random = numpy.random.default_rng(1)

    def tensor(name, *shape):
        inputs = numpy.prod(shape[1:]) if len(shape) > 1 else 100
        array = random.normal(0, (2 / inputs) ** 0.5, shape).astype(numpy.float32)
        weights.append(numpy_helper.from_array(array, name))
        return name

    def node(kind, inputs, **attributes):
        nodes.append(helper.make_node(kind, inputs, [f"x{len(nodes)}"], **attributes))
        return nodes[-1].output[0]

    def conv(x, name, size, inputs, outputs):
        parts = [x, tensor(name + "w", outputs, inputs, size, size), tensor(name + "b", outputs)]
        return node("Conv", parts, kernel_shape=[size, size], pads=[size // 2] * 4)

    def relu(x):
        return node("Relu", [x])

    def dense(x, name, inputs, outputs):
        return node("Gemm", [x, tensor(name + "w", outputs, inputs), tensor(name + "b", outputs)], transB=1)

    x = relu(conv("planes", "stem", 3, planes, channels))
    for block in range(blocks):
        y = relu(conv(x, f"first{block}", 3, channels, channels))
        y = conv(y, f"second{block}", 3, channels, channels)
        x = relu(node("Add", [x, y]))
    policy = node("Flatten", [relu(conv(x, "policy", 1, channels, 2))])
    policy = dense(policy, "moves", 2 * cells, cells + 1)
    value = node("Flatten", [relu(conv(x, "value", 1, channels, 1))])
    value = node("Tanh", [dense(relu(dense(value, "hidden", cells, 4 * channels)), "last", 4 * channels, 1)])
    graph = helper.make_graph(
        nodes,
        "net",
        [helper.make_tensor_value_info("planes", TensorProto.FLOAT, [1, planes, rows, columns])],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in (policy, value)],
        weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    return model


def main():
    ours = sys.argv[1]
    board = sys.argv[2] if len(sys.argv) > 2 else "9x9"
    planes, blocks, channels = (int(word) for word in sys.argv[3:6]) if len(sys.argv) > 5 else (18, 6, 64)
    rounds = int(sys.argv[6]) if len(sys.argv) > 6 else 7
    columns, rows = (int(word) for word in board.split("x"))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "net.onnx")
        onnx.save(build(columns, rows, planes, blocks, channels), path)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    numbers = numpy.random.default_rng(2).integers(0, 2, (1, planes, rows, columns)).astype(numpy.float32)
    count = max(20, 2000 * 73_000_000 // (2 * 9 * 2 * blocks * channels * channels * columns * rows))
    session.run(None, {"planes": numbers})
    theirs_all, ours_all = [], []
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(count):
            session.run(None, {"planes": numbers})
        theirs_all.append(count / (time.process_time() - start))
        words = [ours, board, str(planes), str(blocks), str(channels), str(count)]
        ours_all.append(float(subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()[0]))
    ratios = [a / b for a, b in zip(ours_all, theirs_all)]
    print(f"{board}, {planes} planes, {blocks} blocks of {channels} channels, {rounds} rounds of {count}, onnxruntime {onnxruntime.__version__}")
    print(f"onnxruntime {statistics.median(theirs_all):.0f}, ours {statistics.median(ours_all):.0f} evaluations/s")
    print(f"ratio {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")


main()
