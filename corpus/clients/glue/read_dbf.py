"""A table of dBASE, as Python's dbf reads it."""

import warnings

import pam
import tables

warnings.simplefilter("ignore")
with pam.needed():
    import dbf


def read(file):
    with dbf.Table(file) as table:
        names = table.field_names
        kinds = [table.field_info(name) for name in names]
        decimals = [kind.decimal if kind.field_type == ord("N") else None for kind in kinds]
        records = [list(record) for record in table if not dbf.is_deleted(record)]
        return tables.encode([name.upper() for name in names], decimals, records)


pam.serve(read)
