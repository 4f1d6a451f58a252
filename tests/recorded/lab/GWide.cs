// Service "G": features of ASMX over SOAP 1.1, SOAP 1.2, HTTP GET and HTTP POST.
using System;
using System.Collections;
using System.Collections.Generic;
using System.ComponentModel;
using System.Data;
using System.Web;
using System.Web.Services;
using System.Web.Services.Description;
using System.Web.Services.Protocols;
using System.Xml;
using System.Xml.Schema;
using System.Xml.Serialization;

namespace Lab.G {
  public class Pt { public int X; public int Y; }
  public class Pt3 : Pt { public int Z; }
  public class Box { public string Label; public Pt Corner; public byte[] Data; public string[] Notes; }

  [XmlType("AddressType", Namespace = "http://lab.example/g/common"), XmlRoot("address", Namespace = "http://lab.example/g/common")]
  public class Address {
    public string Street;
    [XmlElement(Form = XmlSchemaForm.Unqualified)] public string Zip;
    [XmlElement(Namespace = "http://lab.example/g/other")] public string Country;
    public Pt Where;
    [XmlArray(Namespace = "http://lab.example/g/arr"), XmlArrayItem("line", Namespace = "http://lab.example/g/item")] public string[] Lines;
    [XmlAttribute] public string kind;
    [XmlAttribute(Namespace = "http://lab.example/g/attr")] public string lang;
    [XmlAttribute(Form = XmlSchemaForm.Qualified)] public string tag;
    [XmlAttribute("lang", Namespace = "http://www.w3.org/XML/1998/namespace")] public string XmlLang;
  }
  [XmlRoot("Ticket", Namespace = "http://lab.example/g/hdr")]
  public class Ticket : SoapHeader { public string Key; [XmlAttribute] public int level; }
  [XmlRoot("Trace", Namespace = "http://lab.example/g/hdr2")]
  public class Trace : SoapHeader { [XmlText] public string Id; }

  public enum Odd { [XmlEnum("two words")] Two, [XmlEnum("1st")] First, [XmlEnum("a/b")] Slash, Plain, [XmlEnum("plain")] Lower, [XmlEnum("")] Nothing, [XmlEnum("é")] Accent }
  [Flags] public enum Access { None = 0, Read = 1, Write = 2, [XmlEnum("del")] Delete = 4, All = 7 }
  [Flags] public enum NoZero { A = 1, B = 2, C = 4 }
  public enum Num { Zero, Five = 5, Six }

  public class Open {
    [XmlAttribute] public int known;
    [XmlAnyAttribute] public XmlAttribute[] Attrs;
    public string First;
    [XmlAnyElement] public XmlElement[] Rest;
    public string Last;
  }
  public class OpenNs { [XmlAnyElement(Namespace = "urn:a")] public XmlElement[] A; [XmlAnyElement("one", Namespace = "urn:b")] public XmlElement One; public string Last; }
  public class Mixed { [XmlText, XmlAnyElement] public XmlNode[] Nodes; }
  public class MixedText { [XmlAttribute] public string a; [XmlElement("b", typeof(string)), XmlElement("i", typeof(int)), XmlText(typeof(string))] public object[] Items; }
  public class Defaults {
    [DefaultValue(5)] public int Five = 5; [DefaultValue("abc")] public string Abc = "abc"; [DefaultValue(false)] public bool Off; [DefaultValue(Num.Six)] public Num N = Num.Six;
    [DefaultValue(1.5)] public double D = 1.5; [XmlAttribute, DefaultValue(7)] public int at = 7; [DefaultValue(typeof(decimal), "2.50")] public decimal M = 2.50m;
  }
  public class Times {
    public DateTime DT; [XmlElement(DataType = "date")] public DateTime D; [XmlElement(DataType = "time")] public DateTime T; public TimeSpan Span; [XmlAttribute(DataType = "time")] public DateTime at;
    [XmlElement(DataType = "gYear")] public string Y; [XmlElement(DataType = "duration")] public string Du; [XmlElement(DataType = "gMonthDay")] public string MD; public DateTimeOffset Off;
  }
  public class Nils {
    public Pt Obj; [XmlElement(IsNullable = true)] public Pt NilObj; public byte[] Bytes; [XmlElement(IsNullable = true)] public byte[] NilBytes; public string Text; [XmlElement(IsNullable = true)] public string NilText;
    public int? Int; public int[] List; [XmlArray(IsNullable = true)] public int[] NilList; [XmlArrayItem(IsNullable = false)] public string[] NoNilItems; public string[] Items; public byte[][] Blobs; public Num? E; public XmlElement Any;
  }
  public class Arrays {
    public int[] A; [XmlArrayItem("n")] public int[] B; [XmlArrayItem("m")] public int[] C; public int[][] Jag; public string[] S; public List<int> L; public Num[] E; public object[] O; public Pt[] P; public byte[][] Blobs; public DateTime[] D; public Guid[] G; public char[] Ch; public int?[] NI; public bool[] Bo; public XmlElement[] X;
    [XmlElement("flat")] public Pt[] Flat; [XmlAttribute] public int[] nums; [XmlAttribute] public Num[] enums; [XmlText] public string[] text;
  }
  public class Bag { public object Any; public object[] Many; public ArrayList List; }

