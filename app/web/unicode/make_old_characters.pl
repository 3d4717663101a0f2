#!/usr/bin/perl
# Writes old_decompositions.inc, old_classes.inc and old_seconds.inc: what Unicode 9 normalizes, as the tokenizers of the
# reference do. Newer characters are not there, whatever the browser knows of them. Usage: perl make_old_characters.pl
use strict;
use warnings;
use Unicode::Normalize qw(NFD NFKD getCombinClass);

# ranges(NAME, VALUE) writes {first, last, value} into NAME for each run of characters for which VALUE gives the same
# number, not 0.
sub ranges {
  my ($name, $value) = @_;
  open my $file, '>', $name or die "$name: $!";
  my ($first, $last, $old) = (0, -2, 0);
  my $print = sub { printf $file "{0x%X, 0x%X, %d},\n", $first, $last, $old if $old };
  for my $c (0x80 .. 0xD7FF, 0xE000 .. 0x10FFFF) {
    my $new = chr($c) =~ /\p{Present_In: 9.0}/ ? $value->($c) : 0;
    if ($new != $old || $c != $last + 1) {
      $print->();
      ($first, $old) = ($c, $new);
    }
    $last = $c;
  }
  $print->();
}

# Second parts of what is composed: marks, and the vowels and finals of Hangul.
my %second;
for my $c (0x80 .. 0xD7FF, 0xE000 .. 0x10FFFF) {
  my $parts = NFD(chr $c);
  $second{ord substr $parts, $_, 1} = 1 for 1 .. length($parts) - 1;
}

# 2: canonically; 1: only for compatibility.
ranges('old_decompositions.inc', sub { NFD(chr $_[0]) ne chr $_[0] ? 2 : NFKD(chr $_[0]) ne chr $_[0] ? 1 : 0 });
ranges('old_classes.inc', sub { getCombinClass($_[0]) });
ranges('old_seconds.inc', sub { $second{$_[0]} // 0 });
