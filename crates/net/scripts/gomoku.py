"""Converts the networks of AlphaZero_Gomoku (junxiaosong, MIT licence), a Python pickle of 16 arrays, into our format:

    python3 crates/net/scripts/gomoku.py best_policy_6_6_4.model mnk:6x6k4 gomoku.net

It needs nothing but Python. The pickle is never run: its instructions are read one by one, and only those that build a list
of arrays of 32-bit numbers are known. Filters are stored turned by 180 degrees, as Theano uses them, and are turned back.
Such a network reads four planes (encoder `gomoku`): own stones, stones of the opponent, the last move, and 1 everywhere if
the first player is to move; rows go from the top of the board to the bottom.
"""
import json
import pickletools
import struct
import sys

LARGEST = 4 << 20
ALLOWED = {
    "numpy.core.multiarray _reconstruct", "numpy._core.multiarray _reconstruct", "numpy ndarray", "numpy dtype", "_codecs encode",
}


class Array:
    """An array that is being built."""

    shape = data = None


def arrays(data):
    """The list of (shape, numbers) in a pickle."""
    stack, memo, mark = [], {}, object()

    def pop_to_mark():
        at = len(stack) - 1 - stack[::-1].index(mark)
        items = stack[at + 1:]
        del stack[at:]
        return items

    for opcode, argument, _ in pickletools.genops(data):
        name = opcode.name
        if name in ("PROTO", "FRAME"):
            continue
        elif name == "MARK":
            stack.append(mark)
        elif name in ("GLOBAL", "STACK_GLOBAL"):
            if name == "STACK_GLOBAL":
                argument = " ".join([stack.pop(-2), stack.pop()])
            if argument not in ALLOWED:
                raise SystemExit(f"the pickle asks for `{argument}`, which is not allowed")
            stack.append(argument)
        elif name in ("BINPUT", "LONG_BINPUT", "PUT"):
            memo[argument] = stack[-1]
        elif name == "MEMOIZE":
            memo[len(memo)] = stack[-1]
        elif name in ("BINGET", "LONG_BINGET", "GET"):
            stack.append(memo[argument])
        elif name in ("EMPTY_LIST", "EMPTY_TUPLE"):
            stack.append([] if name == "EMPTY_LIST" else ())
        elif name in ("TUPLE", "LIST"):
            stack.append(tuple(pop_to_mark()))
        elif name in ("TUPLE1", "TUPLE2", "TUPLE3"):
            count = int(name[-1])
            items = tuple(stack[-count:])
            del stack[-count:]
            stack.append(items)
        elif name in ("APPEND", "APPENDS"):
            items = pop_to_mark() if name == "APPENDS" else [stack.pop()]
            stack[-1].extend(items)
        elif name in ("NEWTRUE", "NEWFALSE", "NONE"):
            stack.append({"NEWTRUE": True, "NEWFALSE": False, "NONE": None}[name])
        elif name == "REDUCE":
            arguments, function = stack.pop(), stack.pop()
            if function.endswith(" _reconstruct"):
                stack.append(Array())
            elif function == "numpy dtype":
                if arguments[0] != "f4":
                    raise SystemExit(f"an array of type {arguments[0]}, only f4 is read")
                stack.append("f4")
            elif function == "_codecs encode" and arguments[1] == "latin1":
                stack.append(arguments[0].encode("latin1"))
            else:
                raise SystemExit(f"the pickle calls `{function}`, which is not allowed")
        elif name == "BUILD":
            state, target = stack.pop(), stack[-1]
            if isinstance(target, Array):
                _, target.shape, _, by_column, target.data = state
                if isinstance(target.data, str):
                    target.data = target.data.encode("latin1")
                if by_column:
                    raise SystemExit("an array is stored column by column")
            elif target != "f4" or state[1] not in ("<", None):
                raise SystemExit("numbers are not stored with the lowest byte first")
        elif name == "STOP":
            break
        elif opcode.arg is not None and name.startswith(("BIN", "SHORT_BIN", "INT", "LONG", "UNICODE", "STRING")):
            stack.append(argument)
        else:
            raise SystemExit(f"the pickle has an instruction {name}, which is not allowed")
    result = []
    for array in stack[-1]:
        count = 1
        for side in array.shape:
            count *= side
        if 4 * count != len(array.data):
            raise SystemExit("an array has not as many numbers as its shape says")
        result.append((array.shape, struct.unpack(f"<{count}f", array.data)))
    return result


def turned(shape, numbers):
    """Filters turned by 180 degrees."""
    cells = shape[2] * shape[3]
    return [x for at in range(0, len(numbers), cells) for x in reversed(numbers[at:at + cells])]


def transposed(shape, numbers):
    """From (inputs, outputs) to (outputs, inputs)."""
    return [numbers[i * shape[1] + o] for o in range(shape[1]) for i in range(shape[0])]


def main():
    source, game, target = sys.argv[1:]
    with open(source, "rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise SystemExit(f"{source} has more than {LARGEST} bytes")
    layers = ["stem", "blocks.0.conv", "blocks.1.conv", "policy.conv", "policy.dense", "value.conv", "value.hidden", "value.value"]
    found = arrays(data)
    if len(found) != 2 * len(layers):
        raise SystemExit(f"{len(found)} arrays, not {2 * len(layers)}")
    header, numbers = {}, b""

    def tensor(name, shape, values):
        nonlocal numbers
        start = len(numbers)
        numbers += struct.pack(f"<{len(values)}f", *values)
        header[name] = {"dtype": "F32", "shape": list(shape), "data_offsets": [start, len(numbers)]}

    for number, layer in enumerate(layers):
        (shape, weights), (bias_shape, bias) = found[2 * number:2 * number + 2]
        if len(shape) == 4:
            tensor(layer + ".weight", shape, turned(shape, weights))
        else:
            tensor(layer + ".weight", shape[::-1], transposed(shape, weights))
        tensor(layer + ".bias", bias_shape, bias)
    cells = found[9][0][0]
    side = int(cells**0.5)
    header["__metadata__"] = {
        "format": "proofplay-net 1", "board": f"{side}x{side}", "stem": "relu", "value": "cells", "game": game, "encoder": "gomoku",
        "training": "AlphaZero_Gomoku by junxiaosong, converted",
    }
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(target, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + numbers)


main()
