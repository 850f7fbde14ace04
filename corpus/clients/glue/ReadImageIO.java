import java.awt.color.ColorSpace;
import java.awt.image.*;
import java.io.*;
import java.util.Iterator;
import javax.imageio.*;
import javax.imageio.stream.ImageInputStream;

/** ImageIO's TIFF reader: TwelveMonkeys' if it is on the class path, else Java's own. */
public class ReadImageIO {
    public static void main(String[] args) {
        try {
            ImageIO.setUseCache(false);
            try (ImageInputStream in = ImageIO.createImageInputStream(new File(args[0]))) {
                ImageReader reader = reader();
                reader.setInput(in);
                write(reader.read(0), args[1]);
            }
        } catch (Throwable e) {
            System.err.println(e);
            System.exit(1);
        }
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

    /** PAM with 16 bits a sample. */
    static void write(BufferedImage picture, String file) throws IOException {
        int width = picture.getWidth(), height = picture.getHeight();
        ColorModel model = picture.getColorModel();
        int type = model.getColorSpace().getType();
        // getRGB() manages colours: it bends gray. So take the samples wherever they are plain.
        boolean plain = !(model instanceof IndexColorModel) && !(model instanceof PackedColorModel)
            && (type == ColorSpace.TYPE_GRAY || type == ColorSpace.TYPE_RGB);
        Raster raster = picture.getRaster();
        int channels = plain ? raster.getNumBands() : 4;
        if (channels > 4) throw new IOException(channels + " samples a pixel");
        try (DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(new FileOutputStream(file)))) {
            out.writeBytes("P7\nWIDTH " + width + "\nHEIGHT " + height + "\nDEPTH " + channels
                + "\nMAXVAL 65535\nENDHDR\n");
            for (int y = 0; y < height; y++) {
                for (int x = 0; x < width; x++) {
                    if (plain) {
                        for (int c = 0; c < channels; c++) {
                            double most = Math.pow(2, model.getComponentSize(c)) - 1;
                            out.writeShort((int) Math.round(raster.getSampleDouble(x, y, c) * 65535 / most));
                        }
                    } else {
                        int argb = picture.getRGB(x, y);
                        for (int shift : new int[] {16, 8, 0, 24}) out.writeShort((argb >> shift & 255) * 257);
                    }
                }
            }
        }
    }
}