  [XmlSchemaProvider("GetTypedDataSetSchema"), XmlRoot("StockSet")]
  public class StockSet : DataSet {
    public StockSet() { DataSetName = "StockSet"; Prefix = ""; Namespace = "http://lab.example/g/stock"; EnforceConstraints = true; SchemaSerializationMode = SchemaSerializationMode.IncludeSchema;
      DataTable t = Tables.Add("Item"); t.Columns.Add("Id", typeof(int)).AllowDBNull = false; t.Columns.Add("Name", typeof(string)); t.PrimaryKey = new[] { t.Columns[0] }; }
    protected override bool ShouldSerializeTables() { return false; }
    protected override bool ShouldSerializeRelations() { return false; }
    protected override XmlSchema GetSchemaSerializable() { var ms = new System.IO.MemoryStream(); WriteXmlSchema(new XmlTextWriter(ms, null)); ms.Position = 0; return XmlSchema.Read(new XmlTextReader(ms), null); }
    public static XmlSchemaComplexType GetTypedDataSetSchema(XmlSchemaSet xs) {
      StockSet ds = new StockSet(); var type = new XmlSchemaComplexType(); var seq = new XmlSchemaSequence(); var any = new XmlSchemaAny(); any.Namespace = ds.Namespace; seq.Items.Add(any); type.Particle = seq; xs.Add(ds.GetSchemaSerializable()); return type; }
  }
  public class Holder { public string Before; public DataSet Set; public string After; }

