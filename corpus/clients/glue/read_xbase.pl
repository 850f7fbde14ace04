# A table of dBASE, as DBD::XBase reads it: a line of names, then a line for each record.
use strict;
use warnings;

eval { require XBase } or die "not installed: DBD::XBase\n";

sub table {
    my ($file) = @_;
    my $table = XBase->new(name => $file, ignorememo => 1) or die XBase->errstr;
    my @types = $table->field_types;
    my @decimals = $table->field_decimals;
    my $out = join("\t", $table->field_names) . "\n";
    for my $k (0 .. $table->last_record) {
        my ($deleted, @values) = $table->get_record($k);
        die $table->errstr unless defined $deleted;
        next if $deleted;
        for my $f (0 .. $#values) {
            if (!defined $values[$f]) { $values[$f] = "" }
            elsif ($types[$f] eq "N") { $values[$f] = sprintf("%.*f", $decimals[$f], $values[$f]) if $values[$f] ne "" }
            elsif ($types[$f] eq "L") { $values[$f] = $values[$f] ? "T" : "F" }
            else { $values[$f] =~ s/ +$// }
        }
        $out .= join("\t", @values) . "\n";
    }
    $table->close;
    return $out;
}

binmode STDOUT;
$| = 1;
if (@ARGV == 2) {
    my $out = table($ARGV[0]);
    open(my $to, ">:raw", $ARGV[1]) or die "$!\n";
    print $to $out;
    exit;
}
print "ready\n";
while (my $line = <STDIN>) {
    chomp $line;
    my ($file) = $line =~ /^\S+ (.*)$/;
    my $kind = "picture";
    my $data = eval { table($file) };
    if (!defined $data) { ($kind, $data) = ("refused", $@ || "no reason") }
    print "$kind ", length($data), "\n", $data;
}
