// Mono's WCF in MTOM: `mono WcfAttached.exe call URL BINDING LENGTH`; `mono WcfAttached.exe serve BINDING` serves until it is stopped.
using System;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Serialization;
using System.ServiceModel;
using System.ServiceModel.Channels;
using System.Text;
using System.Threading;
using System.Xml;

[DataContract(Namespace = WcfAttached.Namespace)]
public class Folder
{
    [DataMember]
    public byte[] First;
}

[ServiceContract(Namespace = WcfAttached.Namespace)]
public interface IFiles
{
    [OperationContract(Action = WcfAttached.Namespace + "/Keep", ReplyAction = "*")]
    int Keep(byte[] data);

    [OperationContract(Action = WcfAttached.Namespace + "/Echo", ReplyAction = "*")]
    Folder Echo(Folder folder);
}

public class Files : IFiles
{
    public int Keep(byte[] data)
    {
        return data.Length;
    }

    public Folder Echo(Folder folder)
    {
        return folder;
    }
}

static class WcfAttached
{
    public const string Namespace = "urn:example:files";
    const int Most = 1 << 30;

    static void Main(string[] arguments)
    {
        var binding = Binding(arguments[arguments[0] == "call" ? 2 : 1] == "soap12" ? MessageVersion.Soap12 : MessageVersion.Soap11);
        if (arguments[0] == "serve")
            Serve(binding);
        else
            Call(binding, arguments[1], int.Parse(arguments[3]));
    }

    static Binding Binding(MessageVersion version)
    {
        var encoding = new MtomMessageEncodingBindingElement(version, Encoding.UTF8);
        XmlDictionaryReaderQuotas.Max.CopyTo(encoding.ReaderQuotas);
        return new CustomBinding(encoding, new HttpTransportBindingElement { MaxReceivedMessageSize = Most });
    }

    static void Call(Binding binding, string url, int length)
    {
        var data = Enumerable.Range(0, length).Select(at => (byte)(at * 7 % 251)).ToArray();
        try
        {
            var files = new ChannelFactory<IFiles>(binding, new EndpointAddress(url)).CreateChannel();
            Console.WriteLine("result kept {0}", files.Keep(data));
            var echoed = files.Echo(new Folder { First = data });
            Console.WriteLine(echoed.First.SequenceEqual(data) ? "result echoed" : "error other bytes came back");
        }
        catch (Exception error)
        {
            Console.WriteLine("error {0}", error);
        }
    }

    static void Serve(Binding binding)
    {
        // An HttpListener takes no port 0.
        var free = new TcpListener(IPAddress.Loopback, 0);
        free.Start();
        var port = ((IPEndPoint)free.LocalEndpoint).Port;
        free.Stop();
        var url = string.Format("http://127.0.0.1:{0}/Files.asmx", port);
        var host = new ServiceHost(typeof(Files), new Uri(url));
        host.AddServiceEndpoint(typeof(IFiles), binding, "");
        host.Open();
        Console.WriteLine("listening on {0}", url);
        Thread.Sleep(Timeout.Infinite);
    }
}
