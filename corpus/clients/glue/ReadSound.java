import java.io.*;
import javax.sound.sampled.*;

/** Java's sound API: samples as signed integers of 32 bits, the least significant byte first. */
public class ReadSound {
    public static void main(String[] args) {
        Pictures.serve(args, file -> {
            try (AudioInputStream in = AudioSystem.getAudioInputStream(file)) {
                AudioFormat format = in.getFormat();
                int size = (format.getSampleSizeInBits() + 7) / 8;
                if (format.getEncoding() != AudioFormat.Encoding.PCM_SIGNED) {
                    throw new Pictures.GlueFailure("encoding " + format.getEncoding());
                }
                byte[] stored = in.readAllBytes();
                byte[] out = new byte[stored.length / size * 4];
                for (int k = 0; k < stored.length / size; k++) {
                    for (int b = 0; b < size; b++) {
                        int at = format.isBigEndian() ? size - 1 - b : b;
                        out[4 * k + 4 - size + b] = stored[size * k + at];
                    }
                }
                return out;
            }
        });
    }
}
