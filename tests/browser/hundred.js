// A service of a hundred operations, as companies have them: ten kinds of things, and ten verbs.

import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { folder } from "./programs.js";

const things = ["Customer", "Order", "Invoice", "Article", "Supplier", "Delivery", "Contract", "Employee", "Project", "Ticket"];

const verbs = (thing) => `
  Get${thing}: { doc: The one with this number., parameters: { number: long }, result: ${thing}? }
  Find${thing}: { doc: Those whose name begins so., parameters: { name: string?, most: int }, result: "${thing}[]" }
  Create${thing}: { doc: Makes a new one and answers its number., bindings: [soap11, soap12, json], parameters: { value: ${thing} }, result: long }
  Update${thing}: { doc: Changes it., bindings: [soap11, soap12, json], parameters: { value: ${thing} }, result: long }
  Delete${thing}: { doc: Removes it. It cannot be undone., parameters: { number: long }, result: boolean }
  List${thing}: { doc: "All, by number, in pages of fifty.", parameters: { page: int }, result: "${thing}[]" }
  Lock${thing}: { doc: Nobody else changes it., parameters: { number: long }, result: boolean }
  Unlock${thing}: { doc: Others may change it again., parameters: { number: long }, result: boolean }
  Export${thing}: { doc: A file for accountants., parameters: { from: date, until: date? }, result: base64Binary? }
  Count${thing}: { doc: How many there are., result: int }`;

const type = (thing) => `
  ${thing}: { doc: One of many., elements: { Number: long, Name: string, Made: dateTime, Remark: string?, State: State, Address: Address? } }`;

/** The path of its definition. */
export function hundred() {
  const file = join(folder, "company.yaml");
  const text = `service: Company
namespace: urn:example:company
path: /Company.asmx
doc: Everything of a company, in one service.
bindings: [soap11, soap12, http-get, http-post, json]
operations:${things.map(verbs).join("")}
types:${things.map(type).join("")}
  Address: { elements: { Street: string, Zip: string, Town: string, Country: string? } }
enums:
  State: [New, Open, Locked, Closed]
`;
  writeFileSync(file, text);
  return file;
}
