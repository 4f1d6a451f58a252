// What the help page shows as C# of ../../browser/definitions/depot.yaml, from the name of an operation to `end`: page_code.py compiles it with
// the proxies, and ../../browser/console.test.js compares it with the page.
using System;

static class PageCode
{
    static long StoreHTMLPage()
    {
        // StoreHTMLPage
        // wsdl.exe http://localhost/Depot.asmx?wsdl
        var client = new Depot { Url = "http://localhost/Depot.asmx" };
        client.TicketValue = new Ticket {
            Key = "[secret]",
        };
        client.Trace = new @string { Text = new[] { "t" } };
        var answer = client.StoreHTMLPage("a \"b\"", new [] {
            "x",
            "y",
        }, new Parcel {
            number = 7L,
            fragile = true,
            fragileSpecified = true,
            Key = "k",
            Weight = 1.50m,
            Content = Convert.FromBase64String("AAH/"),
            Label = Label.Item2way,
            Inner = new Parcel {
                number = 0L,
                Key = "",
                Weight = 0m,
                Label = Label.None,
                Marks = new int[] {},
                Item = "",
            },
            Marks = new [] {
                -3,
            },
            Item = new Place {
                Row = 2,
            },
        }, DateTime.Parse("2024-02-29"), true);
        // end
        return answer;
    }

    static Parcel[] Find()
    {
        // Find
        // wsdl.exe http://localhost/Depot.asmx?wsdl
        var client = new Depot { Url = "http://localhost/Depot.asmx" };
        var answer = client.Find(new Dog {
            Name = "",
            Age = 3,
            Number = "[secret]",
        }, new int[] {}, Rights.Read | Rights.WriteAll, 5);
        // end
        return answer;
    }

    static decimal Weigh()
    {
        // Weigh
        // wsdl.exe http://localhost/Depot.asmx?wsdl
        var client = new Depot { Url = "http://localhost/Depot.asmx" };
        var answer = client.Weigh(1, 0.1m, true, Label.IPOnly);
        // end
        return answer;
    }
}
