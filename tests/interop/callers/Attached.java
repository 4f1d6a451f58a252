// JAX-WS RI in MTOM, `java Attached call WSDL BINDING LENGTH`, and with attachments, `java Attached turn URL BINDING LENGTH`; `java Attached serve BINDING` serves both.

import java.net.ServerSocket;
import java.net.URL;
import java.util.Arrays;
import javax.jws.WebMethod;
import javax.jws.WebParam;
import javax.jws.WebResult;
import javax.jws.WebService;
import javax.xml.bind.annotation.XmlAccessType;
import javax.xml.bind.annotation.XmlAccessorType;
import javax.xml.bind.annotation.XmlElement;
import javax.xml.bind.annotation.XmlRootElement;
import javax.xml.bind.annotation.XmlType;
import javax.xml.namespace.QName;
import javax.xml.soap.AttachmentPart;
import javax.xml.soap.MessageFactory;
import javax.xml.soap.SOAPConnectionFactory;
import javax.xml.soap.SOAPConstants;
import javax.xml.soap.SOAPElement;
import javax.xml.soap.SOAPException;
import javax.xml.soap.SOAPMessage;
import javax.xml.ws.BindingType;
import javax.xml.ws.Endpoint;
import javax.xml.ws.Provider;
import javax.xml.ws.RequestWrapper;
import javax.xml.ws.ResponseWrapper;
import javax.xml.ws.Service;
import javax.xml.ws.ServiceMode;
import javax.xml.ws.WebServiceException;
import javax.xml.ws.WebServiceProvider;
import javax.xml.ws.soap.MTOM;
import javax.xml.ws.soap.MTOMFeature;
import javax.xml.ws.soap.SOAPBinding;

public class Attached {
    static final String NAMESPACE = "urn:example:files";
    static final String SCANS = "urn:example:scans";

    @XmlAccessorType(XmlAccessType.FIELD)
    @XmlType(name = "Folder", namespace = NAMESPACE)
    public static class Folder {
        @XmlElement(name = "First", namespace = NAMESPACE)
        public byte[] first;
    }

    @XmlAccessorType(XmlAccessType.FIELD)
    @XmlRootElement(name = "Keep", namespace = NAMESPACE)
    public static class Keep {
        @XmlElement(namespace = NAMESPACE)
        public byte[] data;
    }

    @XmlAccessorType(XmlAccessType.FIELD)
    @XmlRootElement(name = "KeepResponse", namespace = NAMESPACE)
    public static class KeepResponse {
        @XmlElement(name = "KeepResult", namespace = NAMESPACE)
        public int keepResult;
    }

    @XmlAccessorType(XmlAccessType.FIELD)
    @XmlRootElement(name = "Echo", namespace = NAMESPACE)
    public static class Echo {
        @XmlElement(namespace = NAMESPACE)
        public Folder folder;
    }

    @XmlAccessorType(XmlAccessType.FIELD)
    @XmlRootElement(name = "EchoResponse", namespace = NAMESPACE)
    public static class EchoResponse {
        @XmlElement(name = "EchoResult", namespace = NAMESPACE)
        public Folder echoResult;
    }

    // The wrappers are named because Debian's JAX-WS RI lacks the library that would make them.
    @WebService(name = "FilesSoap", targetNamespace = NAMESPACE)
    public interface Files {
        @WebMethod(operationName = "Keep", action = NAMESPACE + "/Keep")
        @WebResult(name = "KeepResult", targetNamespace = NAMESPACE)
        @RequestWrapper(localName = "Keep", targetNamespace = NAMESPACE, className = "Attached$Keep")
        @ResponseWrapper(localName = "KeepResponse", targetNamespace = NAMESPACE, className = "Attached$KeepResponse")
        int keep(@WebParam(name = "data", targetNamespace = NAMESPACE) byte[] data);

        @WebMethod(operationName = "Echo", action = NAMESPACE + "/Echo")
        @WebResult(name = "EchoResult", targetNamespace = NAMESPACE)
        @RequestWrapper(localName = "Echo", targetNamespace = NAMESPACE, className = "Attached$Echo")
        @ResponseWrapper(localName = "EchoResponse", targetNamespace = NAMESPACE, className = "Attached$EchoResponse")
        Folder echo(@WebParam(name = "folder", targetNamespace = NAMESPACE) Folder folder);
    }

    @MTOM
    @WebService(endpointInterface = "Attached$Files", serviceName = "Files", portName = "FilesSoap", targetNamespace = NAMESPACE)
    public static class Soap11 implements Files {
        public int keep(byte[] data) {
            return data.length;
        }

        public Folder echo(Folder folder) {
            return folder;
        }
    }

    @BindingType(SOAPBinding.SOAP12HTTP_BINDING)
    @MTOM
    @WebService(endpointInterface = "Attached$Files", serviceName = "Files", portName = "FilesSoap12", targetNamespace = NAMESPACE)
    public static class Soap12 extends Soap11 {}

