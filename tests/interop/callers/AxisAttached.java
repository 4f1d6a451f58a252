// Axis 1 reads SOAP with Attachments and no MTOM: `java AxisAttached URL LENGTH`. It sends no part: with a JavaMail of this day it writes more bytes than it has announced.

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Base64;
import org.apache.axis.Message;
import org.apache.axis.attachments.AttachmentPart;
import org.apache.axis.client.Call;
import org.apache.axis.message.SOAPBodyElement;
import org.apache.axis.message.SOAPEnvelope;
import org.w3c.dom.Element;

public class AxisAttached {
    static final String SCANS = "urn:example:scans";

    public static void main(String[] arguments) throws Exception {
        byte[] data = new byte[Integer.parseInt(arguments[1])];
        for (int at = 0; at < data.length; at++) data[at] = (byte) (at * 7L % 251);
        Call call = new Call(arguments[0]);
        call.setUseSOAPAction(true);
        call.setSOAPActionURI(SCANS + "/Turn");
        String base64 = Base64.getEncoder().encodeToString(data);
        String turn = "<Turn xmlns='" + SCANS + "'><reference></reference><data>" + base64 + "</data></Turn>";
        SOAPEnvelope asked = new SOAPEnvelope();
        asked.addBodyElement(new SOAPBodyElement(new ByteArrayInputStream(turn.getBytes("UTF-8"))));
        Element answered = call.invoke(asked).getFirstBody().getAsDOM();
        Message message = call.getResponseMessage();
        AttachmentPart back = (AttachmentPart) message.getAttachmentsImpl().getAttachmentByReference(text(answered, "Reference"));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        back.getDataHandler().writeTo(bytes);
        byte[] turned = new byte[data.length];
        for (int at = 0; at < data.length; at++) turned[at] = data[data.length - 1 - at];
        boolean same = Arrays.equals(bytes.toByteArray(), turned) && text(answered, "Data").equals(base64);
        same &= message.countAttachments() == 1 && back.getContentType().equals("application/x-scan");
        System.out.println(same ? "result turned " + data.length : "error other bytes came back");
    }

    static String text(Element parent, String name) {
        return parent.getElementsByTagNameNS(SCANS, name).item(0).getTextContent();
    }
}