  [WebService(Namespace = "http://lab.example/g", Name = "GWide", Description = "Wide & <wild>")]
  [WebServiceBinding(ConformsTo = WsiProfiles.None)]
  public class GWide : WebService {
    // several results
    [WebMethod] public string OutMiddle(out int first, string s, ref Pt p, out string[] list) { first = 1; list = new[] { "a", null }; if (p != null) p.X++; return s + "!"; }
    [WebMethod] public void OnlyOut(out int x, out string y) { x = 1; y = "two"; }
    [WebMethod] public void RefOnly(ref int n) { n++; }
    [WebMethod] public string OutNull(out string a, out Pt b, out int? c) { a = null; b = null; c = null; return null; }
    [WebMethod] [return: XmlElement("answer")] public int Named([XmlElement("in")] int a, [XmlElement("also")] out string b) { b = "b"; return a; }
    [WebMethod] public string InOnly(string a, int b) { return a + b; }
    // bare
    [WebMethod, SoapDocumentMethod(ParameterStyle = SoapParameterStyle.Bare)] public int BareInt(int number) { return number; }
    [WebMethod, SoapDocumentMethod(ParameterStyle = SoapParameterStyle.Bare)] public string BareText(string text) { return text == null ? "null" : "[" + text + "]"; }
    [WebMethod, SoapDocumentMethod(ParameterStyle = SoapParameterStyle.Bare)] public Pt BareObject(Pt spot) { return spot; }
    [WebMethod, SoapDocumentMethod(ParameterStyle = SoapParameterStyle.Bare)] public string[] BareList(string[] names) { return names; }
    [WebMethod, SoapDocumentMethod(ParameterStyle = SoapParameterStyle.Bare)] public string BareThree(string s3, int n3, Pt p3) { return (s3 ?? "null") + "," + n3 + "," + (p3 == null ? "null" : p3.X + "/" + p3.Y); }
    [WebMethod, SoapDocumentMethod(ParameterStyle = SoapParameterStyle.Bare)] public void BareNone() { }
    [WebMethod, SoapDocumentMethod(ParameterStyle = SoapParameterStyle.Bare)] public int BareOut(int bin, out string bout) { bout = "o"; return bin; }
    [WebMethod, SoapDocumentMethod(ParameterStyle = SoapParameterStyle.Bare)] [return: XmlElement("reply", Namespace = "urn:reply")] public Pt BareNamed([XmlElement("ask", Namespace = "urn:ask")] Pt p) { return p; }
    [WebMethod, SoapDocumentMethod("urn:custom-action", RequestElementName = "AskIt", ResponseElementName = "GotIt", RequestNamespace = "urn:rq", ResponseNamespace = "urn:rs")] public string Renamed(string s) { return s; }
    // XML as it is
    [WebMethod, SoapDocumentMethod("http://lab.example/g/lote/recepcao", ParameterStyle = SoapParameterStyle.Bare)] [return: XmlElement("loteResultMsg", Namespace = "http://lab.example/g/lote")] public XmlNode Lote([XmlElement("loteDadosMsg", Namespace = "http://lab.example/g/lote")] XmlNode dados) { if (dados == null) return null; XmlDocument d = new XmlDocument(); d.LoadXml("<ret xmlns='urn:nfe' versao='4.00'><tipo>" + dados.NodeType + "</tipo><nome>" + dados.LocalName + "</nome></ret>"); return d.DocumentElement; }
    [WebMethod] public XmlNode EchoNode(XmlNode node) { return node; }
    [WebMethod] public XmlDocument EchoDoc(XmlDocument doc) { return doc; }
    [WebMethod] public XmlElement EchoElement(XmlElement el) { return el; }
    [WebMethod] public XmlElement[] EchoElements(XmlElement[] els) { return els; }
    [WebMethod] [return: XmlAnyElement] public XmlElement AnyOne([XmlAnyElement] XmlElement any) { return any; }
    [WebMethod] [return: XmlAnyElement] public XmlElement[] AnyMany(string first, [XmlAnyElement] XmlElement[] any) { return any; }
    [WebMethod, SoapDocumentMethod(ParameterStyle = SoapParameterStyle.Bare)] [return: XmlAnyElement] public XmlElement AnyBare([XmlAnyElement] XmlElement any) { return any; }
    [WebMethod] public Open EchoOpen(Open v) { return v; }
    [WebMethod] public OpenNs EchoOpenNs(OpenNs v) { return v; }
    [WebMethod] public Mixed EchoMixed(Mixed v) { return v; }
    [WebMethod] public MixedText EchoMixedText(MixedText v) { return v; }
    // namespaces
    [WebMethod] public Address EchoAddress(Address a) { return a; }
    [WebMethod] [return: XmlElement("out", Namespace = "urn:out")] public Address EchoAddressNs([XmlElement("in", Namespace = "urn:in")] Address a) { return a; }
    [WebMethod] public Address GetAddress() { return new Address { Street = "s", Zip = "z", Country = "c", kind = "k", lang = "en" }; }
    [WebMethod] [return: XmlElement("out", Namespace = "urn:out")] public Address GetAddressNs() { return new Address { Street = "s" }; }
    [WebMethod] public Address GetAddressNull() { return null; }
    [WebMethod] public Address[] GetAddresses() { return new[] { new Address { Street = "s" }, null }; }
    [WebMethod] public string Unqualified([XmlElement(Form = XmlSchemaForm.Unqualified)] string s, [XmlElement(Namespace = "urn:t")] string t) { return (s ?? "null") + (t ?? "null"); }
    [WebMethod] [return: XmlArray("items", Namespace = "urn:items"), XmlArrayItem("it", Namespace = "urn:it")] public string[] ListNs([XmlArray("ids"), XmlArrayItem("id")] int[] v) { return v == null ? null : Array.ConvertAll(v, i => i.ToString()); }
    // headers
    public Ticket ticket; public Trace trace; public SoapUnknownHeader[] unknown;
    [WebMethod, SoapHeader("ticket", Direction = SoapHeaderDirection.InOut)] public string WithTicket(string how) {
      string r = ticket == null ? "none" : "key=" + ticket.Key + " level=" + ticket.level + " actor=" + ticket.Actor + " role=" + ticket.Role + " mu=" + ticket.MustUnderstand + " du=" + ticket.DidUnderstand + " relay=" + ticket.Relay + " enc=" + ticket.EncodedMustUnderstand;
      if (how == "null") ticket = null; else { if (ticket == null) ticket = new Ticket(); ticket.Key += "!"; ticket.Actor = ""; ticket.MustUnderstand = false; ticket.Relay = false; if (how == "actor") { ticket.Actor = "urn:next"; ticket.MustUnderstand = true; ticket.Relay = true; } }
      return r; }
    [WebMethod, SoapHeader("ticket"), SoapHeader("trace", Direction = SoapHeaderDirection.Out), SoapHeader("unknown")] public string TwoHeaders() { trace = new Trace { Id = "t1" }; string r = ticket == null ? "none" : ticket.Key; foreach (SoapUnknownHeader u in unknown) { r += " " + u.Element.Name + "|" + u.MustUnderstand + "|" + u.Actor; u.DidUnderstand = true; } return r; }
    [WebMethod, SoapHeader("ticket", Direction = SoapHeaderDirection.InOut | SoapHeaderDirection.Fault)] public string FaultHeader() { if (ticket == null) ticket = new Ticket(); ticket.Key = "in fault"; throw new SoapException("told", SoapException.ClientFaultCode, "http://lab.example/actor", Detail()); }
    static XmlNode Detail() { XmlDocument d = new XmlDocument(); d.LoadXml("<detail><my:info xmlns:my='urn:my' at='1'>why &amp; <b>how</b></my:info></detail>"); return d.DocumentElement; }
    // overloads
    [WebMethod] public string Over(int a) { return "int"; }
    [WebMethod(MessageName = "OverText", Description = "The text one")] public string Over(string a) { return "text"; }
    // enumerations
    [WebMethod] public Odd EchoOdd(Odd v) { return v; }
    [WebMethod] public string ShowOdd(Odd v) { return v.ToString(); }
    [WebMethod] public Num EchoNum(Num v) { return v; }
    [WebMethod] public Access EchoAccess(Access v) { return v; }
    [WebMethod] public string ShowAccess(Access v) { return v + "=" + (int)v; }
    [WebMethod] public NoZero EchoNoZero(NoZero v) { return v; }
    [WebMethod] public Access GetAccess(int n) { return (Access)n; }
    [WebMethod] public Num GetNum(int n) { return (Num)n; }
    [WebMethod] public Odd[] EchoOdds(Odd[] v) { return v; }
    // anyType
    [WebMethod, XmlInclude(typeof(Pt)), XmlInclude(typeof(Pt3)), XmlInclude(typeof(Address)), XmlInclude(typeof(Odd)), XmlInclude(typeof(Access))] public object EchoObject(object v) { return v; }
    [WebMethod] public string ShowObject(object v) { return v == null ? "null" : v.GetType().Name + ":" + (v is XmlNode[] ? ((XmlNode[])v).Length + "" : Convert.ToString(v, System.Globalization.CultureInfo.InvariantCulture)); }
    [WebMethod] public Bag EchoBag(Bag v) { return v; }
    [WebMethod] public Bag GetBag() { return new Bag { Any = new Pt3 { X = 1, Z = 3 }, Many = new object[] { "s", 1, 2L, (short)3, (byte)4, (sbyte)-4, true, 1.5, 2.5f, 3.5m, new DateTime(2024, 2, 29, 1, 2, 3, DateTimeKind.Utc), Guid.Empty, 'c', new byte[] { 1 }, Odd.Two, new Pt(), null, new[] { "a" }, new[] { 1 }, new XmlQualifiedName("q", "urn:q"), 5u, 6ul, (ushort)7, TimeSpan.FromMinutes(1), Access.Read | Access.Write, new object[] { 1 } }, List = new ArrayList { 1, "x" } }; }
    [WebMethod] public object GetForeign() { return new Version(1, 2); }
    [WebMethod] public Pt GetDerived() { return new Pt3 { X = 1, Y = 2, Z = 3 }; }
    // data sets
    static DataSet Make() {
      DataSet d = new DataSet("Shop"); DataTable t = d.Tables.Add("Item");
      t.Columns.Add("Id", typeof(int)).AllowDBNull = false; t.Columns.Add("Name", typeof(string)).MaxLength = 20; t.Columns.Add("When", typeof(DateTime)); t.Columns.Add("Price", typeof(decimal)); t.Columns.Add("Ok", typeof(bool)); t.Columns.Add("Raw", typeof(byte[])); t.Columns.Add("G", typeof(Guid)); t.Columns.Add("Two Words", typeof(string)); t.Columns.Add("Att", typeof(int)).ColumnMapping = MappingType.Attribute; t.Columns.Add("Hid", typeof(int)).ColumnMapping = MappingType.Hidden; t.Columns.Add("Span", typeof(TimeSpan)); t.Columns.Add("Def", typeof(int)).DefaultValue = 9;
      t.PrimaryKey = new[] { t.Columns[0] };
      DataTable l = d.Tables.Add("Line"); l.Columns.Add("Item", typeof(int)); l.Columns.Add("Qty", typeof(double)); d.Relations.Add("lines", t.Columns[0], l.Columns[0]);
      t.Rows.Add(1, "a <b>", new DateTime(2024, 2, 29, 12, 34, 56, DateTimeKind.Unspecified), 1.50m, true, new byte[] { 1, 2 }, new Guid("6f9619ff-8b86-d011-b42d-00c04fc964ff"), "tw", 3, 4, TimeSpan.FromHours(1), 10); t.Rows.Add(2); l.Rows.Add(1, 1.5); d.AcceptChanges(); return d; }
    [WebMethod] public DataSet GetSet() { return Make(); }
    [WebMethod] public DataSet GetEmptySet() { return new DataSet(); }
    [WebMethod] public DataSet GetNullSet() { return null; }
    [WebMethod] public DataSet GetChanges() { DataSet d = new DataSet("Shop"); DataTable t = d.Tables.Add("Item"); t.Columns.Add("Id", typeof(int)); t.Columns.Add("Name", typeof(string)); t.Rows.Add(1, "one"); t.Rows.Add(2, "two"); t.Rows.Add(3, "three"); d.AcceptChanges(); t.Rows[0]["Name"] = "uno"; t.Rows[1].Delete(); t.Rows.Add(4, "four"); t.Rows[2].RowError = "bad row"; t.Rows[2].SetColumnError("Name", "bad name"); return d; }
    [WebMethod] public DataSet EchoSet(DataSet d) { return d; }
    [WebMethod] public string ShowSet(DataSet d) { if (d == null) return "null"; string r = d.DataSetName + ":"; foreach (DataTable t in d.Tables) { r += t.TableName + "("; foreach (DataColumn c in t.Columns) r += c.ColumnName + " " + c.DataType.Name + ","; r += ")["; foreach (DataRow w in t.Rows) { r += w.RowState + " "; if (w.RowState != DataRowState.Deleted) foreach (object o in w.ItemArray) r += (o is DBNull ? "NULL" : Convert.ToString(o, System.Globalization.CultureInfo.InvariantCulture)) + "|"; r += ";"; } r += "]"; } return r; }
    [WebMethod] public Holder EchoHolder(Holder h) { return h; }
    [WebMethod] public DataTable GetTable() { return Make().Tables[1].Copy(); }
    [WebMethod] public DataTable GetTableNs() { DataTable t = new DataTable("Row", "urn:row"); t.Columns.Add("V", typeof(string)); t.Rows.Add("x"); return t; }
    [WebMethod] public string ShowTable(DataTable t) { return t == null ? "null" : t.TableName + " " + t.Columns.Count + " " + t.Rows.Count + (t.Rows.Count > 0 ? " " + t.Rows[0][0] : ""); }
    [WebMethod] public StockSet GetStock() { StockSet s = new StockSet(); s.Tables[0].Rows.Add(1, "a"); s.AcceptChanges(); return s; }
    [WebMethod] public int CountStock(StockSet s) { return s == null ? -1 : s.Tables[0].Rows.Count; }
    // lists, defaults, flags, nil, times
    [WebMethod] [return: XmlElement("item")] public string[] Flat([XmlElement("n")] int[] n) { return n == null ? null : Array.ConvertAll(n, i => i < 0 ? null : "v" + i); }
    [WebMethod] [return: XmlElement("item", IsNullable = true)] public string[] FlatNil(int n) { return n == 0 ? new string[0] : new[] { "a", null }; }
    [WebMethod] public Defaults EchoDefaults(Defaults v) { return v; }
    [WebMethod] public Defaults GetDefaults() { return new Defaults { Five = 6, Abc = null, Off = true, N = Num.Zero, D = 2, at = 8, M = 2.5m }; }
    [WebMethod] public string ShowDefaults(Defaults v) { return v.Five + v.Abc + v.Off + v.N + v.D + v.at + v.M; }
    [WebMethod] public Nils EchoNils(Nils v) { return v; }
    [WebMethod] public string ShowNils(Nils v) { return "Obj=" + (v.Obj == null) + " NilObj=" + (v.NilObj == null) + " Bytes=" + (v.Bytes == null ? "null" : v.Bytes.Length + "") + " NilBytes=" + (v.NilBytes == null ? "null" : v.NilBytes.Length + "") + " Text=" + (v.Text == null ? "null" : "[" + v.Text + "]") + " NilText=" + (v.NilText == null ? "null" : "[" + v.NilText + "]") + " Int=" + v.Int + " List=" + (v.List == null ? "null" : v.List.Length + "") + " NilList=" + (v.NilList == null ? "null" : v.NilList.Length + "") + " Items=" + (v.Items == null ? "null" : string.Join("|", Array.ConvertAll(v.Items, x => x ?? "NULL"))) + " NoNil=" + (v.NoNilItems == null ? "null" : string.Join("|", Array.ConvertAll(v.NoNilItems, x => x ?? "NULL"))) + " E=" + v.E; }
    [WebMethod] public Arrays EchoArrays(Arrays v) { return v; }
    [WebMethod] public Arrays GetArrays() { return new Arrays { A = new[] { 1 }, B = new[] { 2 }, C = new[] { 3 }, Jag = new[] { new[] { 1 }, null, new int[0] }, S = new[] { "s", null, "" }, L = new List<int> { 4 }, E = new[] { Num.Five }, O = new object[] { 1, null }, P = new[] { new Pt3(), null }, Blobs = new[] { new byte[] { 1 }, null, new byte[0] }, D = new[] { new DateTime(2024, 1, 1) }, G = new[] { Guid.Empty }, Ch = new[] { 'a' }, NI = new int?[] { 1, null }, Bo = new[] { true }, Flat = new[] { new Pt(), null }, nums = new[] { 1, 2 }, enums = new[] { Num.Zero, Num.Six }, text = new[] { "t1", "t2" } }; }
    [WebMethod] public Times EchoTimes(Times v) { return v; }
    [WebMethod] public Times GetTimes() { return new Times { DT = new DateTime(2024, 2, 29, 12, 34, 56, 780, DateTimeKind.Utc), D = new DateTime(2024, 2, 29), T = new DateTime(1, 1, 1, 12, 34, 56, 700), Span = TimeSpan.FromMinutes(90), at = new DateTime(1, 1, 1, 1, 2, 3), Y = "2024", Du = "P1D", MD = "--02-29" }; }
    [WebMethod] public string ShowTime([XmlElement(DataType = "time")] DateTime t) { return t.ToString("o") + " " + t.Kind; }
    [WebMethod] public string ShowDay([XmlElement(DataType = "date")] DateTime d) { return d.ToString("o") + " " + d.Kind; }
    [WebMethod] public string ShowDate(DateTime d) { return d.ToString("o") + " " + d.Kind; }
    [WebMethod] public DateTime EchoDate(DateTime d) { return d; }
    [WebMethod] public DateTime GetDate(string kind) { return new DateTime(2024, 2, 29, 12, 34, 56, (DateTimeKind)Enum.Parse(typeof(DateTimeKind), kind)); }
    [WebMethod] public TimeSpan EchoSpan(TimeSpan t) { return t; }
    [WebMethod] public decimal EchoDecimal(decimal v) { return v; }
    [WebMethod] public double EchoDouble(double v) { return v; }
    [WebMethod] public float EchoFloat(float v) { return v; }
    [WebMethod] public int EchoInt(int v) { return v; }
    [WebMethod] public long EchoLong(long v) { return v; }
    [WebMethod] public byte EchoByte(byte v) { return v; }
    [WebMethod] public bool EchoBool(bool v) { return v; }
    [WebMethod] public string EchoChar(char v) { return ((int)v).ToString(); }
    [WebMethod] public Guid EchoGuid(Guid v) { return v; }
    [WebMethod] public int[] EchoInts(int[] v) { return v; }
    [WebMethod] public string ShowDates(DateTime[] v) { return v == null ? "null" : string.Join(",", Array.ConvertAll(v, x => x.ToString("o"))); }
    [WebMethod] public string ShowTexts(string[] v) { return v == null ? "null" : v.Length + ":" + string.Join("|", Array.ConvertAll(v, x => x ?? "NULL")); }
    [WebMethod] public int? EchoNullable(int? v) { return v; }
    [WebMethod] public Box EchoBox(Box v) { return v; }
    // state, caching, one way
    [WebMethod(EnableSession = true)] public int Counter() { object o = Session["n"]; int n = o == null ? 1 : (int)o + 1; Session["n"] = n; return n; }
    [WebMethod(CacheDuration = 60)] public string Cached(string k) { return k; }
    [WebMethod(CacheDuration = 60)] public string CachedNone() { return "c"; }
    [WebMethod(BufferResponse = false)] public string Unbuffered() { return "u"; }
    [WebMethod, SoapDocumentMethod(OneWay = true)] public void Fire(string s) { if (s == "throw") throw new Exception("never seen"); }
    [WebMethod, SoapDocumentMethod(OneWay = true), SoapHeader("ticket")] public void FireHeader(string s) { }
    [WebMethod] public void Void(string s) { }
  }

