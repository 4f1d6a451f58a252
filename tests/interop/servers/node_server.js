// npm soap's server with both fixture services, SOAP 1.1 or SOAP 1.2. The answers come from the rules' own server.
// node_server.js BINDING RULES WSDLS
'use strict';

const fs = require('fs');
const http = require('http');
const soap = require('soap');

const [binding, rules, wsdls] = process.argv.slice(2);
const paths = {
  Authenticator: '/SvcDotNet/Authenticator.asmx',
  DeviceLoginService: '/SvcDotNet/Mobile/Services/DeviceLoginService.asmx',
};
const operations = {
  Authenticator: ['ClientAuthWithResult', 'Login'],
  DeviceLoginService: ['Login', 'LoginWithEncryptedPassword', 'EmailPassword', 'TestConnection', 'Logout', 'NoOp'],
};

const items = { NewsSearchSourceTypes: 'SearchSourceType', Capabilities: 'int' };

async function answer(service, operation, parameters) {
  const sent = {};
  for (const [name, value] of Object.entries(parameters || {})) {
    sent[name] = name === 'encryptedPassword' ? { base64: value } : value;
  }
  const response = await fetch(rules, { method: 'POST', body: JSON.stringify([service, operation, sent]) });
  const { fault, result } = await response.json();
  if (fault !== undefined) throw makeFault(fault);
  return result === null ? {} : { [operation + 'Result']: written(result) };
}

function makeFault(text) {
  const twelve = { Code: { Value: 'soap:Receiver' }, Reason: { Text: text }, statusCode: 500 };
  return { Fault: binding === 'soap12' ? twelve : { faultcode: 'soap:Server', faultstring: text, statusCode: 500 } };
}

// npm soap writes an undefined field as nothing, null as nil, and base64 as the text it is given.
function written(value, field) {
  if (Array.isArray(value)) return { [items[field]]: value.map((item) => (item === null ? null : written(item))) };
  if (value === null || typeof value !== 'object') return value;
  if ('base64' in value) return value.base64;
  const fields = {};
  for (const [name, item] of Object.entries(value)) if (item !== null) fields[name] = written(item, name);
  return fields;
}

const server = http.createServer((request, response) => response.writeHead(404).end());
server.listen(0, '127.0.0.1', () => {
  for (const [service, path] of Object.entries(paths)) {
    const methods = {};
    for (const operation of operations[service]) {
      methods[operation] = (parameters) => answer(service, operation, parameters);
    }
    const listening = soap.listen(server, {
      path,
      // It takes the first port with the path of the request, whatever the version.
      services: { [service]: { [service + 'Soap']: methods } },
      xml: fs.readFileSync(`${wsdls}/${service}.wsdl`, 'utf8'),
      forceSoap12Headers: binding === 'soap12',
    });
    // The option of this name does not reach a server's reader.
    listening.wsdl.options.preserveWhitespace = true;
  }
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
