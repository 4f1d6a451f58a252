<%@ WebService Language="C#" Class="Shapes" %>
using System;
using System.Xml;
using System.Xml.Serialization;
using System.Web.Services;
using System.Web.Services.Protocols;
using System.Web.Services.Description;

public enum Tone { Plain, [XmlEnum("very-friendly")] VeryFriendly, Grim }
public class Phone { public string Number; public int? Extension; }
public class Person {
  [XmlAttribute] public int id;
  [XmlAttribute] public string nick;
  [XmlAttribute] public Tone tone;
  public string Name;
  [XmlElement("Email", typeof(string)), XmlElement("Phone", typeof(Phone))] public object Contact;
  [XmlElement("Tag")] public string[] Tags;
  [XmlElement("Score")] public int[] Scores;
  [XmlArrayItem("row")] public int[][] Rows;
  public Tone? Mood;
  public DateTime? Seen;
  public int?[] Marks;
  public byte[][] Blobs;
  public Phone[] Phones;
  public Tone[] Tones;
  public Person Boss;
}
public class Price { [XmlAttribute] public string currency; [XmlText] public decimal Value; }
public class Simples {
  public string String; public bool Boolean; public int Int; public long Long; public sbyte Byte; public short Short; public byte UnsignedByte; public ushort UnsignedShort; public uint UnsignedInt; public ulong UnsignedLong;
  public float Float; public double Double; public decimal Decimal; public char Char; public Guid Guid; public DateTime DateTime;
  [XmlElement(DataType="date")] public DateTime Date; [XmlElement(DataType="duration")] public string Duration;
  public XmlQualifiedName QName; [XmlElement(DataType="hexBinary")] public byte[] Hex; public byte[] Base64; [XmlElement(DataType="anyURI")] public string Uri; [XmlElement(DataType="token")] public string Token; [XmlElement(DataType="integer")] public string Integer;
  public XmlElement Any;
}
[XmlInclude(typeof(Dog)), XmlInclude(typeof(Cat))] public abstract class Animal { [XmlAttribute] public int id; public string Name; }
public class Dog : Animal { public string Owner; }
public class Cat : Animal { }
public class Session : SoapHeader { public string Token; }
public class Empty { }

[WebService(Namespace="http://example.com/svc/shapes", Description="Shapes & more")]
public class Shapes : WebService {
  public Session session;
  [WebMethod(Description="Echoes <a> person")] public Person EchoPerson(Person person) { return person; }
  [WebMethod] public Person[] People(int count) { var p = new Person[count]; for (int i = 0; i < count; i++) p[i] = i % 2 == 1 ? null : new Person { id = i, Tags = new[]{"a","b"}, Rows = new[]{ new[]{1,2}, null, new int[0] }, Marks = new int?[]{1,null}, Contact = new Phone{Number="1"}, Seen = new DateTime(2020,1,2,3,4,5), Mood = Tone.VeryFriendly, Blobs = new[]{new byte[]{1},null} }; return p; }
  [WebMethod] public Price PriceOf(string name) { return new Price { currency = "EUR", Value = 1.50m }; }
  [WebMethod] public Simples EchoSimples(Simples simples) { return simples; }
  [WebMethod] public Simples MakeSimples() { return new Simples { Char='x', Double=1.5e10, Float=0.1f, DateTime=new DateTime(2020,1,2,3,4,5,6,DateTimeKind.Utc), QName=new XmlQualifiedName("n","urn:q"), Hex=new byte[]{1,255}, Base64=new byte[]{1,2}, Duration="P1D", Integer="123", Token="t", Uri="u" }; }
  [WebMethod] public Animal Feed(Animal animal) { return animal; }
  [WebMethod] public int Sum(int[] values) { int s = 0; if (values != null) foreach (var v in values) s += v; return s; }
  [WebMethod] public Tone[] Tones(Tone tone, Tone[] others) { return others; }
  [WebMethod] public string Kinds(Guid guid, char c, DateTime when, decimal d, double f, byte b, sbyte sb, short s, ushort us, uint ui, ulong ul, float fl, bool yes) { return guid + "|" + c; }
  [WebMethod] public int? MaybeInt(int? value) { return value; }
  [WebMethod, SoapHeader("session", Direction=SoapHeaderDirection.InOut)] public string WithHeader(string x) { session = session ?? new Session(); session.Token += "!"; return x; }
  [WebMethod, SoapHeader("session")] public string WithHeaderIn(string x) { return x; }
  [WebMethod, SoapDocumentMethod(OneWay=true)] public void Notify(string x) { }
  [WebMethod, SoapRpcMethod(Use=SoapBindingUse.Literal)] public string RpcCall(string a, int b) { return a; }
  [WebMethod(MessageName="Renamed")] public string Overload(string x) { return x; }
  [WebMethod] public Empty Nothing(Empty empty) { return empty; }
  [WebMethod] public XmlElement Raw(XmlElement xml) { return xml; }
  [WebMethod] public string[] Strings(string[] items) { return items; }
  [WebMethod] public string[][] Nested(string[][] items) { return items; }
  [WebMethod] public byte[] Bytes(byte[] data) { return data; }
  [WebMethod] public DateTime Now(DateTime when) { return when; }
  [WebMethod] public void Refs(ref int a, out string b) { a++; b = "b"; }
}
