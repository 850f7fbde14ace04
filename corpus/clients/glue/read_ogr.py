"""A table of dBASE, as GDAL's driver of Shapefiles reads it."""

import pam
import tables

with pam.needed():
    from osgeo import gdal, ogr

gdal.UseExceptions()
ogr.UseExceptions()
KINDS = {ogr.OFTInteger, ogr.OFTInteger64, ogr.OFTReal}
TRUTH = {"t": "T", "y": "T", "f": "F", "n": "F", "?": "", "": ""}


def read(file):
    source = ogr.Open(file)
    layer = source.GetLayer(0)
    fields = [layer.GetLayerDefn().GetFieldDefn(k) for k in range(layer.GetLayerDefn().GetFieldCount())]
    kinds = types(file)
    decimals = [field.GetPrecision() if field.GetType() in KINDS else None for field in fields]
    records = []
    for feature in layer:
        values = []
        for k, field in enumerate(fields):
            value = None if feature.IsFieldNull(k) else feature.GetField(k)
            if field.GetType() == ogr.OFTDate and value is not None:
                value = value.replace("/", "")
            # Truth values are letters here; their meaning is left to the user.
            if kinds[k] == "L":
                value = TRUTH.get(str(value or "").lower(), value)
            values.append(value)
        records.append(values)
    return tables.encode([field.GetName() for field in fields], decimals, records)


def types(file):
    """The letters of the types in the file."""
    with open(file, "rb") as stored:
        head = stored.read(32)
        header = stored.read(int.from_bytes(head[8:10], "little") - 32)
    return [chr(header[at + 11]) for at in range(0, len(header) - 31, 32) if header[at] != 13]


pam.serve(read)
