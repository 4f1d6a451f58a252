"use strict";
const form = document.getElementById("filters");
const exchanges = [...document.querySelectorAll("#exchanges > details")];
function filter() {
  let shown = 0;
  for (const exchange of exchanges) {
    const fits = [...form.elements].every((field) => {
      if (!field.value || field.tagName !== "SELECT") return true;
      return exchange.dataset[field.name].split(field.name === "kind" ? " " : "\n").includes(field.value);
    });
    exchange.hidden = !fits;
    shown += fits ? 1 : 0;
  }
  document.getElementById("count").value = `${shown} of ${exchanges.length}`;
}
form.hidden = false;
form.addEventListener("change", filter);
filter();
