# LibreOffice (Debian: libreoffice-draw). It exports pages, so it draws one of its own.
version 'soffice --version'
for size in 42x59 90x127; do
    make "page-$size" "soffice --headless --convert-to 'tiff:draw_tif_Export:{\"PixelWidth\":{\"type\":\"long\",\"value\":\"${size%x*}\"},\"PixelHeight\":{\"type\":\"long\",\"value\":\"${size#*x}\"}}' page.fodg && mv page.tiff out.tif"
done
