// Serves the folder of its first argument with Mono's ASP.NET, which Debian's xsp4 no longer starts with: `host.exe FOLDER`.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Threading;
using System.Web;
using System.Web.Hosting;

public class Host : MarshalByRefObject
{
    public static void Main(string[] arguments)
    {
        var folder = Path.GetFullPath(arguments[0]);
        var host = (Host)ApplicationHost.CreateApplicationHost(typeof(Host), "/", folder);
        Console.WriteLine("listening on " + host.Start());
        Thread.Sleep(Timeout.Infinite);
    }

    public override object InitializeLifetimeService() { return null; }

    public string Start()
    {
        var free = new TcpListener(IPAddress.Loopback, 0);
        free.Start();
        var port = ((IPEndPoint)free.LocalEndpoint).Port;
        free.Stop();
        var listener = new HttpListener();
        listener.Prefixes.Add("http://127.0.0.1:" + port + "/");
        listener.Start();
        new Thread(() =>
        {
            for (;;)
                Answer(listener.GetContext());
        }) { IsBackground = true }.Start();
        return "http://127.0.0.1:" + port;
    }

    static void Answer(HttpListenerContext context)
    {
        using (var ended = new ManualResetEvent(false))
        {
            HttpRuntime.ProcessRequest(new Request(context, ended));
            ended.WaitOne();
        }
    }
}

class Request : SimpleWorkerRequest
{
    readonly HttpListenerContext context;
    readonly ManualResetEvent ended;
    readonly byte[] body;
    readonly MemoryStream answer = new MemoryStream();

    public Request(HttpListenerContext context, ManualResetEvent ended) : base(Page(context), "", null)
    {
        this.context = context;
        this.ended = ended;
        using (var copy = new MemoryStream())
        {
            context.Request.InputStream.CopyTo(copy);
            body = copy.ToArray();
        }
    }

    static string Page(HttpListenerContext context) { return context.Request.Url.AbsolutePath.TrimStart('/'); }

    // The path ends at the file; what follows names an operation.
    int End { get { return GetUriPath().IndexOf(".asmx", StringComparison.OrdinalIgnoreCase) + ".asmx".Length; } }

    public override string GetUriPath() { return context.Request.Url.AbsolutePath; }
    public override string GetFilePath() { return GetUriPath().Substring(0, End); }
    public override string GetPathInfo() { return GetUriPath().Substring(End); }
    public override string GetFilePathTranslated() { return MapPath(GetFilePath()); }
    public override string MapPath(string path) { return Path.Combine(GetAppPathTranslated(), path.TrimStart('/')); }
    public override string GetRawUrl() { return context.Request.RawUrl; }
    // As it was sent: `Uri` would escape `%u00E9` once more.
    public override string GetQueryString() { return context.Request.RawUrl.Split(new[] { '?' }, 2).ElementAtOrDefault(1) ?? ""; }
    public override string GetHttpVerbName() { return context.Request.HttpMethod; }
    public override string GetHttpVersion() { return "HTTP/1.1"; }
    public override string GetServerName() { return context.Request.Url.Host; }
    // That of the header Host, as in IIS: HttpListener takes the port of the socket.
    public override int GetLocalPort() { return new Uri("http://" + context.Request.UserHostName).Port; }
    public override byte[] GetPreloadedEntityBody() { return body; }
    public override bool IsEntireEntityBodyIsPreloaded() { return true; }
    public override string GetUnknownRequestHeader(string name) { return context.Request.Headers[name]; }
    public override string GetKnownRequestHeader(int index) { return context.Request.Headers[GetKnownRequestHeaderName(index)]; }

    public override string[][] GetUnknownRequestHeaders()
    {
        var names = context.Request.Headers.AllKeys.Where(name => GetKnownRequestHeaderIndex(name) < 0);
        return names.Select(name => new[] { name, context.Request.Headers[name] }).ToArray();
    }

    public override void SendStatus(int status, string description)
    {
        context.Response.StatusCode = status;
        context.Response.StatusDescription = description;
    }

    public override void SendKnownResponseHeader(int index, string value) { SendUnknownResponseHeader(GetKnownResponseHeaderName(index), value); }

    public override void SendUnknownResponseHeader(string name, string value)
    {
        if (name == "Content-Type")
            context.Response.ContentType = value;
        else if (name != "Content-Length")
            context.Response.Headers[name] = value;
    }

    public override void SendResponseFromMemory(byte[] data, int length) { answer.Write(data, 0, length); }
    public override void FlushResponse(bool final) { }

    public override void EndOfRequest()
    {
        // At once: a second packet would wait until the first one is acknowledged.
        try { context.Response.Close(answer.ToArray(), true); }
        catch (Exception) { }
        ended.Set();
    }
}