  [WebService(Namespace = "http://lab.example/g/route/")]
  [SoapDocumentService(SoapBindingUse.Literal, SoapParameterStyle.Wrapped, RoutingStyle = SoapServiceRoutingStyle.RequestElement)]
  public class GRoute : WebService {
    [WebMethod] public string First(string s) { return "1" + s; }
    [WebMethod, SoapDocumentMethod(Action = "")] public string Second(string s) { return "2" + s; }
    [WebMethod, SoapDocumentMethod(Action = "urn:third")] public string Third(string s) { return "3" + s; }
    [WebMethod, SoapDocumentMethod(ParameterStyle = SoapParameterStyle.Bare)] public string Fourth(Pt fourth) { return fourth == null ? "null" : fourth.X + ""; }
  }

  public class GTempuri : WebService { [WebMethod] public string HelloWorld(string[] who) { return who == null ? "null" : who.Length + ""; } [WebMethod] public int Add(int a, int b) { return a + b; } [WebMethod] public byte[] Blob(byte[] b) { return b; } }
  [WebService(Namespace = "urn:lab:g")] public class GUrn : WebService { [WebMethod] public string Hi(string s, int[] n) { return s; } }
  [WebService(Namespace = "http://lab.example/g/slash/")] public class GSlash : WebService { [WebMethod] public string Hi(string s, int[] n) { return s; } }