    /** Answers the bytes of a part in the other order as another part, beside the data. */
    @ServiceMode(Service.Mode.MESSAGE)
    @WebServiceProvider(serviceName = "Scans", portName = "ScansSoap", targetNamespace = SCANS)
    public static class Turning11 implements Provider<SOAPMessage> {
        boolean is12() {
            return false;
        }

        public SOAPMessage invoke(SOAPMessage asked) {
            try {
                SOAPElement turn = only(asked.getSOAPBody(), "Turn");
                AttachmentPart part = asked.getAttachment(only(turn, "reference"));
                SOAPMessage answered = factory(is12()).createMessage();
                SOAPElement turned = answered.getSOAPBody().addChildElement(new QName(SCANS, "TurnResponse"));
                turned = turned.addChildElement(new QName(SCANS, "TurnResult"));
                attach(answered, "turned@java", turned(part.getRawContentBytes()));
                turned.addChildElement(new QName(SCANS, "Reference")).addTextNode("cid:turned@java");
                turned.addChildElement(new QName(SCANS, "Data")).addTextNode(only(turn, "data").getValue());
                return answered;
            } catch (SOAPException error) {
                throw new WebServiceException(error);
            }
        }
    }

    @BindingType(SOAPBinding.SOAP12HTTP_BINDING)
    @ServiceMode(Service.Mode.MESSAGE)
    @WebServiceProvider(serviceName = "Scans", portName = "ScansSoap12", targetNamespace = SCANS)
    public static class Turning12 extends Turning11 {
        boolean is12() {
            return true;
        }
    }

    static MessageFactory factory(boolean is12) throws SOAPException {
        return MessageFactory.newInstance(is12 ? SOAPConstants.SOAP_1_2_PROTOCOL : SOAPConstants.SOAP_1_1_PROTOCOL);
    }

    static SOAPElement only(SOAPElement parent, String name) {
        return (SOAPElement) parent.getElementsByTagNameNS(SCANS, name).item(0);
    }

    static void attach(SOAPMessage message, String id, byte[] bytes) throws SOAPException {
        AttachmentPart part = message.createAttachmentPart();
        part.setRawContentBytes(bytes, 0, bytes.length, "application/x-scan");
        part.setContentId("<" + id + ">");
        message.addAttachmentPart(part);
    }

    static byte[] turned(byte[] bytes) {
        byte[] turned = new byte[bytes.length];
        for (int at = 0; at < bytes.length; at++) turned[at] = bytes[bytes.length - 1 - at];
        return turned;
    }

    static byte[] data(int length) {
        byte[] data = new byte[length];
        for (int at = 0; at < data.length; at++) data[at] = (byte) (at * 7L % 251);
        return data;
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("serve")) serve(arguments[1].equals("soap12"));
        else if (arguments[0].equals("turn")) turn(arguments[1], arguments[2].equals("soap12"), Integer.parseInt(arguments[3]));
        else call(new URL(arguments[1]), arguments[2].equals("soap12"), Integer.parseInt(arguments[3]));
    }

    static void serve(boolean is12) throws Exception {
        ServerSocket free = new ServerSocket(0);
        String url = "http://127.0.0.1:" + free.getLocalPort();
        free.close();
        Endpoint.publish(url + "/Files.asmx", is12 ? new Soap12() : new Soap11());
        Endpoint.publish(url + "/Scans.asmx", is12 ? new Turning12() : new Turning11());
        System.out.println("listening on " + url);
    }

    static void call(URL wsdl, boolean is12, int length) {
        Service service = Service.create(wsdl, new QName(NAMESPACE, "Files"));
        QName port = new QName(NAMESPACE, is12 ? "FilesSoap12" : "FilesSoap");
        Files files = service.getPort(port, Files.class, new MTOMFeature(true, 0));
        byte[] data = data(length);
        System.out.println("result kept " + files.keep(data));
        Folder folder = new Folder();
        folder.first = data;
        boolean same = Arrays.equals(files.echo(folder).first, data);
        System.out.println(same ? "result echoed" : "error other bytes came back");
    }

    static void turn(String url, boolean is12, int length) throws Exception {
        byte[] data = data(length);
        SOAPMessage asked = factory(is12).createMessage();
        SOAPElement turn = asked.getSOAPBody().addChildElement(new QName(SCANS, "Turn"));
        turn.addChildElement(new QName(SCANS, "reference")).addTextNode("cid:scan@java");
        turn.addChildElement(new QName(SCANS, "data")).addTextNode("AQID");
        attach(asked, "other@java", new byte[] {7});
        attach(asked, "scan@java", data);
        if (!is12) asked.getMimeHeaders().setHeader("SOAPAction", "\"" + SCANS + "/Turn\"");
        SOAPMessage answered = SOAPConnectionFactory.newInstance().createConnection().call(asked, url);
        SOAPElement turned = only(answered.getSOAPBody(), "TurnResult");
        AttachmentPart part = answered.getAttachment(only(turned, "Reference"));
        boolean same = Arrays.equals(turned(part.getRawContentBytes()), data) && answered.countAttachments() == 1;
        same &= part.getContentType().equals("application/x-scan") && only(turned, "Data").getValue().equals("AQID");
        System.out.println(same ? "result turned " + length : "error other bytes came back");
    }
}
