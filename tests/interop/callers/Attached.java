// JAX-WS RI in MTOM: `java Attached call WSDL BINDING LENGTH`, and `java Attached serve BINDING`.

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
import javax.xml.ws.BindingType;
import javax.xml.ws.Endpoint;
import javax.xml.ws.RequestWrapper;
import javax.xml.ws.ResponseWrapper;
import javax.xml.ws.Service;
import javax.xml.ws.soap.MTOM;
import javax.xml.ws.soap.MTOMFeature;
import javax.xml.ws.soap.SOAPBinding;

public class Attached {
    static final String NAMESPACE = "urn:example:files";

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

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("serve")) serve(arguments[1].equals("soap12"));
        else call(new URL(arguments[1]), arguments[2].equals("soap12"), Integer.parseInt(arguments[3]));
    }

    static void serve(boolean is12) throws Exception {
        ServerSocket free = new ServerSocket(0);
        String url = "http://127.0.0.1:" + free.getLocalPort();
        free.close();
        Endpoint.publish(url + "/Files.asmx", is12 ? new Soap12() : new Soap11());
        System.out.println("listening on " + url);
    }

    static void call(URL wsdl, boolean is12, int length) {
        Service service = Service.create(wsdl, new QName(NAMESPACE, "Files"));
        QName port = new QName(NAMESPACE, is12 ? "FilesSoap12" : "FilesSoap");
        Files files = service.getPort(port, Files.class, new MTOMFeature(true, 0));
        byte[] data = new byte[length];
        for (int at = 0; at < data.length; at++) data[at] = (byte) (at * 7L % 251);
        System.out.println("result kept " + files.keep(data));
        Folder folder = new Folder();
        folder.first = data;
        boolean same = Arrays.equals(files.echo(folder).first, data);
        System.out.println(same ? "result echoed" : "error other bytes came back");
    }
}