  public class Tree { public string Name; public Tree Left; public Tree Right; public string[] Tags; public object Any; public int? N; public byte[] B; public Num E; [SoapElement("renamed")] public string Other; [SoapIgnore] public string Hidden; [SoapAttribute] public string at; public DateTime D; }
  [WebService(Namespace = "http://lab.example/g/rpc"), SoapRpcService]
  [WebServiceBinding(ConformsTo = WsiProfiles.None)]
  public class GRpc : WebService {
    [WebMethod] public int Sum(int a, int b) { return a + b; }
    [WebMethod] public string Text(string s) { return s == null ? "null" : "[" + s + "]"; }
    [WebMethod] public string NullText() { return null; }
    [WebMethod] public Pt EchoPt(Pt p) { return p; }
    [WebMethod] public Pt[] EchoPts(Pt[] p) { return p; }
    [WebMethod] public string ShowPts(Pt[] p) { return p == null ? "null" : p.Length + ":" + string.Join(",", Array.ConvertAll(p, x => x == null ? "null" : x.GetType().Name + x.X)) + (p.Length > 1 && p[0] == p[1] ? " same" : ""); }
    [WebMethod] public string[] EchoTexts(string[] s) { return s; }
    [WebMethod] public string ShowTexts(string[] s) { return s == null ? "null" : string.Join("|", Array.ConvertAll(s, x => x ?? "NULL")); }
    [WebMethod] public Tree EchoTree(Tree t) { return t; }
    [WebMethod] public Tree GetTree() { Tree l = new Tree { Name = "shared" }; return new Tree { Name = "root", Left = l, Right = l, Tags = new[] { "a", null }, Any = 5, N = null, B = new byte[] { 1 }, E = Num.Five, Other = "o", at = "x" }; }
    [WebMethod] public Tree GetLoop() { Tree t = new Tree { Name = "loop" }; t.Left = t; return t; }
    [WebMethod] public string OutRef(int a, ref string b, out Pt c) { c = new Pt { X = a }; b += "!"; return "r"; }
    [WebMethod] public void Nothing() { }
    [WebMethod] public object EchoObject(object o) { return o; }
    [WebMethod, SoapInclude(typeof(Pt3))] public Pt GetDerived() { return new Pt3 { X = 1, Z = 3 }; }
    [WebMethod] public int[][] EchoJag(int[][] v) { return v; }
    [WebMethod] public DateTime EchoDate(DateTime d) { return d; }
    [WebMethod] public Num EchoNum(Num n) { return n; }
    [WebMethod] public string Throw() { throw new Exception("boom"); }
    [WebMethod, SoapRpcMethod(OneWay = true)] public void Fire(string s) { }
    [WebMethod, SoapRpcMethod("urn:custom", RequestElementName = "Ask", ResponseElementName = "Got", RequestNamespace = "urn:rq", ResponseNamespace = "urn:rs")] public string Renamed(string s) { return s; }
    [WebMethod, SoapRpcMethod(Use = SoapBindingUse.Literal)] public Pt LitPt(Pt p, string s) { return p; }
    [WebMethod, SoapDocumentMethod(Use = SoapBindingUse.Encoded)] public Pt DocEnc(Pt p, string s) { return p; }
  }

