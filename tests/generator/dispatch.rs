//! A service with more operations than one function of the emitted code calls: every call reaches
//! its own operation, over every binding.

use svcgen::{Context, Fault};
use svcgen_tests::checks::BINDINGS;

svcgen::include_service!("many_operations");
use many_operations::*;

/// A handler whose operations each add their own number.
struct Adder;

macro_rules! operations {
    ($($method:ident($request:ident, $number:literal))*) => {
        impl ManyOperationsHandler for Adder {
            $(
                async fn $method(&self, _: &Context, request: $request) -> Result<i32, Fault> {
                    Ok(request.addend + $number)
                }
            )*
        }

        #[tokio::test]
        async fn each_call_reaches_its_own_operation() {
            for (name, binding) in BINDINGS {
                let server = ManyOperationsServer::new(Adder);
                let client = ManyOperationsClient::new(server, "http://localhost").unwrap();
                let client = client.with_binding(binding);
                $(
                    let answer = client.$method(&$request { addend: 1_000 }).await;
                    assert_eq!(answer.unwrap(), 1_000 + $number, "{} over {name}", stringify!($method));
                )*
            }
        }
    };
}

operations! {
    op0(Op0Request, 0) op1(Op1Request, 1) op2(Op2Request, 2) op3(Op3Request, 3) op4(Op4Request, 4)
    op5(Op5Request, 5) op6(Op6Request, 6) op7(Op7Request, 7) op8(Op8Request, 8) op9(Op9Request, 9)
    op10(Op10Request, 10) op11(Op11Request, 11) op12(Op12Request, 12) op13(Op13Request, 13) op14(Op14Request, 14)
    op15(Op15Request, 15) op16(Op16Request, 16) op17(Op17Request, 17) op18(Op18Request, 18) op19(Op19Request, 19)
    op20(Op20Request, 20) op21(Op21Request, 21) op22(Op22Request, 22) op23(Op23Request, 23) op24(Op24Request, 24)
    op25(Op25Request, 25) op26(Op26Request, 26) op27(Op27Request, 27) op28(Op28Request, 28) op29(Op29Request, 29)
    op30(Op30Request, 30) op31(Op31Request, 31) op32(Op32Request, 32) op33(Op33Request, 33) op34(Op34Request, 34)
    op35(Op35Request, 35) op36(Op36Request, 36) op37(Op37Request, 37) op38(Op38Request, 38) op39(Op39Request, 39)
    op40(Op40Request, 40) op41(Op41Request, 41) op42(Op42Request, 42) op43(Op43Request, 43) op44(Op44Request, 44)
    op45(Op45Request, 45) op46(Op46Request, 46) op47(Op47Request, 47) op48(Op48Request, 48) op49(Op49Request, 49)
    op50(Op50Request, 50) op51(Op51Request, 51) op52(Op52Request, 52) op53(Op53Request, 53) op54(Op54Request, 54)
    op55(Op55Request, 55) op56(Op56Request, 56) op57(Op57Request, 57) op58(Op58Request, 58) op59(Op59Request, 59)
    op60(Op60Request, 60) op61(Op61Request, 61) op62(Op62Request, 62) op63(Op63Request, 63) op64(Op64Request, 64)
    op65(Op65Request, 65) op66(Op66Request, 66) op67(Op67Request, 67) op68(Op68Request, 68) op69(Op69Request, 69)
}
