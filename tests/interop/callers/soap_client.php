<?php
// PHP SoapClient: SOAP 1.1 and SOAP 1.2.
declare(strict_types=1);

[, $binding, $authenticator, $device] = $argv;
$options = [
    'soap_version' => $binding === 'soap12' ? SOAP_1_2 : SOAP_1_1,
    'features' => SOAP_SINGLE_ELEMENT_ARRAYS,
    'cache_wsdl' => WSDL_CACHE_NONE,
    'exceptions' => true,
];
$clients = [
    'Authenticator' => new SoapClient($authenticator, $options),
    'DeviceLoginService' => new SoapClient($device, $options),
];

while (($line = fgets(STDIN)) !== false) {
    [$service, $operation, $arguments] = json_decode($line, true);
    $present = [];
    foreach ($arguments as $name => $value) {
        if ($value !== null) {
            $present[$name] = is_array($value) ? base64_decode($value['base64']) : $value;
        }
    }
    try {
        $result = $clients[$service]->__soapCall($operation, [$present]);
        $answer = ['result' => plain($result->{$operation . 'Result'} ?? null)];
    } catch (SoapFault $fault) {
        $answer = ['fault' => ['code' => $fault->faultcode, 'text' => $fault->faultstring]];
    } catch (Throwable $error) {
        $answer = ['error' => $error->getMessage()];
    }
    echo json_encode($answer, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE), "\n";
}

// SoapClient decodes base64Binary itself; JSON carries it encoded.
function plain(mixed $value, string $field = ''): mixed
{
    if (is_object($value)) {
        $fields = [];
        foreach (get_object_vars($value) as $name => $item) {
            $fields[$name] = plain($item, $name);
        }
        return (object) $fields;
    }
    if (is_array($value)) {
        return array_map(fn ($item) => plain($item), $value);
    }
    return $field === 'EncryptedPassword' && is_string($value) ? base64_encode($value) : $value;
}
