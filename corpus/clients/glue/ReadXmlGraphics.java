import java.awt.color.ColorSpace;
import java.awt.image.*;
import java.io.*;
import org.apache.xmlgraphics.image.codec.tiff.TIFFImageDecoder;
import org.apache.xmlgraphics.image.codec.util.MemoryCacheSeekableStream;

/** The TIFF codec of Apache XML Graphics Commons, which Batik and FOP read with. */
public class ReadXmlGraphics {
    public static void main(String[] args) {
        try {
            TIFFImageDecoder decoder =
                new TIFFImageDecoder(
                    new MemoryCacheSeekableStream(new FileInputStream(args[0])), null);
            RenderedImage picture = decoder.decodeAsRenderedImage(0);
            ColorModel model = picture.getColorModel();
            WritableRaster raster =
                model.createCompatibleWritableRaster(picture.getWidth(), picture.getHeight());
            picture.copyData(raster);
            write(new BufferedImage(model, raster, model.isAlphaPremultiplied(), null), args[1]);
        } catch (Throwable e) {
            System.err.println(e);
            System.exit(1);
        }
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
