import ij.ImagePlus;
import ij.io.FileInfo;
import ij.io.Opener;
import ij.process.*;
import java.awt.image.ColorModel;
import java.awt.image.IndexColorModel;
import java.io.*;

/** ImageJ's own reader: gray of 8, 16 and 32 bits, RGB of 8; of a composite, its slices are channels. */
public class ReadImageJ {
    public static void main(String[] args) {
        Pictures.serve(args, file -> {
            File full = file.getAbsoluteFile();
            Opener opener = new Opener();
            opener.setSilentMode(true);
            ImagePlus picture = opener.openTiff(full.getParent() + File.separator, full.getName());
            if (picture == null) throw new IOException("ImageJ opens nothing");
            boolean composite = picture.getNChannels() > 1;
            // It has no alpha: a fourth slice is one more channel.
            int channels = composite ? Math.min(picture.getNChannels(), 3) : 3;
            ImageProcessor[] planes = new ImageProcessor[channels];
            for (int c = 0; c < channels; c++) {
                planes[c] = composite ? picture.getStack().getProcessor(c + 1) : picture.getProcessor();
            }
            return Pictures.pam(picture.getWidth(), picture.getHeight(), channels,
                (x, y, c) -> sample(planes[c], x, y, c, composite, picture));
        });
    }

    static int sample(ImageProcessor plane, int x, int y, int channel, boolean composite,
        ImagePlus picture) throws IOException {
        int value = plane.get(x, y);
        // Of WhiteIsZero it keeps the stored numbers, and attaches a table that inverts them.
        boolean inverted = !composite && plane.isInvertedLut();
        if (plane instanceof ShortProcessor) return inverted ? 65535 - value : value;
        if (plane instanceof ColorProcessor) return (value >> 16 - 8 * channel & 255) * 257;
        FileInfo info = picture.getOriginalFileInfo();
        int type = info == null ? -1 : info.fileType;
        if (plane instanceof FloatProcessor && (type == FileInfo.GRAY32_UNSIGNED || type == FileInfo.GRAY32_INT)) {
            // It keeps the numbers of 32 bits as they are, and takes some for signed.
            double stored = plane.getf(x, y);
            double number = stored < 0 ? stored + 4294967296.0 : stored;
            int level = (int) Math.min(number / 4294967295.0 * 65535 + 0.5, 65535);
            return inverted ? 65535 - level : level;
        }
        if (!(plane instanceof ByteProcessor)) {
            throw new Pictures.GlueFailure("samples of " + plane.getClass() + ", type " + type);
        }
        // A palette or an inverting table is how ImageJ shows the bytes.
        ColorModel model = plane.getColorModel();
        if (composite || !(model instanceof IndexColorModel)) return value * 257;
        return (model.getRGB(value) >> 16 - 8 * channel & 255) * 257;
    }
}
