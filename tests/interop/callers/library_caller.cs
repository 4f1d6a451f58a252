// Calls every operation of a proxy with arguments made from the types of its SOAP proxy, and prints what it answers, a line a call.
using System;
using System.Collections.Generic;
using System.Data;
using System.Globalization;
using System.Linq;
using System.Net;
using System.Reflection;
using System.Text;
using System.Web.Services.Protocols;
using System.Xml;
using System.Xml.Serialization;

static class Caller
{
    const int Rounds = 6;
    const int Deep = 3;
    static readonly string[] Texts = { "plain", null, "", "a & b < c > \"d\" 'e'", " \u00e9\u65e5\U0001f600\ttab ", "x" };
    static readonly object[] Bytes = { new byte[] { 0, 1, 254, 255 }, null, new byte[0], new byte[] { 65 } };

    static void Main(string[] arguments)
    {
        Console.OutputEncoding = new UTF8Encoding(false);
        // The proxies of forms keep the connections of calls without a result.
        ServicePointManager.DefaultConnectionLimit = 1000;
        var proxy = (WebClientProtocol)new Called.Library();
        proxy.Url = arguments[0];
        foreach (var method in typeof(Typed.Library).GetMethods().Where(IsOperation).OrderBy(method => method.Name, StringComparer.Ordinal))
        {
            var called = proxy.GetType().GetMethod(method.Name, BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly);
            for (var round = 0; called != null && round < Rounds; round++)
                if (proxy is SoapHttpClientProtocol || method.GetParameters().All(parameter => HasItems(parameter.ParameterType, round)))
                    Console.WriteLine("{0} {1}: {2}", method.Name, round, Answer(proxy, called, method, round));
        }
    }

    // What the server sends, loaded and changed.
    static DataSet Shelf(object proxy, int round)
    {
        if (round == 1)
            return null;
        var shelf = (DataSet)proxy.GetType().GetMethod("GetShelf").Invoke(proxy, null);
        var books = shelf.Tables["Book"];
        if (round % 2 == 0)
        {
            books.Rows[0]["Title of it"] = " changed \u00e9 ";
            books.Rows[0]["Price"] = DBNull.Value;
            books.Rows[2].Delete();
            books.Rows.Add(4, "new", 1.5m, new DateTime(2000, 1, 1), 2.5, true, new byte[] { 7 });
            shelf.Tables["Loan"].Rows.Add(4, " ");
        }
        if (round > 2)
        {
            books.Rows[1].RowError = "bad row";
            books.Rows[1].SetColumnError("Weight", "bad weight");
        }
        return round == 4 ? shelf.GetChanges() : round == 5 ? new DataSet() : shelf;
    }

    static string Table(DataTable table)
    {
        var columns = table.Columns.Cast<DataColumn>().ToArray();
        var text = new StringBuilder("(" + string.Join(", ", columns.Select(column => column.ColumnName + " " + column.DataType.Name + (column.AllowDBNull ? "?" : "") + " " + column.MaxLength + " " + Plain(column.DefaultValue) + " " + column.Unique)) + ")");
        foreach (DataRow row in table.Rows)
        {
            text.Append(" " + row.RowState + row.RowError);
            foreach (var version in new[] { DataRowVersion.Original, DataRowVersion.Current }.Where(row.HasVersion))
                text.Append(" " + version + " [" + string.Join(", ", columns.Select(column => Plain(row[column, version]))) + "]");
            text.Append(string.Concat(row.HasErrors ? row.GetColumnsInError().Select(column => " " + column.ColumnName + ": " + row.GetColumnError(column)) : new string[0]));
        }
        return table.TableName + " key " + string.Join(" ", table.PrimaryKey.Select(column => column.ColumnName)) + " " + text;
    }

    static bool IsOperation(MethodInfo method)
    {
        return method.DeclaringType == typeof(Typed.Library) && method.GetCustomAttributes().Any(attribute => attribute is SoapDocumentMethodAttribute || attribute is SoapRpcMethodAttribute);
    }

    // An array in a form that has none is missing, which is an error to ASMX alone.
    static bool HasItems(Type type, int round)
    {
        var made = Made(type, round, 0) as Array;
        return !type.IsArray || made != null && made.Length > 0;
    }

