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
                // Nothing can draw such a picture; in a raster of the model, samples would be pixels.
                if (!model.isCompatibleSampleModel(picture.getSampleModel())) {
                    throw new IOException("the color model does not fit the samples of a pixel");
                }
                WritableRaster raster =
                    model.createCompatibleWritableRaster(picture.getWidth(), picture.getHeight());
                picture.copyData(raster);
                return Pictures.pam(new BufferedImage(model, raster, model.isAlphaPremultiplied(), null));
            }
        });
    }
}
