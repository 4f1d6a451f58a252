//! Messages of other stacks, and messages that .NET refuses.

use super::{answered, message, refused};

#[test]
fn values_of_other_types_are_refused_as_by_dot_net() {
    let assign = |found: &str, expected: &str| {
        format!("Cannot assign object of type {found} to an object of type {expected}.")
    };
    let typed = |of: &str| format!("<tns:Sum><a xsi:type=\"{of}\">1</a></tns:Sum>");
    refused(
        "Sum",
        &typed("xsd:long"),
        &assign("System.Int64", "System.Int32"),
    );
    refused("Sum", &typed("tns:Pt"), &assign("Pt", "System.Int32"));
    refused(
        "Sum",
        &typed("xsd:nothing"),
        &assign("System.Xml.XmlNode[]", "System.Int32"),
    );
    refused(
        "Sum",
        &typed("nope:int"),
        "Namespace prefix 'nope' is not defined.",
    );
    refused(
        "Sum",
        "<tns:Sum><a>x</a></tns:Sum>",
        "Input string was not in a correct format.",
    );
    let number = "<tns:EchoNum><n xsi:type=\"xsd:string\">Five</n></tns:EchoNum>";
    refused("EchoNum", number, &assign("System.String", "Num"));
    let tree = "<tns:EchoPt><p xsi:type=\"tns:Tree\"/></tns:EchoPt>";
    refused("EchoPt", tree, &assign("Tree", "Pt"));
    let points = "<tns:ShowPts><p soapenc:arrayType=\"xsd:int[1]\"><i>1</i></p></tns:ShowPts>";
    refused("ShowPts", points, &assign("System.Int32[]", "Pt[]"));
    let wrong = "<q:Ask xmlns:q=\"urn:rq\"/>";
    refused("Sum", wrong, "&lt;Ask xmlns='urn:rq'&gt; was not expected.");
    refused(
        "EchoPts",
        "<tns:EchoPts><p soapenc:arrayType=\"tns:Pt[1,2]\"/></tns:EchoPts>",
        "several dimensions",
    );
}

#[test]
fn messages_of_other_stacks_are_read() {
    let sum = "<SumResult xsi:type=\"xsd:int\">3</SumResult>";
    for body in [
        "<tns:Sum><b>2</b><a>1</a></tns:Sum>",
        "<tns:Sum><tns:a>1</tns:a><b xsi:type=\"soapenc:int\">2</b></tns:Sum>",
        "<tns:Sum><a href=\"#x\"/><b>2</b></tns:Sum><multiRef id=\"x\" soapenc:root=\"0\" xsi:type=\"xsd:int\">1</multiRef>",
        "<tns:Sum><a xmlns:o=\"http://www.w3.org/1999/XMLSchema\" xsi:type=\"o:int\">1</a><b>2</b></tns:Sum>",
        "<tns:Sum><c>9</c><a>1</a><b>2</b><xsi:b>8</xsi:b></tns:Sum><c><unknown/></c>",
    ] {
        answered("Sum", body, sum);
    }
    let shown = ">2:Pt1,Pt32</ShowPtsResult>";
    for points in [
        // The type of an item may extend the type of the array's items.
        "<p soapenc:arrayType=\"tns:Pt[2]\"><i><X>1</X></i><i xsi:type=\"tns:Pt3\"><X>2</X></i></p>",
        "<p soapenc:arrayType=\"xsd:anyType[]\"><i><X>1</X></i><i xsi:type=\"tns:Pt3\"><X>2</X></i></p>",
        "<p soapenc:arrayType=\"xsd:ur-type[2]\" xsi:type=\"soapenc:Array\"><i href=\"#a\"/><i href=\"#b\"/></p>",
        "<p xmlns:e=\"http://www.w3.org/2003/05/soap-encoding\" e:itemType=\"tns:Pt\" e:arraySize=\"2\"><i><X>1</X></i><i e:ref=\"#b\"/></p>",
    ] {
        let body = format!(
            "<tns:ShowPts>{points}</tns:ShowPts><s id=\"a\"><X>1</X></s><s id=\"b\" xsi:type=\"tns:Pt3\" xmlns:o=\"urn:o\"><o:X>7</o:X><X>2</X></s>"
        );
        answered("ShowPts", &body, shown);
    }
    // An element without an array type is null, and so is a nil one.
    answered(
        "ShowPts",
        "<tns:ShowPts><p><i/></p></tns:ShowPts>",
        ">null</",
    );
    answered(
        "ShowPts",
        "<tns:ShowPts><p xsi:nil=\"true\"/></tns:ShowPts>",
        ">null</",
    );
    let nil =
        "<tns:ShowPts><p soapenc:arrayType=\"tns:Pt[1]\"><i xsi:nil=\"1\"/></p></tns:ShowPts>";
    answered("ShowPts", nil, ">1:null</");
    let texts = "<tns:ShowTexts><s soapenc:arrayType=\"xsd:string[3]\"><i>a &amp; &lt;b&gt;</i><i><![CDATA[<c>]]></i><i/></s></tns:ShowTexts>";
    answered("ShowTexts", texts, ">a &amp; &lt;b&gt;|&lt;c&gt;|</");
}

