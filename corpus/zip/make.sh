#!/bin/sh
# Makes the seeds of ZIP from three files, by the programs that their names begin with: 7-Zip 26.02 (7z), Go 1.19
# (go), Java 17 (java), Python 3.11 (py), Info-ZIP's zip 3.0 (zip).
set -e
export TZ=UTC
cd "$(dirname "$0")"
here=$PWD
rm -f ./*.zip
made=$(mktemp -d)
cd "$made"
mkdir folder
printf 'one line\n' > a.txt
seq 100 160 > folder/numbers
: > folder/empty
chmod 644 a.txt folder/*
touch -d @951782400 a.txt folder/*
files='a.txt folder/numbers folder/empty'
zip -qX "$here/zip.zip" $files
zip -qX0 "$here/zip0.zip" $files
7z a -tzip -mtm=off -mtc=off -mta=off -mx=9 "$here/7z.zip" $files > /dev/null
/usr/bin/python3 -c '
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as out:
    for name in sys.argv[2:]:
        out.write(name, compresslevel=1)
' "$here/py.zip" $files
cat > Make.java <<'JAVA'
import java.io.*;
import java.nio.file.*;
import java.util.zip.*;
public class Make {
    public static void main(String[] args) throws IOException {
        try (ZipOutputStream out = new ZipOutputStream(new FileOutputStream(args[0]))) {
            for (int k = 1; k < args.length; k++) {
                ZipEntry entry = new ZipEntry(args[k]);
                entry.setTime(951782400000L);
                out.putNextEntry(entry);
                Files.copy(Paths.get(args[k]), out);
            }
        }
    }
}
JAVA
java -Duser.timezone=UTC Make.java "$here/java.zip" $files
cat > make.go <<'GO'
package main
import ("archive/zip"; "os")
func main() {
	file, err := os.Create(os.Args[1])
	if err != nil { panic(err) }
	out := zip.NewWriter(file)
	for _, name := range os.Args[2:] {
		header := &zip.FileHeader{Name: name, Method: zip.Deflate, ModifiedDate: 10333, ModifiedTime: 0}
		to, err := out.CreateHeader(header)
		if err != nil { panic(err) }
		content, err := os.ReadFile(name)
		if err != nil { panic(err) }
		to.Write(content)
	}
	out.Close()
	file.Close()
}
GO
go run make.go "$here/go.zip" $files
rm -r "$made"
