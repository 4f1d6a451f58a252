// npm soap with WSSecurityCert, which checks no answers: `signed.js WSDL BINDING FOLDER KIND`.
'use strict';

const fs = require('fs');
const soap = require('soap');

const [location, binding, folder, kind] = process.argv.slice(2);

(async () => {
  const client = await soap.createClientAsync(location, { forceSoap12Headers: binding === 'soap12', disableCache: true });
  if (kind !== 'none') {
    const [key, certificate] = ['key', 'pem'].map((ending) => fs.readFileSync(`${folder}/partner.${ending}`, 'utf8'));
    const hash = kind === 'sha1' ? 'http://www.w3.org/2000/09/xmldsig#' : 'http://www.w3.org/2001/04/xmldsig-more#';
    client.setSecurity(new soap.WSSecurityCert(key, certificate, '', {
      hasTimeStamp: true,
      signatureAlgorithm: `${hash}rsa-${kind === 'sha1' ? 'sha1' : 'sha256'}`,
      digestAlgorithm: kind === 'sha1' ? `${hash}sha1` : 'http://www.w3.org/2001/04/xmlenc#sha256',
      // Without it the ids have no namespace, which is no id of WS-Security.
      signerOptions: { idMode: 'wssecurity' },
    }));
  }
  client.Work[binding === 'soap12' ? 'WorkSoap12' : 'WorkSoap'].Store({ text: 'hello' }, (error, result) => {
    const fault = error && error.root && error.root.Envelope && error.root.Envelope.Body.Fault;
    if (!error) return console.log('result', result.StoreResult);
    if (!fault) return console.log('error', String(error));
    const text = fault.faultstring || fault.Reason.Text;
    console.log('fault', typeof text === 'object' ? text.$value : text);
  });
})();
