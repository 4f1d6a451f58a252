<%@ WebService Language="C#" Class="Example.Library" %>
using System;
using System.Data;
using System.Globalization;
using System.Text;
using System.Collections.Generic;
using System.ComponentModel;
using System.Web.Services;
using System.Web.Services.Protocols;
using System.Xml;
using System.Xml.Schema;
using System.Xml.Serialization;

// The service of `tests/definitions/lab/library.yaml`, as ASMX has it: its operations answer what they get.
namespace Example
{
    public enum Genre { Novel, Poem, Play }

    public enum State { [XmlEnum("on loan")] OnLoan, [XmlEnum("1st")] First, Kept }

    [Flags] public enum Uses { None = 0, Read = 1, Copy = 2, [XmlEnum("lend-out")] Lend = 4, All = 7 }

    public class Person
    {
        public string Name;
        [XmlElement("Phone")] public string[] Phones;
    }

    public class Leaf
    {
        public string Name;
        public int? Pages;
        public Genre Genre;
        public string[] Tags;
        public byte[] Data;
        public DateTime When;
        public Guid Id;
        public char Initial;
        public Leaf Left;
        public Leaf[] Others;
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

    public class Lists
    {
        [XmlAttribute] public int[] numbers;
        [XmlAttribute] public Genre[] genres;
        [XmlElement("Flat", IsNullable = true)] public string[] Flats;
        public List<int> More;
        [XmlArray(IsNullable = true)] public string[] Names;
        [XmlArrayItem("Number", IsNullable = false)] public string[] Numbered;
        [XmlArrayItem("Row"), XmlArrayItem("Cell", NestingLevel = 1)] public int[][] Rows;
        [XmlElement(IsNullable = true)] public string Note;
        [XmlElement(IsNullable = true)] public Person Keeper;
        [XmlElement(DataType = "date")] public DateTime Day;
        [XmlElement(DataType = "time")] public DateTime Hour;
    }

    public class Defaults
    {
        [XmlAttribute, DefaultValue(7)] public int at = 7;
        [DefaultValue(5)] public int Five = 5;
        [DefaultValue("abc")] public string Abc = "abc";
        [DefaultValue(true)] public bool On = true;
        [DefaultValue(Genre.Poem)] public Genre Genre = Genre.Poem;
        [DefaultValue(1.5)] public double Half = 1.5;
    }

    public class Sentence
    {
        [XmlElement("word", typeof(string)), XmlElement("number", typeof(int)), XmlElement("person", typeof(Person))] public object[] Parts;
    }

    public class Mixture
    {
        [XmlText(typeof(string)), XmlElement("number", typeof(int)), XmlElement("person", typeof(Person))] public object[] Parts;
    }

    public struct Size
    {
        public int Height;
        public int Width;
    }

    public class Label
    {
        [XmlAttribute] public int known;
        [XmlAnyAttribute] public XmlAttribute[] Others;
        public string First;
        public Size Size;
        [XmlAnyElement] public XmlElement[] Rest;
        public string Last;
    }

    public class Note
    {
        [XmlText, XmlAnyElement] public XmlNode[] Nodes;
    }

    [XmlType("AddressType", Namespace = "http://example.com/library/common"), XmlRoot("address", Namespace = "http://example.com/library/common")]
    public class Address
    {
        public string Street;
        [XmlElement(Form = XmlSchemaForm.Unqualified)] public string Zip;
        [XmlElement(Namespace = "http://example.com/library/other")] public string Country;
        [XmlArray(Namespace = "http://example.com/library/other"), XmlArrayItem("line", Namespace = "http://example.com/library/line")] public string[] Lines;
        [XmlAttribute] public string kind;
        [XmlAttribute(Namespace = "http://example.com/library/other")] public string lang;
        [XmlAttribute(Form = XmlSchemaForm.Qualified)] public string tag;
    }

    [XmlRoot("Card", Namespace = "http://example.com/library/common")]
    public class Card : SoapHeader
    {
        [XmlAttribute] public int level;
        public string Key;
    }

    public class Visit : SoapHeader
    {
        [XmlAttribute, SoapAttribute] public int count;
        public string Who;
    }

