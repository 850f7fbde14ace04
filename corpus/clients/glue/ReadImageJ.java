import ij.ImagePlus;
import ij.io.Opener;
import ij.process.*;
import java.io.*;

/** ImageJ's own reader: 8 and 16 bits gray, RGB of 8 bits; of a stack, its slices are channels. */
public class ReadImageJ {
    public static void main(String[] args) {
        try {
            File file = new File(args[0]).getAbsoluteFile();
            Opener opener = new Opener();
            opener.setSilentMode(true);
            ImagePlus picture = opener.openTiff(file.getParent() + File.separator, file.getName());
            if (picture == null) throw new IOException("ImageJ opens nothing");
            write(picture, args[1]);
            System.exit(0);
        } catch (Throwable e) {
            System.err.println(e);
            System.exit(1);
        }
    }

    /** PAM with 16 bits a sample. */
    static void write(ImagePlus picture, String file) throws IOException {
        int width = picture.getWidth(), height = picture.getHeight();
        boolean composite = picture.getNChannels() > 1;
        int channels = composite ? Math.min(picture.getNChannels(), 4) : 3;
        ImageProcessor[] planes = new ImageProcessor[channels];
        for (int c = 0; c < channels; c++) {
            planes[c] = composite ? picture.getStack().getProcessor(c + 1) : picture.getProcessor();
        }
        try (DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(new FileOutputStream(file)))) {
            out.writeBytes("P7\nWIDTH " + width + "\nHEIGHT " + height + "\nDEPTH " + channels
                + "\nMAXVAL 65535\nENDHDR\n");
            for (int y = 0; y < height; y++) {
                for (int x = 0; x < width; x++) {
                    for (int c = 0; c < channels; c++) out.writeShort(sample(planes[c], x, y, c, composite));
                }
            }
        }
    }

    static int sample(ImageProcessor plane, int x, int y, int channel, boolean composite) throws IOException {
        int value = plane.get(x, y);
        if (plane instanceof ShortProcessor) return value;
        if (plane instanceof ColorProcessor) return (value >> 16 - 8 * channel & 255) * 257;
        if (!(plane instanceof ByteProcessor)) throw new IOException("samples of " + plane.getClass());
        // A palette or an inverting table is how ImageJ shows the bytes.
        java.awt.image.ColorModel model = plane.getColorModel();
        if (composite || !(model instanceof java.awt.image.IndexColorModel)) return value * 257;
        return (model.getRGB(value) >> 16 - 8 * channel & 255) * 257;
    }
}