  [WebService(Namespace = "http://lab.example/g/bind", Name = "GBind")]
  [WebServiceBinding(Name = "One", Namespace = "http://lab.example/g/bind/one", ConformsTo = WsiProfiles.BasicProfile1_1, EmitConformanceClaims = true)]
  [WebServiceBinding(Name = "Two", Namespace = "http://lab.example/g/bind/two")]
  public class GBind : WebService {
    [WebMethod, SoapDocumentMethod(Binding = "One")] public string InOne(string s) { return s; }
    [WebMethod, SoapDocumentMethod(Binding = "Two")] public string InTwo(string s) { return s; }
    [WebMethod] public string InOwn(string s) { return s; }
  }

  [WebService(Namespace = "http://lab.example/g/enc")]
  [WebServiceBinding(ConformsTo = WsiProfiles.None)]
  public class GEnc : WebService {
    [WebMethod, SoapRpcMethod] public Pt RpcEnc(Pt p, string s) { return p; }
    [WebMethod, SoapRpcMethod(Use = SoapBindingUse.Literal)] public Pt RpcLit(Pt p, string s, int[] n) { return p; }
    [WebMethod, SoapRpcMethod(Use = SoapBindingUse.Literal)] public string RpcLitOut(int a, out string b) { b = null; return a == 0 ? null : "r"; }
    [WebMethod, SoapDocumentMethod(Use = SoapBindingUse.Encoded)] public Pt DocEnc(Pt p, string s) { return p; }
    [WebMethod] public Pt DocLit(Pt p) { return p; }
  }

