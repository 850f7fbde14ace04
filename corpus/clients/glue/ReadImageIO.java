import java.io.*;
import java.util.Iterator;
import javax.imageio.*;
import javax.imageio.stream.ImageInputStream;

/** ImageIO's TIFF reader: TwelveMonkeys' if it is on the class path, else Java's own. */
public class ReadImageIO {
    public static void main(String[] args) {
        ImageIO.setUseCache(false);
        Pictures.serve(args, file -> {
            ImageReader reader = reader();
            try (ImageInputStream in = ImageIO.createImageInputStream(file)) {
                reader.setInput(in);
                return Pictures.pam(reader.read(0));
            } finally {
                reader.dispose();
            }
        });
    }

    static ImageReader reader() throws IOException {
        ImageReader found = null;
        Iterator<ImageReader> all = ImageIO.getImageReadersByFormatName("tiff");
        while (all.hasNext()) {
            ImageReader reader = all.next();
            if (found == null || reader.getClass().getName().contains("twelvemonkeys")) found = reader;
        }
        if (found == null) throw new IOException("no TIFF reader");
        return found;
    }
}
