//! `svcgen wsdl`.

use clap::{Args, ValueEnum};
use svcgen_documents::{Shape, WsdlOptions, disco, wsdl};

use crate::console::Console;
use crate::document::{Document, url};
use crate::exit::{Exit, Failure};

/// Writes the WSDL 1.1 of a service, as its server answers `?wsdl`
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  svcgen wsdl greeter.yaml > greeter.wsdl
  svcgen wsdl --url https://example.com --out greeter.wsdl greeter.yaml
  svcgen wsdl --shape original greeter.yaml
  svcgen wsdl --disco --url https://example.com greeter.yaml")]
pub(crate) struct Arguments {
    #[command(flatten)]
    document: Document,

    /// Address of the service, without its path
    #[arg(long, value_name = "URL", default_value = "http://localhost", value_parser = url)]
    url: String,

    /// Shape of the document
    #[arg(long, value_name = "SHAPE", default_value = "portable")]
    shape: ShapeName,

    /// Leaves out the documentation of the definition
    #[arg(long)]
    no_documentation: bool,

    /// Writes the discovery document instead, as ASMX does
    #[arg(long, conflicts_with_all = ["shape", "no_documentation"])]
    disco: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum ShapeName {
    /// Most SOAP stacks load it offline
    Portable,
    /// Byte for byte as ASMX writes it
    Original,
}

/// Writes the document.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Result<Exit, Failure> {
    let options = WsdlOptions {
        shape: match arguments.shape {
            ShapeName::Portable => Shape::Portable,
            ShapeName::Original => Shape::Original,
        },
        documentation: !arguments.no_documentation,
        ..WsdlOptions::default()
    };
    arguments.document.write(console, |service| {
        let address = format!("{}{}", arguments.url, service.path);
        if arguments.disco {
            disco(service, &address, Shape::Original)
        } else {
            wsdl(service, &address, options)
        }
    })
}
