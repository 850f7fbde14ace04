"""A table of dBASE, as dbfread reads it."""

import pam
import tables

with pam.needed():
    import dbfread


def read(file):
    table = dbfread.DBF(file, load=True)
    decimals = [field.decimal_count if field.type == "N" else None for field in table.fields]
    return tables.encode(table.field_names, decimals, (record.values() for record in table.records))


pam.serve(read)