    // As a designer makes it.
    [XmlSchemaProvider("GetTypedDataSetSchema"), XmlRoot("Stock")]
    public class Stock : DataSet
    {
        public Stock()
        {
            DataSetName = "Stock";
            Namespace = "http://example.com/library/stock";
            var books = Tables.Add("Book");
            books.Columns.Add("Id", typeof(int));
            books.Columns.Add("Title", typeof(string));
            books.PrimaryKey = new[] { books.Columns[0] };
            var copies = Tables.Add("Copy");
            copies.Columns.Add(new DataColumn("Book", typeof(int), null, MappingType.Attribute));
            copies.Columns.Add(new DataColumn("Place", typeof(string), null, MappingType.SimpleContent));
            Relations.Add("copies", books.Columns[0], copies.Columns[0]).Nested = true;
        }

        public static XmlSchemaComplexType GetTypedDataSetSchema(XmlSchemaSet schemas)
        {
            var set = new Stock();
            schemas.Add(set.GetSchemaSerializable());
            var any = new XmlSchemaAny { Namespace = set.Namespace };
            var sequence = new XmlSchemaSequence();
            sequence.Items.Add(any);
            return new XmlSchemaComplexType { Particle = sequence };
        }

        protected override XmlSchema GetSchemaSerializable()
        {
            var written = new System.IO.MemoryStream();
            WriteXmlSchema(new XmlTextWriter(written, null));
            written.Position = 0;
            return XmlSchema.Read(new XmlTextReader(written), null);
        }
    }

    [WebService(Namespace = "http://example.com/library")]
    public class Library : WebService
    {
        public Card card;
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
        [WebMethod] public State EchoState(State state) { return state; }
        [WebMethod] public State[] EchoStates(State[] states) { return states; }
        [WebMethod] public Uses EchoUses(Uses uses) { return uses; }
        [WebMethod] public Lists EchoLists(Lists lists) { return lists; }
        [WebMethod] public Defaults EchoDefaults(Defaults defaults) { return defaults; }
        [WebMethod] public Sentence EchoSentence(Sentence sentence) { return sentence; }
        [WebMethod] public Mixture EchoMixture(Mixture mixture) { return mixture; }
        [WebMethod] public Size EchoSize(Size size) { return size; }
        [WebMethod] public Label EchoLabel(Label label) { return label; }
        [WebMethod] public Note EchoNote(Note note) { return note; }
        [WebMethod] public XmlNode EchoXml(XmlNode xml) { return xml; }
        [WebMethod, XmlInclude(typeof(Leaf))] public object EchoObject(object value) { return value; }
        [WebMethod] public object[] EchoObjects(object[] values) { return values; }
        [WebMethod] public Address EchoAddress(Address address) { return address; }
        [WebMethod] public Address[] EchoAddresses(Address[] addresses) { return addresses; }
        [WebMethod, SoapDocumentMethod(ParameterStyle = SoapParameterStyle.Bare)] public Person BarePerson(Person bare) { return bare; }
        [WebMethod, SoapDocumentMethod(ParameterStyle = SoapParameterStyle.Bare)] public int BareNumber(int number) { return number; }
        [WebMethod, SoapDocumentMethod(ParameterStyle = SoapParameterStyle.Bare)] public string BareTwo(string one, int two) { return one + two; }

        [WebMethod, SoapDocumentMethod("urn:custom", RequestElementName = "Ask", ResponseElementName = "Told", RequestNamespace = "urn:ask", ResponseNamespace = "urn:told")]
        [return: XmlElement("answer")]
        public string Renamed([XmlElement("what")] string text) { return text; }

        [WebMethod]
        public string Split(string text, out string rest, ref int count)
        {
            count++;
            rest = text == null ? null : text.Substring(text.Length / 2);
            return text == null ? null : text.Substring(0, text.Length / 2);
        }

