// npm soap's server of the service Work, which checks a UsernameToken: `secured_server.js BINDING WSDL`.
'use strict';

const crypto = require('crypto');
const fs = require('fs');
const http = require('http');
const soap = require('soap');

const [binding, wsdl] = process.argv.slice(2);
const seen = new Set();

function text(value) {
  return typeof value === 'object' ? value.$value : value;
}

function isKnown(security) {
  const token = security && security.UsernameToken;
  if (!token || token.Username !== 'ann') return false;
  const sent = text(token.Password);
  if (!token.Password.attributes.Type.endsWith('#PasswordDigest')) return sent === 's3cret';
  const nonce = text(token.Nonce);
  if (seen.has(nonce)) return false;
  seen.add(nonce);
  const hash = crypto.createHash('sha1').update(Buffer.from(nonce, 'base64'));
  return hash.update(text(token.Created) + 's3cret').digest('base64') === sent;
}

const server = http.createServer((request, response) => response.writeHead(404).end());
server.listen(0, '127.0.0.1', () => {
  const listening = soap.listen(server, {
    path: '/Work.asmx',
    services: { Work: { WorkSoap: { Store: ({ text }) => ({ StoreResult: `ann: ${text}` }) } } },
    xml: fs.readFileSync(wsdl, 'utf8'),
    forceSoap12Headers: binding === 'soap12',
  });
  listening.authenticate = isKnown;
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