#[test]
fn values_of_any_type_keep_it() {
    for (value, written) in [
        (
            "xsi:type=\"xsd:int\">5",
            "xsi:type=\"xsd:int\">5</EchoObjectResult>",
        ),
        (
            "xmlns:m=\"http://microsoft.com/wsdl/types/\" xsi:type=\"m:char\">97",
            "<EchoObjectResult xmlns:q1=\"http://microsoft.com/wsdl/types/\" xsi:type=\"q1:char\">97<",
        ),
        (
            "xsi:type=\"tns:Num\">Six",
            "<EchoObjectResult xsi:type=\"types:Num\">Six<",
        ),
        (
            "xsi:type=\"tns:Pt3\"><Z>3</Z>",
            "<types:Pt3 id=\"id1\" xsi:type=\"types:Pt3\"><X xsi:type=\"xsd:int\">0</X>",
        ),
        (
            "soapenc:arrayType=\"xsd:int[2]\"><i>1</i><i>2</i>",
            "<soapenc:Array id=\"id1\" soapenc:arrayType=\"xsd:int[2]\"><Item>1</Item><Item>2</Item></soapenc:Array>",
        ),
        (
            "soapenc:arrayType=\"xsd:anyType[1]\"><i xsi:type=\"xsd:string\">a</i>",
            "soapenc:arrayType=\"xsd:anyType[1]\"><Item xsi:type=\"xsd:string\">a</Item>",
        ),
        (
            "soapenc:arrayType=\"tns:Pt[1]\"><i><X>1</X></i>",
            "<Item href=\"#id2\" /></soapenc:Array><types:Pt id=\"id2\" xsi:type=\"types:Pt\">",
        ),
        (
            "xsi:type=\"xsd:QName\">tns:x",
            "xsi:type=\"xsd:QName\" xmlns:q1=\"http://lab.example/g/rpc\">q1:x</EchoObjectResult>",
        ),
        (
            "><any xmlns=\"urn:a\">xml</any>",
            "<EchoObjectResult><any xmlns=\"urn:a\">xml</any></EchoObjectResult>",
        ),
    ] {
        let body = format!("<tns:EchoObject><o {value}</o></tns:EchoObject>");
        answered("EchoObject", &body, written);
    }
}

#[test]
fn errors_in_values_name_their_place_in_the_message() {
    // The position of an error in .NET is the start of the next node.
    for (body, next) in [
        ("<tns:Sum><a>x</a><b>2</b></tns:Sum>", "b>2"),
        (
            "<tns:Sum>\n<a href=\"#i\"/></tns:Sum>\n<i id=\"i\" >é x</i\t><j/>",
            "j/>",
        ),
        ("<tns:Sum><a><![CDATA[é]]></a>\n</tns:Sum>", "\n</tns"),
    ] {
        let message = message(body);
        let before = &message[..message.find(next).unwrap()];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap().chars().count() + 1;
        let place = format!("There is an error in XML document ({line}, {column}).");
        refused("Sum", body, &place);
    }
}
