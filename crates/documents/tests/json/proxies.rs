//! The scripts for pages that call operations over JSON.

use svcgen_documents::Proxy;
use svcgen_model::Module;

use crate::services::{COUNTS, ODD, SPOTS, STAFF, WITHOUT, service};

/// Returns the script with this name next to the path of a service.
fn script(module: &'static Module<'static>, name: &str) -> Option<String> {
    let service = service(module);
    let proxy = Proxy::named(service, name)?;
    Some(proxy.script(service, service.row().path))
}

#[test]
fn it_is_the_recorded_one() {
    let recorded = include_str!("recorded.js");
    assert_eq!(script(&SPOTS, "js").unwrap(), recorded);
    assert_eq!(script(&SPOTS, "Js").unwrap(), recorded);
}

#[test]
fn only_services_over_json_have_one() {
    assert_eq!(script(&WITHOUT, "js"), None);
    assert_eq!(script(&SPOTS, "jsx"), None);
}

#[test]
fn comments_say_the_types_of_parameters() {
    let commented = script(&STAFF, "JSDEBUG").unwrap();
    let said = "Put:function(p,s,succeededCallback, failedCallback, userContext) {\r\n\
        /// <param name=\"p\" type=\"Lab.Person\">Lab.Person</param>\r\n\
        /// <param name=\"s\" type=\"String\">System.String</param>\r\n\
        /// <param name=\"succeededCallback\" type=\"Function\" optional=\"true\" mayBeNull=\"true\"></param>\r\n";
    assert!(commented.contains(said), "{commented}");
    let said = "Lab.Staff.get_timeout = function() { \r\n/// <value type=\"Number\">The service timeout.</value>\r\n\
        return Lab.Staff._staticInstance.get_timeout(); }\r\n";
    assert!(commented.contains(said), "{commented}");
    let commented_counts = script(&COUNTS, "jsdebug").unwrap();
    let said = "<param name=\"words\" type=\"Object\">System.Collections.Generic.Dictionary`2[System.String,System.Int32]</param>";
    assert!(commented_counts.contains(said), "{commented_counts}");
    // The code is the same; only comments differ.
    let lines = |text: &str| {
        text.lines()
            .filter(|line| !line.starts_with("///"))
            .collect::<String>()
    };
    let squeezed = |text: &str| lines(text).replace([' ', '\r'], "");
    assert_eq!(
        squeezed(&commented),
        squeezed(&script(&STAFF, "js").unwrap())
    );
}

#[test]
fn types_and_enumerations_are_declared() {
    let staff = script(&STAFF, "js").unwrap();
    let declared = "if (typeof(Lab.Person) === 'undefined') {\r\nLab.Person=gtc(\"Lab.Person\");\r\nLab.Person.registerClass('Lab.Person');\r\n}\r\n\
        if (typeof(Lab.Outer_Manager) === 'undefined') {\r\nLab.Outer_Manager=gtc(\"boss\");\r\nLab.Outer_Manager.registerClass('Lab.Outer_Manager');\r\n}\r\n\
        Type.registerNamespace('Lab.Tones');\r\n\
        if (typeof(Lab.Tones.Colour) === 'undefined') {\r\nLab.Tones.Colour = function() { throw Error.invalidOperation(); }\r\n\
        Lab.Tones.Colour.prototype = {Red: 0,Green: 5,Blue: 6}\r\nLab.Tones.Colour.registerEnum('Lab.Tones.Colour', true);\r\n}\r\n";
    assert!(staff.ends_with(declared), "{staff}");
}

#[test]
fn names_that_are_no_identifiers_are_quoted() {
    let odd = script(&ODD, "js").unwrap();
    for line in [
        "'Get-It':function(new_,a_b,succeededCallback, failedCallback, userContext) {\r\n",
        "'Get-It',false,{'new':new_,'a-b':a_b},succeededCallback",
        "Odd_Names['Get-It']= function(new_,a_b,onSuccess,onFailed,userContext) {Odd_Names._staticInstance['Get-It'](new_,a_b,onSuccess,onFailed,userContext); }\r\n",
        "Odd_Names.set_path(\"/O\\u003cdd\\'\\\\.asmx\");\r\n",
    ] {
        assert!(odd.contains(line), "{line} in {odd}");
    }
    assert!(odd.starts_with("var Odd_Names=function() {\r\n"), "{odd}");
}
