import java.awt.image.*;
import java.io.*;
import org.apache.xmlgraphics.image.codec.tiff.TIFFImageDecoder;
import org.apache.xmlgraphics.image.codec.util.MemoryCacheSeekableStream;

/** The TIFF codec of Apache XML Graphics Commons, which Batik and FOP read with. */
public class ReadXmlGraphics {
    public static void main(String[] args) {
        Pictures.serve(args, file -> {
            try (InputStream in = new FileInputStream(file)) {
                TIFFImageDecoder decoder = new TIFFImageDecoder(new MemoryCacheSeekableStream(in), null);
                RenderedImage picture = decoder.decodeAsRenderedImage(0);
                ColorModel model = picture.getColorModel();
                WritableRaster raster =
                    model.createCompatibleWritableRaster(picture.getWidth(), picture.getHeight());
                picture.copyData(raster);
                return Pictures.pam(new BufferedImage(model, raster, model.isAlphaPremultiplied(), null));
            }
        });
    }
}