    static string Answer(object proxy, MethodInfo called, MethodInfo typed, int round)
    {
        var headers = proxy.GetType().GetProperties().Where(property => typeof(SoapHeader).IsAssignableFrom(property.PropertyType)).ToArray();
        foreach (var header in headers)
        {
            var made = round % 2 == 0 ? (SoapHeader)Made(header.PropertyType, round, 0) : null;
            if (made != null && header.PropertyType.Name == "Card")
            {
                made.Actor = round % 4 == 0 ? "urn:next" : "";
                made.MustUnderstand = round == 2;
            }
            header.SetValue(proxy, made);
        }
        var values = called.GetParameters().Zip(typed.GetParameters(), (parameter, known) =>
            Given(known) == typeof(DataSet) ? Shelf(proxy, round) : proxy is SoapHttpClientProtocol ? Made(Given(parameter), round, 0) : InForm(parameter.ParameterType, Made(Given(known), round, 0))).ToArray();
        try
        {
            var answers = new List<object> { called.Invoke(proxy, values) };
            answers.AddRange(values.Where((value, index) => called.GetParameters()[index].ParameterType.IsByRef));
            // Only operations that declare a header change it.
            var declared = called.GetCustomAttributes<SoapHeaderAttribute>().Select(attribute => attribute.MemberName);
            answers.AddRange(headers.Where(header => declared.Contains(header.Name)).Select(header => header.GetValue(proxy)));
            return string.Join(" ", answers.Select(Plain));
        }
        catch (TargetInvocationException thrown)
        {
            return Failure(thrown.InnerException);
        }
    }

    // The type of an argument, which is a value, or a variable for a value.
    static Type Given(ParameterInfo parameter)
    {
        return parameter.ParameterType.IsByRef ? parameter.ParameterType.GetElementType() : parameter.ParameterType;
    }

    static string Failure(Exception exception)
    {
        var soap = exception as SoapException;
        if (soap != null)
            return "fault " + soap.Code.Name + " " + soap.Message;
        var web = exception as WebException;
        var response = web == null ? null : (HttpWebResponse)web.Response;
        return response == null ? exception.GetBaseException().Message : "status " + (int)response.StatusCode;
    }

    // The proxies of forms take texts. Mono's server reads none of the ways in which its own proxies write those beyond ASCII.
    static object InForm(Type type, object value)
    {
        if (type == typeof(string[]))
            return value == null ? new string[0] : ((Array)value).Cast<object>().Select(Text).ToArray();
        return Text(value);
    }

    static string Text(object value)
    {
        if (value is bool)
            return (bool)value ? "true" : "false";
        if (value is DateTime)
            return ((DateTime)value).ToString("yyyy-MM-ddTHH:mm:ss.FFFFFFF");
        return string.Concat(Convert.ToString(value, CultureInfo.InvariantCulture).Where(c => c <= '~'));
    }

    // A value of a type, another one each round.
    static object Made(Type type, int round, int depth)
    {
        var nullable = Nullable.GetUnderlyingType(type);
        if (nullable != null)
            return round % 3 == 1 ? null : Made(nullable, round, depth);
        if (type == typeof(string)) return Texts[round % Texts.Length];
        if (type == typeof(byte[])) return Bytes[round % Bytes.Length];
        if (type == typeof(int)) return new[] { 0, 1, -1, int.MaxValue, int.MinValue, 42 }[round % 6];
        if (type == typeof(long)) return new[] { 0, 1L << 40, -7, 1 }[round % 4];
        if (type == typeof(byte)) return (byte)new[] { 0, 255, 7 }[round % 3];
        if (type == typeof(bool)) return round % 2 == 0;
        if (type == typeof(char)) return "a\u00e9 Z"[round % 4];
        if (type == typeof(decimal)) return new[] { 0m, 1.50m, -0.000001m, 79228162514264337593543950335m }[round % 4];
        if (type == typeof(double)) return new[] { 0, 1.5, -2.5e-7, 1e300, double.MaxValue, 0.1 }[round % 6];
        if (type == typeof(float)) return new[] { 0f, 1.5f, -2.5e-7f, 1e30f }[round % 4];
        if (type == typeof(Guid)) return new Guid(round, 2, 3, 4, 5, 6, 7, 8, 9, 10, 255);
        if (type == typeof(DateTime)) return new DateTime(2024, 2, 29, 12, 34, 56).AddTicks(new[] { 0, 1200000, 1, 5000000 }[round % 4]);
        if (type == typeof(object)) return Made(new[] { typeof(string), typeof(int), typeof(Called.Library).Assembly.GetType("Called.Person"), typeof(decimal), typeof(bool), typeof(DateTime) }[round % 6], round, depth);
        if (type == typeof(XmlAttribute)) return Markup("<a a" + round + "='3 &lt; 4' p:a" + round + "='x' xmlns:p='urn:p' />").Attributes[round % 2];
        if (typeof(XmlNode).IsAssignableFrom(type)) return round % 3 == 1 ? null : Markup("<a xmlns='urn:a' b='" + round + "'><c /><d xmlns=''>x &amp; y</d></a>");
        if (type.IsEnum) return Enum.GetValues(type).GetValue(round % Enum.GetValues(type).Length);
        if (type.IsArray) return List(type.GetElementType(), round, depth);
        if (type.IsAbstract)
        {
            var derived = type.GetCustomAttributes<XmlIncludeAttribute>().Select(known => known.Type).OrderBy(known => known.Name, StringComparer.Ordinal);
            return Made(derived.ElementAt(round % derived.Count()), round, depth);
        }
        return depth > 0 && (depth == Deep || round % 4 == 1) ? null : Filled(type, round, depth);
    }

