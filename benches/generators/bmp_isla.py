"""BMP files that all mean the picture of picture.py. The grammar, where a character is a byte, has the choices; two
predicates have the lengths in the file header, which ISLa leaves to Python, like the checksum of tar."""

from random import Random
from struct import pack

from grammar_graph.gg import GrammarGraph
from isla.derivation_tree import DerivationTree
from isla.fuzzer import GrammarFuzzer
from isla.language import SemanticPredicate, SemPredEvalResult
from isla.solver import CostSettings, CostWeightVector, GrammarBasedBlackboxCostComputer, ISLaSolver

from picture import COLORS, HEIGHT, ROWS, WIDTH


def text(data):
    return data.decode("latin-1")


def words(*numbers):
    return text(pack(f"<{len(numbers)}I", *(n % 2**32 for n in numbers)))


GRAMMAR = {
    "<start>": ["BM<length>\0\0\0\0<offset><image>"],
    "<length>": ["<byte><byte><byte><byte>"],
    "<offset>": ["<byte><byte><byte><byte>"],
    "<image>": [],
    "<gap>": ["", "<byte><gap>"],
    "<any>": ["<byte><byte><byte><byte>"],
    "<any12>": ["<any><any><any>"],
    "<any16>": ["<any12><any>"],
    "<any48>": ["<any16><any16><any16>"],
    "<intent>": ["\1", "\2", "\4", "\x08"],
    "<byte>": [chr(k) for k in range(256)],
}
TAILS = {
    40: "",
    52: "",
    56: "",
    64: "\0" * 8 + "<any><any>\0\0\0\0<any>",
    108: "BGRs<any48>",
    124: "BGRs<any48><intent>" + "\0" * 15,
}


NAMES = {}


def rule(expansion):
    """The rule for a row: rows that are alike share it."""
    name = NAMES.setdefault(expansion, f"<row_{len(NAMES)}>")
    GRAMMAR[name] = [expansion]
    return name


