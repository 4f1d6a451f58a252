<?php
// PHP SoapClient with a SoapHeader of WS-Security: `secured.php WSDL BINDING KIND PASSWORD`.
declare(strict_types=1);

const WSS = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-';
const WSSE = WSS . 'wssecurity-secext-1.0.xsd';

[, $location, $binding, $kind, $password] = $argv;
$client = new SoapClient($location, [
    'soap_version' => $binding === 'soap12' ? SOAP_1_2 : SOAP_1_1,
    'cache_wsdl' => WSDL_CACHE_NONE,
]);
if ($kind !== 'none') {
    $nonce = random_bytes(16);
    $created = gmdate('Y-m-d\TH:i:s\Z');
    $sent = $kind === 'digest' ? base64_encode(sha1($nonce . $created . $password, true)) : $password;
    $type = WSS . 'username-token-profile-1.0#Password' . ucfirst($kind);
    $xml = '<wsse:Security xmlns:wsse="' . WSSE . '" xmlns:wsu="' . WSS . 'wssecurity-utility-1.0.xsd"><wsse:UsernameToken>'
        . '<wsse:Username>ann</wsse:Username><wsse:Password Type="' . $type . '">' . htmlspecialchars($sent) . '</wsse:Password>'
        . '<wsse:Nonce>' . base64_encode($nonce) . '</wsse:Nonce><wsu:Created>' . $created . '</wsu:Created>'
        . '</wsse:UsernameToken></wsse:Security>';
    $client->__setSoapHeaders(new SoapHeader(WSSE, 'Security', new SoapVar($xml, XSD_ANYXML), true));
}
try {
    $answer = $client->Store(['text' => 'hello']);
    echo 'result ', $answer->StoreResult, "\n";
} catch (SoapFault $fault) {
    echo 'fault ', $fault->faultstring, "\n";
}
