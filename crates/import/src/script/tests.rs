use super::*;

#[test]
fn members_in_quotes_and_negative_numbers_are_read() {
    let text = r#"
        A.S.registerClass('A.S',Sys.Net.WebServiceProxy);
        A.S.set_path("/a\u0027s.asmx");
        return this._invoke(S.get_path(), 'b\'s',true,{'a b':a_b,'in':in_},x,y,z); }
        return this._invoke(S.get_path(), 'None',false,{},x,y,z); }
        // A.Hidden=gtc("A.Hidden");
        A.Outer_Inner=gtc("A.Outer+Inner");
        A.E.prototype = {'in': -5,Two: 2}
        A.E.registerEnum('A.E', true);
    "#;
    let script = Script::read(text.as_bytes()).unwrap();
    assert_eq!(script.path.as_deref(), Some("/a's.asmx"));
    assert_eq!(script.functions[0].name, "b's");
    assert_eq!(script.functions[0].parameters, ["a b", "in"]);
    assert!(script.functions[1].parameters.is_empty());
    let inner = ("A.Outer_Inner".to_owned(), "A.Outer+Inner".to_owned());
    assert_eq!(script.types, [inner]);
    let values = [("in".to_owned(), -5), ("Two".to_owned(), 2)];
    assert_eq!(script.enumerations[0].values, values);
}

#[test]
fn what_is_no_script_is_refused() {
    for text in [
        "",
        "<html>",
        "'",
        "'\\u12",
        "var a = {b:",
        "A.prototype={a:",
    ] {
        let refused = Script::read(text.as_bytes());
        assert_eq!(
            refused,
            Err("it is not a script proxy of ASP.NET"),
            "{text}"
        );
    }
    let refused = Script::read(b"this._invoke(this._get_path(), 'a',");
    assert_eq!(refused, Err("a call of `_invoke` in it is of another form"));
    assert_eq!(Script::read(b"\xE9"), Err("it is not text in UTF-8"));
}
