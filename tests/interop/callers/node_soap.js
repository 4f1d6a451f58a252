// npm soap: SOAP 1.1 and SOAP 1.2.
'use strict';

const soap = require('soap');
const { answerLines, writtenArguments } = require('./lines');

answerLines(async (binding, locations) => {
  const clients = {};
  for (const [service, location] of Object.entries(locations)) {
    const options = { forceSoap12Headers: binding === 'soap12', preserveWhitespace: true, disableCache: true };
    clients[service] = await soap.createClientAsync(location, options);
  }
  const port = binding === 'soap12' ? 'Soap12' : 'Soap';
  return (service, operation, parameters) =>
    new Promise((resolve) => {
      const method = clients[service][service][service + port][operation];
      method(writtenArguments(parameters), (error, result) => {
        const fault = error && error.root && error.root.Envelope && error.root.Envelope.Body.Fault;
        if (fault) resolve({ fault: describe(fault) });
        else if (error) resolve({ error: String(error) });
        else resolve({ result: result === null || result === undefined ? null : result[operation + 'Result'] });
      });
    });
});

function describe(fault) {
  if (fault.faultcode) return { code: fault.faultcode, text: fault.faultstring };
  const text = fault.Reason.Text;
  return { code: fault.Code.Value, text: typeof text === 'object' ? text.$value : text };
}