        static DataSet Shelf()
        {
            var shelf = new DataSet("Shelf");
            var books = shelf.Tables.Add("Book");
            books.Columns.Add("Id", typeof(int));
            books.Columns.Add("Title of it", typeof(string)).MaxLength = 40;
            books.Columns.Add("Price", typeof(decimal));
            books.Columns.Add("Printed", typeof(DateTime));
            books.Columns.Add("Weight", typeof(double));
            books.Columns.Add("Lent", typeof(bool)).DefaultValue = false;
            books.Columns.Add("Cover", typeof(byte[]));
            books.PrimaryKey = new[] { books.Columns[0] };
            var lines = shelf.Tables.Add("Loan");
            lines.Columns.Add("Book", typeof(int));
            lines.Columns.Add("Who", typeof(string));
            shelf.Relations.Add("loans", books.Columns[0], lines.Columns[0]);
            books.Rows.Add(1, "Emma & <co>", 9.50m, new DateTime(2024, 2, 29, 12, 34, 56), 0.25, true, new byte[] { 1, 2 });
            books.Rows.Add(2, "", null, null, null, false, null);
            books.Rows.Add(3, null, 1000000.01m, new DateTime(1999, 12, 31), 1e-7, false, new byte[0]);
            lines.Rows.Add(1, "me");
            shelf.AcceptChanges();
            return shelf;
        }

        static string Shown(object cell)
        {
            if (cell is DBNull)
                return "-";
            if (cell is DateTime)
                return ((DateTime)cell).ToString("yyyy-MM-ddTHH:mm:ss");
            if (cell is byte[])
                return Convert.ToBase64String((byte[])cell);
            if (cell is bool)
                return XmlConvert.ToString((bool)cell);
            return Convert.ToString(cell, CultureInfo.InvariantCulture);
        }

        // Each change, with what was there before it.
        static string Changes(DataSet shelf)
        {
            var changes = new StringBuilder();
            foreach (DataTable table in shelf.Tables)
                foreach (DataRow row in table.Rows)
                {
                    if (row.RowState == DataRowState.Unchanged && !row.HasErrors)
                        continue;
                    changes.Append(table.TableName + " " + row.RowState + (row.HasErrors ? " " + row.RowError : "") + ":");
                    foreach (DataColumn column in table.Columns)
                    {
                        if (row.HasVersion(DataRowVersion.Original))
                            changes.Append(" " + Shown(row[column, DataRowVersion.Original]));
                        if (row.HasVersion(DataRowVersion.Current))
                            changes.Append(" > " + Shown(row[column]));
                        changes.Append(row.RowState == DataRowState.Deleted ? "" : row.GetColumnError(column));
                        changes.Append(";");
                    }
                    changes.Append("\n");
                }
            return changes.ToString();
        }

        [WebMethod] public DataSet GetShelf() { return Shelf(); }
        [WebMethod] public DataTable GetShelfTable() { return Shelf().Tables[0]; }
        [WebMethod] public DataSet EchoShelf(DataSet shelf) { return shelf; }
        [WebMethod] public string SaveShelf(DataSet shelf) { return shelf == null ? null : Changes(shelf); }

        [WebMethod]
        public Stock GetStock()
        {
            var stock = new Stock();
            stock.Tables["Book"].Rows.Add(1, "Emma");
            stock.Tables["Book"].Rows.Add(2, null);
            stock.Tables["Copy"].Rows.Add(1, "left & up");
            stock.Tables["Copy"].Rows.Add(1, null);
            stock.AcceptChanges();
            return stock;
        }

        [WebMethod] public Stock EchoStock(Stock stock) { return stock; }
        [WebMethod] public int CountStock(Stock stock) { return stock == null ? -1 : stock.Tables["Book"].Rows.Count; }

        [WebMethod] public int Status(out string word) { word = "open"; return 7; }

        [WebMethod]
        [return: XmlElement("line")]
        public string[] Lines(string text, [XmlElement("n")] int[] numbers)
        {
            return numbers == null ? null : Array.ConvertAll(numbers, number => text + number);
        }

        [WebMethod, SoapHeader("card", Direction = SoapHeaderDirection.InOut)]
        public string ShowCard()
        {
            if (card == null)
                return "none";
            card.level++;
            return card.Key;
        }

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

        [WebMethod, SoapRpcMethod] public Leaf EchoLeaf(Leaf leaf) { return leaf; }

        [WebMethod, SoapRpcMethod]
        public int CountLeaves(Leaf[] leaves, ref Leaf first, out string told)
        {
            told = leaves == null ? null : leaves.Length + " leaves";
            first = leaves == null || leaves.Length == 0 ? first : leaves[0];
            return leaves == null ? -1 : leaves.Length;
        }

        [WebMethod, SoapRpcMethod, SoapHeader("visit", Direction = SoapHeaderDirection.InOut)]
        public string Enroll(string door) { return Enter(door); }

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
