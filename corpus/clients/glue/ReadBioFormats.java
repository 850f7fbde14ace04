import java.io.*;
import loci.formats.FormatTools;
import loci.formats.in.TiffReader;
import loci.formats.tiff.IFD;

/** Bio-Formats: the first plane of the first series, at full depth; palettes applied. */
public class ReadBioFormats {
    public static void main(String[] args) {
        loci.common.DebugTools.setRootLevel("OFF");
        Pictures.serve(args, file -> {
            try (TiffReader reader = new TiffReader()) {
                reader.setId(file.getPath());
                int width = reader.getSizeX(), height = reader.getSizeY();
                int type = reader.getPixelType(), bytes = FormatTools.getBytesPerPixel(type);
                if (FormatTools.isFloatingPoint(type) || FormatTools.isSigned(type)) {
                    throw new Pictures.GlueFailure("samples of " + FormatTools.getPixelTypeString(type));
                }
                boolean little = reader.isLittleEndian();
                byte[] data = reader.openBytes(0);
                if (reader.isIndexed() && !reader.isFalseColor()) {
                    byte[][] table8 = reader.get8BitLookupTable();
                    short[][] table16 = table8 == null ? reader.get16BitLookupTable() : null;
                    return Pictures.pam(width, height, 3, (x, y, c) -> {
                        int index = (int) value(data, y * width + x, bytes, little);
                        return table8 != null ? (table8[c][index] & 255) * 257 : table16[c][index] & 65535;
                    });
                }
                int channels = reader.getRGBChannelCount();
                int meant = meant(reader.getIFDs().get(0));
                boolean mixed = reader.isInterleaved();
                int bits = reader.getBitsPerPixel();
                double most = Math.pow(2, bits) - 1;
                return Pictures.pam(width, height, Math.min(channels, meant), (x, y, c) -> {
                    int at = mixed ? (y * width + x) * channels + c : (c * height + y) * width + x;
                    return (int) Math.round(value(data, at, bytes, little) * 65535.0 / most);
                });
            }
        });
    }

    static long value(byte[] data, int at, int bytes, boolean little) {
        long value = 0;
        for (int k = 0; k < bytes; k++) {
            value = value << 8 | data[bytes * at + (little ? bytes - 1 - k : k)] & 255;
        }
        return value;
    }

    /** The number of samples that are colours or alpha: it gives all samples, and the tags. */
    static int meant(IFD page) {
        Object photometric = page.getIFDValue(IFD.PHOTOMETRIC_INTERPRETATION);
        Object extra = page.getIFDValue(IFD.EXTRA_SAMPLES);
        int first = extra instanceof short[] ? ((short[]) extra)[0]
            : extra instanceof int[] ? ((int[]) extra)[0]
            : extra instanceof Number ? ((Number) extra).intValue() : 0;
        boolean rgb = photometric instanceof Number && ((Number) photometric).intValue() == 2;
        return (rgb ? 3 : 1) + (first != 0 ? 1 : 0);
    }
}
