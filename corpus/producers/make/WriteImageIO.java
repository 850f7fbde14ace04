import java.io.File;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;

/** WriteImageIO PNG TIFF COMPRESSION [TILE-WIDTH TILE-HEIGHT] */
public class WriteImageIO {
    public static void main(String[] args) throws Exception {
        ImageWriter writer = ImageIO.getImageWritersByFormatName("tiff").next();
        ImageWriteParam how = writer.getDefaultWriteParam();
        if (!args[2].equals("none")) {
            how.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
            how.setCompressionType(args[2]);
        }
        if (args.length > 3) {
            how.setTilingMode(ImageWriteParam.MODE_EXPLICIT);
            how.setTiling(Integer.parseInt(args[3]), Integer.parseInt(args[4]), 0, 0);
        }
        try (var out = ImageIO.createImageOutputStream(new File(args[1]))) {
            writer.setOutput(out);
            writer.write(null, new IIOImage(ImageIO.read(new File(args[0])), null, null), how);
        }
    }
}
