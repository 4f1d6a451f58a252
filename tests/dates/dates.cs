// Texts as fields of forms hold them, and what `DateTime.Parse` makes of each in the invariant culture: those of the standard input, or so many random ones by a seed.
// What is not in a text is written as `today` or `year`, as it is another one tomorrow.
using System;
using System.Globalization;
using System.Linq;
using System.Text.RegularExpressions;

static class Dates
{
    static readonly string[] Parts = {
        "1", "2", "3", "7", "9", "05", "11", "12", "13", "20", "28", "30", "31", "45", "60", "99", "001", "0001", "123", "1999", "2002", "2020", "9999", "20020530", "123456789",
        "January", "jan", "FEB", "March", "May", "june", "Dec", "Sept", "Mon", "Tuesday", "thu", "Fri",
        "AM", "pm", "A", "Z", "z", "GMT", "UTC", "T", "t", "A.D.", "AD", "th", "x",
        "/", "-", ":", ".", ",", "+", " ", "  ", "#", "\u5e74", "\u6708", "\u65e5", "\u6642", "\u5206", "\u79d2",
    };
    static readonly string[] Separators = { "/", "-", ":", " ", " ", ", ", ".", "", " - ", "/ ", " :", "T", "." };
    static readonly string[] Shapes = {
        "{y}-{n}-{n}", "{y}/{n}/{n}", "{n}/{n}/{y}", "{n}-{n}-{y}", "{n}/{n}/{n}", "{n}.{n}.{y}", "{n}/{n}", "{n} {m}", "{m} {n}", "{n} {m} {y}", "{m} {n}, {y}", "{m} {y}", "{y} {m}", "{y}-{n}",
        "{d}, {n} {m} {y}", "{m} {n} {n}", "{n} {m} {n}", "{y} {n} {m}", "{m}/{n}/{y}", "{n}-{m}-{y}", "{y}-{m}-{n}", "{n}\u6708{n}\u65e5", "{y}\u5e74{n}\u6708{n}\u65e5", "{n}\u5e74{n}\u6708", "{n} {n}\u6708", "", "",
    };
    static readonly string[] Times = {
        "{n}:{n}", "{n}:{n}:{n}", "{n}:{n}:{n}.{f}", "{n} {h}", "{n}:{n} {h}", "{n}:{n}{h}", "{n}{h}", "{n}:{n}:{n} {h}", "{n}\u6642{n}\u5206", "{n}\u6642{n}\u5206{n}\u79d2", "{n}:", "{n}:{n}:", "", "",
    };
    static readonly string[] Zones = { "Z", " Z", "GMT", " GMT", "+{n}", "-{n}", " +{n}:{n}", "+{n}:{n}", "-{f}", " +0530", "+530", "-08:00", "z", " UTC", "", "", "", "", "", "" };
    static readonly string[] Between = { " ", "T", "t", " T", ", ", "  ", "-", "", " - ", "/", "." };

    // Mono refuses offsets of more than 14 hours, as .NET Core does; .NET Framework reads them.
    static readonly Regex Far = new Regex(@"[+-](1[4-9]|[2-9]\d)");

    static Random random;

    static string Pick(string[] all) { return all[random.Next(all.Length)]; }

    static string Fill(string shape)
    {
        string text = "";
        for (int at = 0; at < shape.Length; at++)
        {
            if (shape[at] != '{') { text += shape[at]; continue; }
            char kind = shape[at + 1];
            at += 2;
            // Not 29, which is a day of February in some years, and no year like this one.
            if (kind == 'n') { int n = random.Next(8) == 0 ? random.Next(70) : random.Next(1, 13); if (n == 29 || n == DateTime.Now.Year % 100) n = 11; text += random.Next(2) == 0 ? n.ToString("00") : n.ToString(); }
            else if (kind == 'y') text += Pick(new[] { "2002", "1999", "2020", "0099", "100", "2002", "1066", "10000", "02", "99", "29", "30" });
            else if (kind == 'm') text += Pick(new[] { "January", "Feb", "MARCH", "apr", "May", "june", "Jul", "August", "Sep", "October", "nov", "December" });
            else if (kind == 'd') text += Pick(new[] { "Monday", "Tue", "wed", "Thursday", "FRI", "Sat", "Sunday" });
            else if (kind == 'h') text += Pick(new[] { "AM", "PM", "am", "pm", "Pm" });
            else text += random.Next(1000000000).ToString().Substring(0, random.Next(1, 4)) + (random.Next(3) == 0 ? "1234567" : "");
        }
        return text;
    }

    static string Text()
    {
        int kind = random.Next(4);
        if (kind == 0)
            return string.Concat(Enumerable.Range(0, random.Next(1, 9)).Select(_ => Pick(Parts)));
        if (kind == 1)
            return string.Concat(Enumerable.Range(0, random.Next(1, 7)).Select(_ => Pick(Parts) + Pick(Separators)));
        string date = Fill(Pick(Shapes)), time = Fill(Pick(Times)), zone = Fill(Pick(Zones));
        if (random.Next(3) == 0)
            foreach (string separator in new[] { "/", "-", ":", ".", " " })
                if (random.Next(4) == 0) date = date.Replace(separator, Pick(Separators));
        return (random.Next(6) == 0 ? time + " " + date : date + Pick(Between) + time) + zone;
    }

    static string Read(string text)
    {
        DateTime now = DateTime.Now, read;
        // DateTime.Parse throws what is beyond the last year, too.
        try { if (!DateTime.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.None, out read)) return "refused"; }
        catch (ArgumentOutOfRangeException) { return "refused"; }
        string date = read.Date == now.Date ? "today" : read.Year == now.Year ? "year" + read.ToString("-MM-dd") : read.ToString("yyyy-MM-dd");
        return date + read.ToString("THH:mm:ss.FFFFFFF") + (read.Kind == DateTimeKind.Unspecified ? "" : "Z");
    }

    static void Main(string[] arguments)
    {
        Console.OutputEncoding = new System.Text.UTF8Encoding(false);
        Console.InputEncoding = new System.Text.UTF8Encoding(false);
        if (arguments.Length == 2)
        {
            random = new Random(int.Parse(arguments[1]));
            for (int left = int.Parse(arguments[0]); left > 0;)
            {
                string text = Text(), read = Read(text);
                if (read == "refused" && Far.IsMatch(text)) continue;
                Console.WriteLine(text + "\t" + read);
                left--;
            }
            return;
        }
        for (string text; (text = Console.ReadLine()) != null;) Console.WriteLine(text + "\t" + Read(text));
    }
}