    static XmlElement Markup(string text)
    {
        var document = new XmlDocument();
        document.LoadXml(text);
        return document.DocumentElement;
    }

    static object List(Type item, int round, int depth)
    {
        if (depth == Deep || round % 3 == 1)
            return null;
        var items = Array.CreateInstance(item, round % 3 == 2 ? 0 : 3);
        for (var index = 0; index < items.Length; index++)
            items.SetValue(Made(item, round + index, depth + 1), index);
        return items;
    }

    static object Filled(Type type, int round, int depth)
    {
        var filled = Activator.CreateInstance(type);
        var number = round;
        foreach (var property in Own(type))
        {
            var choice = property.GetCustomAttributes<XmlElementAttribute>().Where(element => element.Type != null).OrderBy(element => element.ElementName, StringComparer.Ordinal).ToArray();
            var value = choice.Length > 0
                ? Chosen(choice, property.PropertyType.IsArray, round, depth)
                : Made(property.PropertyType, number, depth + 1);
            number++;
            // Its proxies write a list without items as an empty attribute, which ASMX refuses and svcgen reads.
            var isEmpty = property.GetCustomAttribute<XmlAttributeAttribute>() != null && value is Array && ((Array)value).Length == 0;
            property.SetValue(filled, isEmpty ? null : value);
        }
        return filled;
    }

    // One of the types of a choice, or several of them.
    static object Chosen(XmlElementAttribute[] choice, bool isArray, int round, int depth)
    {
        if (!isArray)
            return Made(choice[round % choice.Length].Type, round, depth + 1);
        var made = Enumerable.Range(round, 4).Select(index => Made(choice[index % choice.Length].Type, index, depth + 1));
        return made.Where(value => value != null).ToArray();
    }

    // What a definition says of a header: neither open attributes nor what every header has.
    static IEnumerable<PropertyInfo> Own(Type type)
    {
        var properties = type.GetProperties().Where(property => !typeof(SoapHeader).IsAssignableFrom(type) || property.DeclaringType != typeof(SoapHeader) && property.GetCustomAttribute<XmlAnyAttributeAttribute>() == null);
        return properties.OrderBy(property => property.Name, StringComparer.Ordinal);
    }

    static string Plain(object value)
    {
        if (value == null)
            return "null";
        if (value is string)
            return "\"" + string.Concat(((string)value).Select(c => c < ' ' || c > '~' ? "\\u" + ((int)c).ToString("x4") : c.ToString())) + "\"";
        if (value is DBNull)
            return "-";
        if (value is DataTable)
            return Table((DataTable)value);
        if (value is DataSet)
        {
            var set = (DataSet)value;
            var relations = set.Relations.Cast<DataRelation>().Select(relation => relation.RelationName + " " + relation.ParentTable + " " + relation.ChildTable);
            return set.DataSetName + " {" + string.Join("; ", set.Tables.Cast<DataTable>().Select(Table).Concat(relations)) + "}";
        }
        if (value is byte[])
            return Convert.ToBase64String((byte[])value);
        if (value is DateTime)
            return ((DateTime)value).ToString("o");
        if (value is double || value is float)
            return Convert.ToDouble(value).ToString("R", CultureInfo.InvariantCulture);
        if (value is char)
            return ((int)(char)value).ToString();
        if (value is Enum || value is Guid || value.GetType().IsPrimitive || value is decimal)
            return Convert.ToString(value, CultureInfo.InvariantCulture);
        if (value is XmlNode)
            return Plain(((XmlNode)value).OuterXml);
        if (value is Array)
            return "[" + string.Join(", ", ((Array)value).Cast<object>().Select(Plain)) + "]";
        var header = value as SoapHeader;
        var about = header == null ? "" : " for '" + header.Actor + "' " + header.MustUnderstand;
        var members = Own(value.GetType()).Select(property => property.Name + ": " + Plain(property.GetValue(value)));
        return value.GetType().Name + about + " {" + string.Join(", ", members) + "}";
    }
}
