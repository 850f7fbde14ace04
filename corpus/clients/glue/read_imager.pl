# Imager for Perl, at full depth, as PAM.
use strict;
use warnings;

eval { require Imager; 1 } or do { print STDERR "not installed: Imager\n"; exit 1 };

my ($in, $out) = @ARGV;
my $picture = Imager->new(file => $in, filetype => 'tiff')
    or do { print STDERR Imager->errstr, "\n"; exit 1 };
my ($width, $height, $channels) =
    ($picture->getwidth, $picture->getheight, $picture->getchannels);
open my $file, '>:raw', $out or die "$out: $!";
print $file "P7\nWIDTH $width\nHEIGHT $height\nDEPTH $channels\nMAXVAL 65535\nENDHDR\n";
for my $y (0 .. $height - 1) {
    # Samples from 0 to 1, exact for 8 and for 16 bits.
    my @row = $picture->getsamples(y => $y, type => 'float', channels => [ 0 .. $channels - 1 ]);
    print $file pack('n*', map { int($_ * 65535 + 0.5) } @row);
}
close $file or die "$out: $!";
