#!/usr/bin/env perl
# Perl SOAP::Lite with attachments, in base64 and in quoted-printable: `attached.pl URL BINDING LENGTH`.
# In binary, SOAP::Lite writes the bytes in UTF-8.
use strict;
use warnings;
use MIME::Entity;
use SOAP::Lite;

my ($url, $binding, $length) = @ARGV;
SOAP::Lite->soapversion($binding eq 'soap12' ? '1.2' : '1.1');
my $bytes = join '', map { chr($_ * 7 % 251) } 0 .. $length - 1;

sub is_turned {
    my ($encoding) = @_;
    my $scan = MIME::Entity->build(Type => 'application/x-scan', Encoding => $encoding, Data => [$bytes], Id => '<scan@perl>');
    my $client = SOAP::Lite->new->proxy($url)->default_ns('urn:example:scans')->on_action(sub { '"urn:example:scans/Turn"' })->parts([$scan]);
    my @parameters = (SOAP::Data->name(reference => 'cid:scan@perl')->type(''), SOAP::Data->name(data => 'AQID')->type(''));
    my $answer = $client->call('Turn', @parameters);
    die $answer->faultstring if $answer->fault;
    my @parts = @{ $answer->parts };
    return
        @parts == 1
        && 'cid:' . $parts[0]->head->get('Content-ID') =~ s/[<>\s]//gr eq $answer->valueof('//Reference')
        && $parts[0]->mime_type eq 'application/x-scan'
        && $parts[0]->bodyhandle->as_string eq reverse($bytes)
        && $answer->valueof('//Data') eq 'AQID';
}

my $is_turned = is_turned('base64') && is_turned('quoted-printable');
print $is_turned ? "result turned $length\n" : "error other bytes came back\n";
