# An archive, as Perl's Archive::Zip reads it: a line for each file, then its content.
use strict;
use warnings;

eval { require Archive::Zip } or die "not installed: Archive::Zip\n";

sub files {
    my ($file) = @_;
    my $said = "";
    Archive::Zip::setErrorHandler(sub { $said .= join(" ", @_) });
    my $archive = Archive::Zip->new;
    $archive->read($file) == Archive::Zip::AZ_OK() or die "$said\n";
    my $out = "";
    for my $member ($archive->members) {
        my @t = localtime($member->lastModTime);
        my ($content, $status) = $member->contents;
        die "$said\n" if $status != Archive::Zip::AZ_OK();
        $out .= sprintf("%s %04d-%02d-%02d %02d:%02d:%02d %d\n", $member->fileName, $t[5] + 1900, $t[4] + 1,
            @t[3, 2, 1, 0], $member->uncompressedSize) . $content;
    }
    return $out;
}

binmode STDOUT;
$| = 1;
if (@ARGV == 2) {
    my $out = files($ARGV[0]);
    open(my $to, ">:raw", $ARGV[1]) or die "$!\n";
    print $to $out;
    exit;
}
print "ready\n";
while (my $line = <STDIN>) {
    chomp $line;
    my ($file) = $line =~ /^\S+ (.*)$/;
    my $kind = "picture";
    my $data = eval { files($file) };
    if (!defined $data) { ($kind, $data) = ("refused", $@ || "no reason") }
    print "$kind ", length($data), "\n", $data;
}