  public class Pass : SoapHeader { public string Key; [SoapAttribute] public string level; public Pt Where; public int[] Nums; public int? N; }
  public class Trail : SoapHeader { public string Id; public Pt Where; }

  [WebService(Namespace = "http://lab.example/g/head")]
  [WebServiceBinding(ConformsTo = WsiProfiles.None)]
  [SoapInclude(typeof(Pt3))]
  public class GHead : WebService {
    public Pass pass;
    public Trail trail;
    public SoapUnknownHeader[] unknown;

    [WebMethod, SoapRpcMethod, SoapHeader("pass", Direction = SoapHeaderDirection.InOut)]
    public string WithPass(string how) {
      if (pass == null) {
        if (how == "none") return "null";
        pass = new Pass { Key = "new" };
        return "made";
      }
      var where = pass.Where == null ? "null" : pass.Where.X + "," + pass.Where.Y + (pass.Where is Pt3 ? "+" : "");
      var nums = pass.Nums == null ? "null" : string.Join(",", pass.Nums);
      var text = string.Join("|", pass.Key ?? "null", pass.level ?? "null", where, nums, pass.N, pass.MustUnderstand, pass.Actor);
      if (how == "actor") { pass.Actor = "urn:next"; pass.MustUnderstand = true; }
      return text;
    }

