import java.io.*;
import java.time.*;
import java.time.format.DateTimeFormatter;
import java.util.*;
import java.util.zip.*;

/** Java's ZipFile: a line for each file in an archive, then its content. */
public class ReadZip {
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    public static void main(String[] args) {
        Pictures.serve(args, file -> {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (ZipFile archive = new ZipFile(file)) {
                for (ZipEntry entry : Collections.list(archive.entries())) {
                    String line = entry.getName() + " " + DATE.format(entry.getTimeLocal()) + " "
                        + entry.getSize() + "\n";
                    out.write(line.getBytes("UTF-8"));
                    out.write(archive.getInputStream(entry).readAllBytes());
                }
            }
            return out.toByteArray();
        });
    }
}
