#!/usr/bin/env perl
# Perl SOAP::Lite: SOAP 1.1 and SOAP 1.2.
use strict;
use warnings;
use JSON::PP;
use MIME::Base64 qw(decode_base64);
use SOAP::Lite;

my ($binding, $authenticator, $device) = @ARGV;
# A version set on one client is half forgotten by the next, because most of it is global.
SOAP::Lite->soapversion($binding eq 'soap12' ? '1.2' : '1.1');

my %locations = (Authenticator => $authenticator, DeviceLoginService => $device);
my %clients = map { $_ => client($_, wsdl_text($locations{$_})) } keys %locations;
my $json = JSON::PP->new->utf8->canonical->allow_nonref;
$| = 1;

while (my $line = <STDIN>) {
    my ($service, $operation, $arguments) = @{ $json->decode($line) };
    my $answer = eval { call($clients{$service}, $operation, $arguments) };
    $answer = { error => "$@" } unless defined $answer;
    print $json->encode($answer), "\n";
}

# SOAP::Lite cannot follow the schemas of document/literal services: its users take the address from the WSDL and write the rest.
sub client {
    my ($service, $wsdl) = @_;
    my ($address) = $wsdl =~ /<soap:address location="([^"]+)"/ or die "no address in the WSDL";
    my ($namespace) = $wsdl =~ /targetNamespace="([^"]+)"/ or die "no namespace in the WSDL";
    my $client = SOAP::Lite->new;
    $client->proxy($address);
    $client->on_action(sub { "\"$namespace/$_[1]\"" });
    $client->on_fault(sub { ref $_[1] ? $_[1] : die $client->transport->status . "\n" });
    $client->default_ns($namespace);
    return $client;
}

sub wsdl_text {
    my ($location) = @_;
    if ($location =~ m{^http://}) {
        require LWP::UserAgent;
        return LWP::UserAgent->new->get($location)->decoded_content;
    }
    open my $file, '<:encoding(UTF-8)', $location or die "$location: $!";
    local $/;
    return <$file>;
}

sub call {
    my ($client, $operation, $arguments) = @_;
    my @present;
    for my $name (sort keys %$arguments) {
        my $value = $arguments->{$name};
        next unless defined $value;
        push @present,
            JSON::PP::is_bool($value) ? SOAP::Data->name($name)->type('boolean')->value($value ? 'true' : 'false')
          : ref $value                ? SOAP::Data->name($name)->type('base64Binary')->value(decode_base64($value->{base64}))
          :                             SOAP::Data->name($name)->type('string')->value($value);
    }
    my $answer = $client->call($operation, @present);
    if ($answer->match('//Body/Fault')) {
        my $code = $answer->valueof('//Fault/faultcode') // $answer->valueof('//Fault/Code/Value');
        my $text = $answer->valueof('//Fault/faultstring') // $answer->valueof('//Fault/Reason/Text');
        return { fault => { code => $code, text => $text } };
    }
    return { result => $answer->result };
}
