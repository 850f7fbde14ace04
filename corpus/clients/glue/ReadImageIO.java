import java.io.*;
import java.util.Iterator;
import javax.imageio.*;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.stream.ImageInputStream;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** ImageIO's reader of TIFF, or else of what a file begins like: TwelveMonkeys' if it is on the class path, else Java's own. */
public class ReadImageIO {
    public static void main(String[] args) {
        ImageIO.setUseCache(false);
        Pictures.serve(args, file -> {
            try (ImageInputStream in = ImageIO.createImageInputStream(file)) {
                ImageReader reader = reader(in);
                try {
                    reader.setInput(in);
                    return Pictures.pam(reader.read(0), meant(reader.getImageMetadata(0)));
                } finally {
                    reader.dispose();
                }
            }
        });
    }

    /** The number of samples that are colours or alpha, by the metadata; 0 if they do not tell. */
    static int meant(IIOMetadata metadata) {
        if (metadata == null || !metadata.isStandardMetadataFormatSupported()) return 0;
        Element root = (Element) metadata.getAsTree("javax_imageio_1.0");
        String colours = value(root, "ColorSpaceType", "name"), alpha = value(root, "Alpha", "value");
        int first = colours.equals("RGB") ? 3 : colours.equals("GRAY") ? 1 : 0;
        return first == 0 ? 0 : first + (alpha.isEmpty() || alpha.equals("none") ? 0 : 1);
    }

    static String value(Element root, String element, String attribute) {
        NodeList all = root.getElementsByTagName(element);
        return all.getLength() == 0 ? "" : ((Element) all.item(0)).getAttribute(attribute);
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
