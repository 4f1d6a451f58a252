// npm soap in MTOM: `attached.js WSDL BINDING LENGTH`.
'use strict';

const soap = require('soap');

const [location, binding, length] = process.argv.slice(2);
const id = 'bytes@caller';
const include = `<xop:Include xmlns:xop="http://www.w3.org/2004/08/xop/include" href="cid:${id}"/>`;

(async () => {
  const client = await soap.createClientAsync(location, { forceSoap12Headers: binding === 'soap12', disableCache: true, parseReponseAttachments: true });
  const port = client.Files[binding === 'soap12' ? 'FilesSoap12' : 'FilesSoap'];
  const body = Buffer.from(Array.from({ length: Number(length) }, (_, at) => (at * 7) % 251));
  const options = { forceMTOM: true, attachments: [{ mimetype: 'application/octet-stream', contentId: id, name: 'bytes', body }] };
  const call = (method, parameters) =>
    new Promise((resolve, reject) => method(parameters, (error, result) => (error ? reject(error) : resolve(result)), options));
  const { KeepResult } = await call(port.Keep, { data: { $xml: include } });
  console.log('result kept', KeepResult);
  const { EchoResult } = await call(port.Echo, { folder: { First: { $xml: include } } });
  const { href } = EchoResult.First.Include.attributes;
  const parts = client.lastResponseAttachments.parts;
  const part = parts.find((part) => `<${href.slice('cid:'.length)}>` === part.headers['content-id'] || href.slice('cid:'.length) === part.headers['content-id']);
  if (!part || !Buffer.from(part.body).equals(body)) throw new Error(`other bytes came back: ${JSON.stringify(EchoResult)}`);
  console.log('result echoed');
})().catch((error) => console.log('error', String(error.message || error).slice(0, 500)));
