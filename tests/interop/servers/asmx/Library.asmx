<%@ WebService Language="C#" Class="Example.Library" %>
using System;
using System.Web.Services;
using System.Web.Services.Protocols;
using System.Xml.Serialization;

// The service of `tests/definitions/wider/library.yaml`, as ASMX has it: its operations answer what they get.
namespace Example
{
    public enum Genre { Novel, Poem, Play }

    public class Person
    {
        public string Name;
        [XmlElement("Phone")] public string[] Phones;
    }

    public class Money
    {
        [XmlAttribute] public string currency;
        [XmlText] public decimal Amount;
    }

    public class Book
    {
        [XmlAttribute] public int number;
        [XmlAttribute] public string shelf;
        [XmlAttribute] public Genre genre;
        public string Title;
        public Money Price;
        public DateTime Printed;
        public int? Pages;
        public Genre? Other;
        public string[] Authors;
        public int[] Parts;
        public byte[] Cover;
        public Person Lender;
        public Guid Id;
        public double Weight;
        public bool Lent;
        [XmlElement("Email", typeof(string)), XmlElement("Letter", typeof(Person))] public object Contact;
        [XmlElement("Next")] public Book[] Next;
    }

    [XmlInclude(typeof(Map)), XmlInclude(typeof(Recording))]
    public abstract class Item
    {
        [XmlAttribute] public int id;
        public string Label;
    }

    public class Map : Item
    {
        public double Scale;
    }

    public class Recording : Item
    {
        public int Minutes;
        public string[] Tracks;
    }

    public class Visit : SoapHeader
    {
        [XmlAttribute] public int count;
        public string Who;
    }

    [WebService(Namespace = "http://example.com/library")]
    public class Library : WebService
    {
        public Visit visit;

        [WebMethod] public Book EchoBook(Book book) { return book; }
        [WebMethod] public Book[] EchoBooks(Book[] books) { return books; }
        [WebMethod] public Item EchoItem(Item item) { return item; }
        [WebMethod] public Item[] EchoItems(Item[] items) { return items; }
        [WebMethod] public int[][] EchoTable(int[][] table) { return table; }
        [WebMethod] public int?[] EchoNumbers(int?[] numbers) { return numbers; }
        [WebMethod] public string[] EchoTexts(string[] texts) { return texts; }
        [WebMethod] public Genre EchoGenre(Genre genre) { return genre; }
        [WebMethod] public Genre[] EchoGenres(Genre[] genres) { return genres; }
        [WebMethod] public string EchoText(string text) { return text; }
        [WebMethod] public byte[] EchoBytes(byte[] bytes) { return bytes; }
        [WebMethod] public DateTime EchoDate(DateTime date) { return date; }
        [WebMethod] public decimal EchoDecimal(decimal value) { return value; }
        [WebMethod] public double EchoDouble(double value) { return value; }
        [WebMethod] public float EchoFloat(float value) { return value; }
        [WebMethod] public char EchoChar(char value) { return value; }
        [WebMethod] public bool EchoBool(bool value) { return value; }
        [WebMethod] public Guid EchoGuid(Guid value) { return value; }
        [WebMethod] public byte EchoByte(byte value) { return value; }
        [WebMethod] public long Add(int a, long b) { return a + b; }
        [WebMethod] public Book Standard() { return new Book { Title = "standard", Printed = new DateTime(2024, 2, 29) }; }
        [WebMethod] public void Nothing() { }
        [WebMethod] public void Take(string text, Genre genre) { }
        [WebMethod] public string Fail(string why) { throw new InvalidOperationException("because " + why); }
        [WebMethod, SoapDocumentMethod(OneWay = true)] public void Notify(string text) { }

        [WebMethod, SoapHeader("visit", Direction = SoapHeaderDirection.InOut)]
        public string Enter(string door)
        {
            if (visit == null)
                return door;
            visit.count++;
            return door + " " + visit.Who;
        }
    }
}
