<?php
// PHP SoapServer with both fixture services, SOAP 1.1 and SOAP 1.2 by the envelope. The answers come from the rules' own server.
// For `php -S`: the environment names the rules' server (RULES) and the folder of the WSDL documents (WSDLS).
declare(strict_types=1);

final class Handler
{
    public function __construct(private string $service) {}

    public function __call(string $operation, array $arguments): mixed
    {
        $sent = get_object_vars($arguments[0] ?? new stdClass());
        if (isset($sent['encryptedPassword'])) {
            // SoapServer has decoded it.
            $sent['encryptedPassword'] = ['base64' => base64_encode($sent['encryptedPassword'])];
        }
        $question = json_encode([$this->service, $operation, (object) $sent], JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE);
        $context = stream_context_create(['http' => ['method' => 'POST', 'content' => $question]]);
        $answer = json_decode(file_get_contents(getenv('RULES'), false, $context), false, 512, JSON_THROW_ON_ERROR);
        if (isset($answer->fault)) {
            return new SoapFault('Server', $answer->fault);
        }
        return (object) array_filter([$operation . 'Result' => plain($answer->result)], fn ($value) => $value !== null);
    }
}

// Absent fields are left out, bytes decoded: SoapServer encodes them again.
function plain(mixed $value): mixed
{
    if (is_array($value)) {
        return array_map(plain(...), $value);
    }
    if (!is_object($value)) {
        return $value;
    }
    if (isset($value->base64)) {
        return base64_decode($value->base64);
    }
    return (object) array_map(plain(...), array_filter(get_object_vars($value), fn ($field) => $field !== null));
}

foreach (['Authenticator', 'DeviceLoginService'] as $service) {
    if (str_ends_with(strtok($_SERVER["REQUEST_URI"], "?"), "/$service.asmx")) {
        $twelve = str_starts_with($_SERVER['CONTENT_TYPE'] ?? '', 'application/soap+xml');
        $options = ['soap_version' => $twelve ? SOAP_1_2 : SOAP_1_1, 'cache_wsdl' => WSDL_CACHE_NONE];
        $server = new SoapServer(getenv('WSDLS') . "/$service.wsdl", $options);
        $server->setObject(new Handler($service));
        $server->handle();
        return;
    }
}
http_response_code(404);