def image(name, sizes, bits, down, stored, masks=None, palette=()):
    """Adds headers of each of the sizes, and the rows that they go with. A grammar has no parameters, so all that must
    agree is a rule of its own."""
    stride = (WIDTH * bits + 31) // 32 * 4
    fill = "<byte>" * (stride - (WIDTH * bits + 7) // 8)
    data = [rule(stored(row) + fill) for row in ROWS]
    head, all_rows = f"<head_{name}>", f"<rows_{name}>"
    GRAMMAR[all_rows] = ["".join(data if down else data[::-1])]
    GRAMMAR[head] = []
    for size in sizes:
        colors = "".join(text(bytes(c[::-1])) + ("" if size == 12 else "<byte>") for c in palette)
        if size == 12:
            GRAMMAR[head].append(words(12) + text(pack("<4H", WIDTH, HEIGHT, 1, bits)) + colors)
            continue
        at_54 = "" if size == 40 else "<any12>" if size == 52 else "<any16>"
        if masks:
            at_54 = words(*masks[: 3 if size < 56 else 4])
        if size == 64:
            at_54 = ""
        for length in (0, stride * HEIGHT):
            GRAMMAR[head].append(
                words(size, WIDTH, -HEIGHT if down else HEIGHT, 1 + (bits << 16), 3 if masks else 0, length)
                + "<any><any>" + words(len(palette), 0) + at_54 + TAILS[size] + colors
            )
    GRAMMAR["<image>"].append(f"{head}<gap>{all_rows}")


def pixels(red, green, blue, alpha, size):
    """Pixels with the given bit fields; bytes that no field has a part of are free."""
    def stored(row):
        out = ""
        for pixel in row:
            number = sum(m for m, sample in zip((red, green, blue), pixel) if sample) | alpha
            used = red | green | blue | alpha
            for k in range(size):
                out += text(bytes([number >> 8 * k & 255])) if used >> 8 * k & 255 else "<byte>"
        return out
    return stored


def indices(palette, bits):
    def stored(row):
        digits = "".join(f"{palette.index(pixel):0{bits}b}" for pixel in row)
        digits += "0" * (-len(digits) % 8)
        return text(int(digits, 2).to_bytes(len(digits) // 8, "big"))
    return stored


WINDOWS = [40, 52, 56, 108, 124]
FIELDS = {
    "bgrx": (0xFF0000, 0xFF00, 0xFF, 0, 4), "rgbx": (0xFF, 0xFF00, 0xFF0000, 0, 4),
    "xbgr": (0xFF000000, 0xFF0000, 0xFF00, 0, 4), "bgra": (0xFF0000, 0xFF00, 0xFF, 0xFF000000, 4),
    "rgba": (0xFF, 0xFF00, 0xFF0000, 0xFF000000, 4), "565": (0xF800, 0x7E0, 0x1F, 0, 2),
    "444": (0xF00, 0xF0, 0xF, 0, 2), "555": (0x7C00, 0x3E0, 0x1F, 0, 2), "1555": (0x7C00, 0x3E0, 0x1F, 0x8000, 2),
}
for down in (False, True):
    way = "down" if down else "up"
    os2 = [] if down else [12, 64]
    image(f"24_{way}", WINDOWS + os2, 24, down, pixels(*FIELDS["bgrx"][:4], 3))
    image(f"32_{way}", WINDOWS, 32, down, pixels(*FIELDS["bgrx"]))
    image(f"16_{way}", WINDOWS, 16, down, pixels(*FIELDS["555"]))
    for name, masks in FIELDS.items():
        image(f"{name}_{way}", WINDOWS, 8 * masks[4], down, pixels(*masks), masks)
    # Palettes of a few orders.
    for order in range(4):
        colors = Random(order).sample(COLORS, len(COLORS))
        for bits in (4, 8):
            image(f"{bits}_{order}_{way}", WINDOWS, bits, down, indices(colors, bits), None, colors)
    for bits in (4, 8):
        colors = COLORS + COLORS[:1] * (2**bits - len(COLORS))
        image(f"{bits}_core_{way}", os2[:1], bits, down, indices(colors, bits), None, colors) if os2 else None


def field(tree, number):
    """The field as it must be: true if it is so already, else what is to be put there."""
    if str(tree) == words(number):
        return SemPredEvalResult(True)
    children = tuple(DerivationTree("<byte>", (DerivationTree(c, ()),)) for c in words(number))
    return SemPredEvalResult({tree: DerivationTree(tree.value, children)})


def is_length(_, length, image):
    if not image.is_complete():
        return SemPredEvalResult(None)
    return field(length, 14 + len(str(image)))


def is_offset(_, offset, image):
    if not image.is_complete():
        return SemPredEvalResult(None)
    head, gap, _ = image.children
    return field(offset, 14 + len(str(head)) + len(str(gap)))


CONSTRAINT = """
forall <image> image in start: (
  forall <length> length in start: is_length(length, image) and
  forall <offset> offset in start: is_offset(offset, image))
"""


def solver(count):
    """Gives `count` files. Coverage of paths in the grammar is left off: with it, 100 took more than a minute."""
    settings = CostSettings(CostWeightVector(1, 1, 0, 0, 0), k=1)
    symbols = dict.fromkeys(GRAMMAR, 1)
    cost = GrammarBasedBlackboxCostComputer(settings, GrammarGraph.from_grammar(GRAMMAR), symbol_costs=symbols)
    return ISLaSolver(
        GRAMMAR,
        CONSTRAINT,
        semantic_predicates={
            SemanticPredicate("is_length", 2, is_length, binds_tree=False),
            SemanticPredicate("is_offset", 2, is_offset, binds_tree=False),
        },
        max_number_free_instantiations=count,
        cost_computer=cost,
        fuzzer_factory=lambda grammar: GrammarFuzzer(grammar, max_nonterminals=5),
    )
