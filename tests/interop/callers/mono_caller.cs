// Calls the proxies that Mono's `wsdl` generated, whatever their protocol: lines of JSON in, lines of JSON out.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Reflection;
using System.Text;
using System.Web.Script.Serialization;
using System.Web.Services.Protocols;
using System.Xml.Serialization;

static class Caller
{
    static readonly JavaScriptSerializer Json = new JavaScriptSerializer { MaxJsonLength = int.MaxValue };
    static readonly UTF8Encoding Utf8 = new UTF8Encoding(false);

    static void Main()
    {
        var input = new StreamReader(Console.OpenStandardInput(), Utf8);
        var output = new StreamWriter(Console.OpenStandardOutput(), Utf8) { NewLine = "\n" };
        var proxies = new Dictionary<string, object>
        {
            ["Authenticator"] = new AuthenticatorProxy.Authenticator(),
            ["DeviceLoginService"] = new DeviceLoginServiceProxy.DeviceLoginService(),
        };
        for (string line; (line = input.ReadLine()) != null;)
        {
            var call = Json.Deserialize<object[]>(line);
            var arguments = (Dictionary<string, object>)call[2];
            output.WriteLine(Json.Serialize(Answer(proxies[(string)call[0]], (string)call[1], arguments)));
            output.Flush();
        }
    }

    static object Answer(object proxy, string operation, Dictionary<string, object> arguments)
    {
        var method = proxy.GetType().GetMethod(operation);
        var values = method.GetParameters().Select(parameter => Argument(parameter.ParameterType, arguments[parameter.Name]));
        try
        {
            return new { result = Plain(method.Invoke(proxy, values.ToArray())) };
        }
        catch (TargetInvocationException thrown)
        {
            return Failure(thrown.InnerException);
        }
    }

    static object Failure(Exception exception)
    {
        var soap = exception as SoapException;
        if (soap != null)
            return new { fault = new { code = soap.Code.Name, text = soap.Message } };
        // The proxies of forms have read the body already: it stands in their message between two lines.
        var parts = exception.Message.Split(new[] { "\n--\n", "\n--." }, StringSplitOptions.None);
        if (exception is WebException && parts.Length == 3)
            return new { fault = new { code = (string)null, text = parts[1] } };
        return new { error = exception.ToString() };
    }

    // The proxies of forms take every parameter as text.
    static object Argument(Type type, object value)
    {
        var encoded = value as Dictionary<string, object>;
        if (encoded != null)
        {
            var bytes = Convert.FromBase64String((string)encoded["base64"]);
            return type == typeof(byte[]) ? bytes : (object)bytes.Select(one => one.ToString()).ToArray();
        }
        return value is bool && type == typeof(string) ? ((bool)value ? "true" : "false") : value;
    }

    static object Plain(object value)
    {
        if (value is byte[])
            return Convert.ToBase64String((byte[])value);
        if (value is Enum)
        {
            var member = value.GetType().GetField(value.ToString());
            return member.GetCustomAttribute<XmlEnumAttribute>()?.Name ?? member.Name;
        }
        if (value is Array)
            return ((Array)value).Cast<object>().Select(Plain).ToArray();
        if (value == null || value is string || value.GetType().IsPrimitive)
            return value;
        return value.GetType().GetProperties().ToDictionary(property => property.Name, property => Plain(property.GetValue(value)));
    }
}
