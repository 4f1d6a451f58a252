// WSS4J, which signs messages and checks those that it gets: `java Signed call URL BINDING FOLDER KIND` and `java Signed serve FOLDER`.

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.ws.security.WSConstants;
import org.apache.ws.security.WSDataRef;
import org.apache.ws.security.WSEncryptionPart;
import org.apache.ws.security.WSSecurityEngine;
import org.apache.ws.security.WSSecurityEngineResult;
import org.apache.ws.security.WSSecurityException;
import org.apache.ws.security.components.crypto.Crypto;
import org.apache.ws.security.components.crypto.Merlin;
import org.apache.ws.security.message.WSSecHeader;
import org.apache.ws.security.message.WSSecSignature;
import org.apache.ws.security.message.WSSecTimestamp;
import org.apache.ws.security.util.WSSecurityUtil;
import org.apache.ws.security.util.XMLUtils;
import org.apache.xml.security.signature.XMLSignature;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

public class Signed {
    static final String NAMESPACE = "urn:example:work";
    static final String NAME = "own";
    static final String FAULT11 = "<s:Fault><faultcode>s:Client</faultcode><faultstring/></s:Fault>";
    static final String FAULT12 = "<s:Fault><s:Code><s:Value>s:Sender</s:Value></s:Code><s:Reason><s:Text xml:lang='en'/></s:Reason></s:Fault>";
    static final Map<String, Integer> REFERENCES = Map.of(
            "token", WSConstants.BST_DIRECT_REFERENCE,
            "path", WSConstants.BST_DIRECT_REFERENCE,
            "number", WSConstants.ISSUER_SERIAL,
            "certificate", WSConstants.X509_KEY_IDENTIFIER,
            "identifier", WSConstants.SKI_KEY_IDENTIFIER,
            "thumbprint", WSConstants.THUMBPRINT_IDENTIFIER);

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("serve")) serve(Path.of(arguments[1]));
        else call(URI.create(arguments[1]), arguments[2].equals("soap12"), Path.of(arguments[3]), arguments[4]);
    }

    static X509Certificate certificate(Path folder, String name) throws Exception {
        try (InputStream pem = Files.newInputStream(folder.resolve(name + ".pem"))) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(pem);
        }
    }

    /** The certificate and the key of the signer, and the certificate that is trusted. */
    static Crypto crypto(Path folder, String own, String key, String trusted) throws Exception {
        String pem = Files.readString(folder.resolve(key + ".key")).replaceAll("-----.*-----", "");
        PrivateKey secret = KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem)));
        KeyStore keys = KeyStore.getInstance("JKS"), others = KeyStore.getInstance("JKS");
        keys.load(null, null);
        others.load(null, null);
        keys.setKeyEntry(NAME, secret, NAME.toCharArray(), new Certificate[] {certificate(folder, own)});
        others.setCertificateEntry(trusted, certificate(folder, trusted));
        Merlin crypto = new Merlin();
        crypto.setKeyStore(keys);
        crypto.setTrustStore(others);
        return crypto;
    }

    static Document parsed(InputStream text) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        return factory.newDocumentBuilder().parse(text);
    }

    /** An envelope with a text in the element of this name. The prefix `a` is not used: InclusiveNamespaces lists it. */
    static Document envelope(boolean is12, String content, String name, String text) throws Exception {
        String namespace = is12 ? WSConstants.URI_SOAP12_ENV : WSConstants.URI_SOAP11_ENV;
        String envelope = "<s:Envelope xmlns:s='" + namespace + "' xmlns:a='urn:example:unused'><s:Body>" + content + "</s:Body></s:Envelope>";
        Document message = parsed(new ByteArrayInputStream(envelope.getBytes(StandardCharsets.UTF_8)));
        message.getElementsByTagNameNS("*", name).item(0).setTextContent(text);
        return message;
    }

    /** Signs the Body, a Timestamp and the token, if there is one. KIND tells how the message refers to the certificate, otherwise as a token. */
    static void sign(Document message, Crypto crypto, String kind) throws Exception {
        WSSecHeader header = new WSSecHeader();
        header.insertSecurityHeader(message);
        WSSecTimestamp timestamp = new WSSecTimestamp();
        timestamp.build(message, header);
        WSSecSignature signature = new WSSecSignature();
        signature.setUserInfo(NAME, NAME);
        signature.setKeyIdentifierType(REFERENCES.getOrDefault(kind, WSConstants.BST_DIRECT_REFERENCE));
        signature.setUseSingleCertificate(!kind.equals("path"));
        signature.setSignatureAlgorithm(kind.equals("sha1") ? XMLSignature.ALGO_ID_SIGNATURE_RSA_SHA1 : XMLSignature.ALGO_ID_SIGNATURE_RSA_SHA256);
        signature.setDigestAlgo(kind.equals("sha1") ? WSConstants.SHA1 : WSConstants.SHA256);
        signature.prepare(message, crypto, header);
        List<WSEncryptionPart> parts = new ArrayList<>();
        parts.add(new WSEncryptionPart("Body", message.getDocumentElement().getNamespaceURI(), "Content"));
        parts.add(new WSEncryptionPart(timestamp.getId()));
        if (signature.getBSTTokenId() != null) {
            signature.prependBSTElementToHeader(header);
            parts.add(new WSEncryptionPart(signature.getBSTTokenId()));
        }
        signature.computeSignature(signature.addReferencesToSign(parts, header), false, null);
    }

    /** Checks that the Body and the Timestamp are signed by the certificate that is trusted. Returns the name of its subject. */
    static String check(Document message, Crypto crypto) throws WSSecurityException {
        List<WSSecurityEngineResult> results = new WSSecurityEngine().processSecurityHeader(message, null, null, crypto);
        WSSecurityEngineResult signature = results == null ? null : WSSecurityUtil.fetchActionResult(results, WSConstants.SIGN);
        if (signature == null) throw new WSSecurityException("not signed");
        List<Element> signed = new ArrayList<>();
        for (Object reference : (List<?>) signature.get(WSSecurityEngineResult.TAG_DATA_REF_URIS)) signed.add(((WSDataRef) reference).getProtectedElement());
        Element timestamp = (Element) WSSecurityUtil.getSecurityHeader(message, null).getElementsByTagNameNS(WSConstants.WSU_NS, "Timestamp").item(0);
        if (!signed.contains(WSSecurityUtil.findBodyElement(message)) || !signed.contains(timestamp)) throw new WSSecurityException("a part is not signed");
        return ((X509Certificate) signature.get(WSSecurityEngineResult.TAG_X509_CERTIFICATE)).getSubjectX500Principal().getName();
    }

    static boolean is12(Document message) {
        return message.getDocumentElement().getNamespaceURI().equals(WSConstants.URI_SOAP12_ENV);
    }

    static String text(Document message, String namespace, String name) {
        return message.getElementsByTagNameNS(namespace, name).item(0).getTextContent();
    }

    static byte[] bytes(Document message) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        XMLUtils.ElementToStream(message.getDocumentElement(), bytes);
        return bytes.toByteArray();
    }

    /**
     * KIND: a key of REFERENCES; `sha1`; `none`: not signed; `wrong-key`: signed by the key of another certificate;
     * `wrong-certificate`: the certificate that is trusted is not that of the service.
     */
    static void call(URI url, boolean is12, Path folder, String kind) throws Exception {
        String key = kind.equals("wrong-key") ? "service" : "partner", trusted = kind.equals("wrong-certificate") ? "partner" : "service";
        Crypto crypto = crypto(folder, "partner", key, trusted);
        Document message = envelope(is12, "<w:Store xmlns:w='" + NAMESPACE + "'><w:text/></w:Store>", "text", "hello €");
        if (!kind.equals("none")) sign(message, crypto, kind);
        String action = "\"" + NAMESPACE + "/Store\"";
        HttpRequest.Builder asked = HttpRequest.newBuilder(url).POST(BodyPublishers.ofByteArray(bytes(message)));
        if (is12) asked.header("Content-Type", "application/soap+xml; charset=utf-8; action=" + action);
        else asked.header("Content-Type", "text/xml; charset=utf-8").header("SOAPAction", action);
        Document answer = parsed(HttpClient.newHttpClient().send(asked.build(), BodyHandlers.ofInputStream()).body());
        try {
            check(answer, crypto);
        } catch (WSSecurityException error) {
            System.out.println("error " + error.getMessage());
            return;
        }
        boolean isFault = answer.getElementsByTagNameNS(answer.getDocumentElement().getNamespaceURI(), "Fault").getLength() > 0;
        if (!isFault) System.out.println("result " + text(answer, NAMESPACE, "StoreResult"));
        else System.out.println("fault " + (is12 ? text(answer, WSConstants.URI_SOAP12_ENV, "Text") : text(answer, "*", "faultstring")));
    }

    static void serve(Path folder) throws Exception {
        Crypto crypto = crypto(folder, "service", "service", "partner");
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", exchange -> {
            try {
                answer(exchange, crypto);
            } catch (Exception error) {
                throw new IOException(error);
            }
        });
        server.start();
        System.out.println("listening on http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Answers with who signed the request, or with a fault if it is not signed as it should be. Signs both. */
    static void answer(HttpExchange exchange, Crypto crypto) throws Exception {
        Document message = parsed(exchange.getRequestBody()), answer;
        boolean is12 = is12(message);
        int status = 200;
        try {
            String told = check(message, crypto) + ": " + text(message, NAMESPACE, "text");
            answer = envelope(is12, "<w:StoreResponse xmlns:w='" + NAMESPACE + "'><w:StoreResult/></w:StoreResponse>", "StoreResult", told);
        } catch (WSSecurityException error) {
            status = 500;
            answer = is12 ? envelope(true, FAULT12, "Text", error.getMessage()) : envelope(false, FAULT11, "faultstring", error.getMessage());
        }
        sign(answer, crypto, "token");
        byte[] bytes = bytes(answer);
        exchange.getResponseHeaders().set("Content-Type", is12 ? "application/soap+xml; charset=utf-8" : "text/xml; charset=utf-8");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
