"""Tables as the Python clients give them: a line of names, then a line for each record."""

import datetime


def encode(names, decimals, records):
    """Names, the decimals of each field (None unless it holds numbers), and records, as lines of text."""
    lines = ["\t".join(names)]
    for record in records:
        values = (text(value, digits) for value, digits in zip(record, decimals, strict=True))
        lines.append("\t".join(values))
    return "".join(line + "\n" for line in lines).encode()


def text(value, decimals):
    if value is None:
        return ""
    if isinstance(value, bool):
        return "T" if value else "F"
    if isinstance(value, datetime.date):
        return value.strftime("%Y%m%d")
    if decimals is not None and not isinstance(value, str):
        return f"{value:.{decimals}f}"
    # Whether blanks at the end of characters are kept is a choice of each library.
    return str(value).rstrip(" ")
