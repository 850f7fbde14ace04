#!/bin/sh
# Makes the seeds of DBF from three records, by the programs that their names begin with: Python's dbf 0.96.5 (dbf), GDAL
# 3.6.2 (gdal), dbffile 1.13 of npm (js), shapelib 1.5.0 (shp), DBD::XBase 1.08 (xb). NODE_PATH is where dbffile is.
set -e
cd "$(dirname "$0")"
rm -f *.dbf
/usr/bin/python3 -W ignore -c '
import datetime
import dbf
table = dbf.Table("dbf.dbf", "NAME C(12); COUNT N(5,0); SIZE N(8,2); OPEN L; SINCE D", codepage="ascii")
table.open(dbf.READ_WRITE)
table.append(("north", 3, 2.5, True, datetime.date(1999, 12, 1)))
table.append(("south east", -40, 10.25, False, datetime.date(2004, 2, 28)))
table.append(("", None, 0, None, None))
table.close()
'
printf 'NAME,COUNT,SIZE\nnorth,3,2.5\nsouth east,-40,10.25\n' > gdal.csv
printf '"String(10)","Integer(4)","Real(7.2)"\n' > gdal.csvt
ogr2ogr -f 'ESRI Shapefile' gdal.dbf gdal.csv
rm gdal.csv gdal.csvt
dbfcreate shp.dbf -s NAME 8 -n COUNT 6 0 -n SIZE 9 3 > /dev/null
dbfadd shp.dbf north 3 2.5 > /dev/null
dbfadd shp.dbf 'south east' -40 10.25 > /dev/null
perl -MXBase -e '
my $table = XBase->create(name => "xb.dbf", field_names => [qw(NAME COUNT OPEN SINCE)], field_types => [qw(C N L D)],
    field_lengths => [20, 7, undef, undef], field_decimals => [undef, 1, undef, undef]) or die XBase->errstr;
$table->set_record(0, "north", 3, 1, "19991201");
$table->set_record(1, "south", -40.5, 0, "20040228");
$table->close;
'
node -e '
const { DBFFile } = require("dbffile");
(async () => {
    const fields = [{ name: "NAME", type: "C", size: 9 }, { name: "SIZE", type: "N", size: 9, decimalPlaces: 1 }, { name: "OPEN", type: "L", size: 1 }];
    const table = await DBFFile.create("js.dbf", fields);
    await table.appendRecords([{ NAME: "north", SIZE: 2.5, OPEN: true }, { NAME: "south", SIZE: -10.5, OPEN: false }]);
})();
'
