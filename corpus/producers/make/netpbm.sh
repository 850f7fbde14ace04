# Netpbm (Debian: netpbm).
version 'pamtotiff -version'
write() {
    make "$1" "pamtotiff $3 -output out.tif in/$2"
}
write bilevel-g3-2d-fill bilevel.pbm '-g3 -2d -fill'
write bilevel-g4 bilevel.pbm '-g4 -miniswhite'
write gray-flate gray.pgm '-flate -rowsperstrip=4'
write palette2 palette2.ppm '-lzw -indexbits=2'
write palette4 palette4.ppm '-none -indexbits=4'
write rgb-adobe-flate rgb.ppm '-adobeflate -truecolor'
write rgba rgba.pam '-packbits -truecolor'