    [WebMethod, SoapRpcMethod, SoapHeader("pass", Direction = SoapHeaderDirection.InOut), SoapHeader("trail", Direction = SoapHeaderDirection.InOut)]
    public Pt Two(Pt p) {
      if (trail == null) trail = new Trail { Id = "t" };
      if (pass != null) pass.Where = p;
      return p;
    }

    [WebMethod, SoapRpcMethod, SoapHeader("pass", Direction = SoapHeaderDirection.Fault)]
    public string Fails(string how) {
      pass = new Pass { Key = how, Where = new Pt() };
      throw new SoapException("no", SoapException.ClientFaultCode);
    }

    [WebMethod, SoapRpcMethod, SoapHeader("pass"), SoapHeader("unknown")]
    public string Unknown(string s) {
      var text = s + (pass == null ? "" : "|" + pass.Key);
      foreach (var header in unknown) { text += "|" + header.Element.Name; header.DidUnderstand = true; }
      return text;
    }

    [WebMethod, SoapRpcMethod(Use = SoapBindingUse.Literal), SoapHeader("pass", Direction = SoapHeaderDirection.InOut)]
    public string Literal(string s) { return s + (pass == null ? "" : pass.Key); }

    [WebMethod, SoapDocumentMethod(Use = SoapBindingUse.Encoded), SoapHeader("trail", Direction = SoapHeaderDirection.InOut)]
    public string DocEnc(string s) { return s + (trail == null ? "" : trail.Id); }
  }

  [WebService(Namespace = "http://lab.example/g/rpchead"), SoapRpcService]
  [WebServiceBinding(ConformsTo = WsiProfiles.None)]
  public class GRpcHead : WebService {
    public Trail trail;

    [WebMethod, SoapHeader("trail", Direction = SoapHeaderDirection.InOut)]
    public string Traced(string s) {
      if (trail == null) trail = new Trail { Id = "t", Where = new Pt() };
      return s + trail.Id;
    }

    [WebMethod, SoapRpcMethod(Use = SoapBindingUse.Literal), SoapHeader("trail", Direction = SoapHeaderDirection.InOut)]
    public string Literal(string s) { return s + (trail == null ? "" : trail.Id); }
  }
}
