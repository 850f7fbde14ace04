import java.io.*;
import java.util.Iterator;
import javax.imageio.*;
import javax.imageio.stream.ImageInputStream;

/** ImageIO's reader of TIFF, or else of what a file begins like: TwelveMonkeys' if it is on the class path, else Java's own. */
public class ReadImageIO {
    public static void main(String[] args) {
        ImageIO.setUseCache(false);
        Pictures.serve(args, file -> {
            try (ImageInputStream in = ImageIO.createImageInputStream(file)) {
                ImageReader reader = reader(in);
                try {
                    reader.setInput(in);
                    return Pictures.pam(reader.read(0));
                } finally {
                    reader.dispose();
                }
            }
        });
    }

    static ImageReader reader(ImageInputStream in) throws IOException {
        byte[] start = new byte[2];
        in.mark();
        in.read(start);
        in.reset();
        boolean other = (start[0] != 'I' || start[1] != 'I') && (start[0] != 'M' || start[1] != 'M');
        ImageReader found = null;
        Iterator<ImageReader> all = other ? ImageIO.getImageReaders(in) : ImageIO.getImageReadersByFormatName("tiff");
        while (all.hasNext()) {
            ImageReader reader = all.next();
            if (found == null || reader.getClass().getName().contains("twelvemonkeys")) found = reader;
        }
        if (found == null) throw new IOException("no reader");
        return found;
    }
}
