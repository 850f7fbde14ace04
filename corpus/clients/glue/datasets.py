"""Data sets of netCDF as the Python clients give them: a line for each dimension, attribute and variable."""

NAMES = {
    "i1": "byte", "S1": "char", "i2": "short", "i4": "int", "f4": "float", "f8": "double",
    "u1": "ubyte", "u2": "ushort", "u4": "uint", "i8": "int64", "u8": "uint64",
}


def typed(value):
    """The name of a type and the values, most significant byte first, in hexadecimal digits."""
    import numpy as np

    if isinstance(value, (str, bytes)):
        text = value.encode() if isinstance(value, str) else value
        return "char " + text.hex()
    a = np.asarray(value)
    name = NAMES[a.dtype.str[1:]]
    return f"{name} " + a.astype(a.dtype.newbyteorder(">")).tobytes().hex()


def encode(records, dimensions, attributes, variables):
    """The number of records; names and lengths, None for records; names and values; for each variable its name, the names
    of its dimensions, its attributes, and its values."""
    lines = [f"dimension {name} {f'unlimited {records}' if n is None else n}" for name, n in dimensions]
    lines += [f"attribute {name} {typed(value)}" for name, value in attributes]
    for name, own, attributes, value in variables:
        lines.append(f"variable {name}({', '.join(own)}) {typed(value)}")
        lines += [f"attribute {name}:{key} {typed(value)}" for key, value in attributes]
    return "".join(line + "\n" for line in lines).encode()
