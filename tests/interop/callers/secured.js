// npm soap with WSSecurity: `secured.js WSDL BINDING KIND PASSWORD`.
'use strict';

const soap = require('soap');

const [location, binding, kind, password] = process.argv.slice(2);

(async () => {
  const client = await soap.createClientAsync(location, { forceSoap12Headers: binding === 'soap12', disableCache: true });
  if (kind !== 'none') {
    const passwordType = kind === 'digest' ? 'PasswordDigest' : 'PasswordText';
    client.setSecurity(new soap.WSSecurity('ann', password, { passwordType, hasTimeStamp: true, mustUnderstand: true }));
  }
  client.Work[binding === 'soap12' ? 'WorkSoap12' : 'WorkSoap'].Store({ text: 'hello' }, (error, result) => {
    const fault = error && error.root && error.root.Envelope && error.root.Envelope.Body.Fault;
    if (!error) return console.log('result', result.StoreResult);
    if (!fault) return console.log('error', String(error));
    const text = fault.faultstring || fault.Reason.Text;
    console.log('fault', typeof text === 'object' ? text.$value : text);
  });
})();
