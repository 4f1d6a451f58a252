//! Generates services, and for each a handler that forwards every call to a client.

use std::path::{Path, PathBuf};
use std::{env, fs};

use proc_macro2::Ident;
use quote::{format_ident, quote};
use svcgen_codegen::Config;
use syn::{FnArg, Item, Pat, TraitItem, Type};

/// The definitions whose types are all emitted, each to a file of its own.
const DEFINITIONS: &[&str] = &[
    "service-defs/authenticator.yaml",
    "service-defs/device_login_service.yaml",
    "tests/definitions/valid/carried.yaml",
    "tests/definitions/valid/content_models.yaml",
    "tests/definitions/valid/drawings.yaml",
    "tests/definitions/valid/help_page_namespaces.yaml",
    "tests/definitions/valid/mixed_content.yaml",
    "tests/definitions/valid/objects.yaml",
    "tests/definitions/valid/recorded_shapes.yaml",
    "tests/definitions/valid/simple_types.yaml",
    "tests/definitions/valid/staff.yaml",
    "tests/definitions/valid/time_zone.yaml",
    "tests/definitions/valid/unqualified.yaml",
    "tests/definitions/lab/checked.yaml",
    "tests/definitions/lab/content.yaml",
    "tests/definitions/lab/data.yaml",
    "tests/definitions/lab/encoded.yaml",
    "tests/definitions/lab/head.yaml",
    "tests/definitions/lab/headers.yaml",
    "tests/definitions/lab/jagged.yaml",
    "tests/definitions/lab/json.yaml",
    "tests/definitions/lab/library.yaml",
    "tests/definitions/lab/lists.yaml",
    "tests/definitions/lab/messages.yaml",
    "tests/definitions/lab/named_messages.yaml",
    "tests/definitions/lab/namespaces.yaml",
    "tests/definitions/lab/objects.yaml",
    "tests/definitions/lab/rpc.yaml",
    "tests/definitions/lab/rpc_head.yaml",
    "tests/definitions/lab/soap_headers.yaml",
    "tests/definitions/lab/stock.yaml",
    "tests/definitions/lab/values.yaml",
    "tests/definitions/lab/xml_results.yaml",
];

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap());
    let root = Path::new("../..");
    let mut modules = String::new();
    let mut servers = String::new();
    for (number, definition) in DEFINITIONS.iter().enumerate() {
        println!("cargo:rerun-if-changed=../../{definition}");
        let output = Config::new().generate_file(root.join(definition));
        let output = output.unwrap_or_else(|diagnostics| panic!("{definition}: {diagnostics}"));
        let code = format!("{}\n{}", output.code, proxy(&output.code));
        let file = out.join(format!("service_{number}.rs"));
        fs::write(&file, code).unwrap();
        modules += &format!(
            "#[allow(clippy::all, clippy::pedantic, missing_docs, dead_code, unused, unreachable_pub)]\n#[path = {file:?}]\nmod service_{number};\n"
        );
        servers += &format!("(\"{definition}\", service_{number}::pass_on as PassOn),\n");
    }
    let all = format!(
        "{modules}/// The definitions, each with its server.\npub const SERVERS: &[(&str, PassOn)] = &[{servers}];\n"
    );
    fs::write(out.join("services.rs"), all).unwrap();
}

/// Returns a handler that calls the emitted client over the binding of each call, and a server with
/// it.
fn proxy(code: &str) -> String {
    let file = syn::parse_file(code).unwrap();
    let mut traits = file.items.iter().filter_map(|item| match item {
        Item::Trait(item) => Some(item),
        _ => None,
    });
    let handler = traits
        .find(|item| item.ident.to_string().ends_with("Handler"))
        .unwrap();
    let name = handler.ident.to_string();
    let service = name.strip_suffix("Handler").unwrap();
    let [client, server] = ["Client", "Server"].map(|kind| format_ident!("{service}{kind}"));
    let handler_name = &handler.ident;
    let of_trait = |name| of_trait(&file.items, name);
    let details = of_trait("FaultDetail");
    let fault_headers = of_trait("FaultHeaders");
    let methods = handler.items.iter().filter_map(|item| match item {
        TraitItem::Fn(method) => Some(&method.sig),
        _ => None,
    });
    let methods = methods.map(|signature| {
        let method = &signature.ident;
        let arguments = signature.inputs.iter().skip(2).map(|input| match input {
            FnArg::Typed(typed) => match &*typed.pat {
                Pat::Ident(name) => name.ident.clone(),
                _ => unreachable!("arguments have names"),
            },
            FnArg::Receiver(_) => unreachable!("it is the first one"),
        });
        let operation = method.to_string().replace('_', "");
        let headers = fault_headers.iter().find(|headers| {
            let of = headers.to_string();
            of.strip_suffix("FaultHeaders").is_some_and(|of| of.eq_ignore_ascii_case(&operation))
        });
        let with_headers = headers.map(|headers| {
            quote! {
                match fault.read_headers::<#headers>() {
                    Some(Ok(headers)) => return again(fault).with_headers(context, &headers),
                    Some(Err(error)) => return svcgen::Fault::exception(error),
                    None => {}
                }
            }
        });
        quote! {
            #signature {
                let client = self.0.clone().with_binding(context.binding());
                async move {
                    client.#method(#(&#arguments),*).await.map_err(crate::passed_on).map_err(|fault| {
                        #with_headers
                        again(fault)
                    })
                }
            }
        }
    });
    quote! {
        struct Proxy(#client<svcgen::transport::BoxTransport>);

        impl #handler_name for Proxy {
            #(#methods)*
        }

        /// The fault with its detail as it is read, if the service knows one.
        fn again(fault: svcgen::Fault) -> svcgen::Fault {
            #(
                match fault.read_detail::<#details>() {
                    Some(Ok(detail)) => return crate::begun_again(&fault).with_detail(&detail),
                    Some(Err(error)) => return svcgen::Fault::exception(error),
                    None => {}
                }
            )*
            fault
        }

        pub(crate) fn pass_on(to: svcgen::transport::BoxTransport, limits: svcgen::Limits) -> svcgen::transport::BoxTransport {
            let client = #client::new(to, "http://localhost").unwrap().with(|client| client.with_limits(limits));
            svcgen::transport::BoxTransport::new(#server::new(Proxy(client)).with_limits(limits))
        }
    }
    .to_string()
}

/// Returns the types that implement a trait.
fn of_trait(items: &[Item], name: &str) -> Vec<Ident> {
    let types = items.iter().filter_map(|item| match item {
        Item::Impl(item) => {
            let (path, _) = item.trait_.as_ref()?;
            let is_it = path.segments.last()?.ident == name;
            match &*item.self_ty {
                Type::Path(path) if is_it => path.path.get_ident().cloned(),
                _ => None,
            }
        }
        _ => None,
    });
    types.collect()
}
