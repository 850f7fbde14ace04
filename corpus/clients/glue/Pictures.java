import java.awt.color.ColorSpace;
import java.awt.image.*;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;

/** What the Java clients share: how they are asked for pictures, and how they write them. */
final class Pictures {
    /** Makes a PAM file of a picture file. */
    interface Reader {
        byte[] read(File file) throws Exception;
    }

    /** The library has read the file, but the glue cannot say what its result means. */
    static final class GlueFailure extends IOException {
        GlueFailure(String why) {
            super(why);
        }
    }

    private static String words(Throwable e) {
        return e instanceof GlueFailure ? "glue: " + e.getMessage() : e.toString();
    }

    /** Serves one file if two are named, else, as a worker, what standard input asks for. */
    static void serve(String[] args, Reader reader) {
        try {
            if (args.length == 2) {
                Files.write(Paths.get(args[1]), reader.read(new File(args[0])));
            } else {
                work(reader);
            }
            System.exit(0);
        } catch (Throwable e) {
            System.err.println(words(e));
            System.exit(1);
        }
    }

    private static void work(Reader reader) throws IOException {
        OutputStream answers = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out));
        // Libraries print.
        System.setOut(System.err);
        BufferedReader requests =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        answers.write("ready\n".getBytes());
        answers.flush();
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            String kind = "picture ";
            byte[] data;
            try {
                data = reader.read(new File(line.substring(line.indexOf(' ') + 1)));
            } catch (Throwable e) {
                kind = "refused ";
                data = words(e).getBytes(StandardCharsets.UTF_8);
            }
            answers.write((kind + data.length + "\n").getBytes());
            answers.write(data);
            answers.flush();
        }
    }

    /** A sample from 0 to 65535. */
    interface Sample {
        int at(int x, int y, int channel) throws IOException;
    }

    /** PAM with 16 bits a sample. */
    static byte[] pam(int width, int height, int channels, Sample sample) throws IOException {
        if (channels < 1 || channels > 4) throw new GlueFailure(channels + " samples a pixel");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeBytes("P7\nWIDTH " + width + "\nHEIGHT " + height + "\nDEPTH " + channels
            + "\nMAXVAL 65535\nENDHDR\n");
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                for (int c = 0; c < channels; c++) out.writeShort(sample.at(x, y, c));
            }
        }
        return bytes.toByteArray();
    }

    static byte[] pam(BufferedImage picture) throws IOException {
        return pam(picture, 0);
    }

    /** `meant`: the number of colours and alpha, if the colour model does not know colours. */
    static byte[] pam(BufferedImage picture, int meant) throws IOException {
        ColorModel model = picture.getColorModel();
        int type = model.getColorSpace().getType();
        // getRGB() manages colours: it bends gray. So take the samples wherever they are plain.
        boolean plain = !(model instanceof IndexColorModel) && !(model instanceof PackedColorModel)
            && (type == ColorSpace.TYPE_GRAY || type == ColorSpace.TYPE_RGB);
        int width = picture.getWidth(), height = picture.getHeight();
        boolean colours = plain || type == ColorSpace.TYPE_RGB;
        if (!colours && meant == 0) throw new GlueFailure("colours of type " + type);
        if (colours && !plain) {
            int[] shifts = {16, 8, 0, 24};
            return pam(width, height, 4, (x, y, c) -> (picture.getRGB(x, y) >> shifts[c] & 255) * 257);
        }
        Raster raster = picture.getRaster();
        // Colours, then alpha: other samples mean nothing.
        int known = model.getNumColorComponents() + (model.hasAlpha() ? 1 : 0);
        int channels = colours ? known : meant;
        if (channels > raster.getNumBands()) throw new GlueFailure(raster.getNumBands() + " bands");
        int kind = raster.getTransferType();
        double[] most = new double[channels];
        for (int c = 0; c < channels; c++) {
            boolean real = kind == DataBuffer.TYPE_FLOAT || kind == DataBuffer.TYPE_DOUBLE;
            most[c] = real ? 1 : Math.pow(2, model.getComponentSize(c)) - 1;
        }
        return pam(width, height, channels, (x, y, c) -> {
            double value = kind == DataBuffer.TYPE_INT
                ? raster.getSample(x, y, c) & 0xffffffffL // Java has no unsigned numbers.
                : raster.getSampleDouble(x, y, c);
            return (int) Math.round(Math.min(Math.max(value / most[c], 0), 1) * 65535);
        });
    }
}
