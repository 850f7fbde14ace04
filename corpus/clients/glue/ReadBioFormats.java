import java.io.*;
import loci.formats.FormatTools;
import loci.formats.in.TiffReader;

/** Bio-Formats: the first series, its planes or samples as channels; palettes applied. */
public class ReadBioFormats {
    public static void main(String[] args) {
        loci.common.DebugTools.setRootLevel("OFF");
        Pictures.serve(args, file -> {
            try (TiffReader reader = new TiffReader()) {
                reader.setId(file.getPath());
                int width = reader.getSizeX(), height = reader.getSizeY();
                int bytes = FormatTools.getBytesPerPixel(reader.getPixelType());
                if (bytes > 2 || FormatTools.isFloatingPoint(reader.getPixelType())) {
                    throw new IOException("samples of " + FormatTools.getPixelTypeString(reader.getPixelType()));
                }
                boolean little = reader.isLittleEndian();
                byte[] data = reader.openBytes(0);
                if (reader.isIndexed() && !reader.isFalseColor()) {
                    byte[][] table8 = reader.get8BitLookupTable();
                    short[][] table16 = table8 == null ? reader.get16BitLookupTable() : null;
                    return Pictures.pam(width, height, 3, (x, y, c) -> {
                        int index = value(data, y * width + x, bytes, little);
                        return table8 != null ? (table8[c][index] & 255) * 257 : table16[c][index] & 65535;
                    });
                }
                int channels = reader.getRGBChannelCount();
                boolean mixed = reader.isInterleaved();
                int bits = reader.getBitsPerPixel();
                double most = Math.pow(2, bits) - 1;
                return Pictures.pam(width, height, channels, (x, y, c) -> {
                    int at = mixed ? (y * width + x) * channels + c : (c * height + y) * width + x;
                    return (int) Math.round(value(data, at, bytes, little) * 65535 / most);
                });
            }
        });
    }

    static int value(byte[] data, int at, int bytes, boolean little) {
        if (bytes == 1) return data[at] & 255;
        int first = data[2 * at] & 255, second = data[2 * at + 1] & 255;
        return little ? second << 8 | first : first << 8 | second;
    }
}
