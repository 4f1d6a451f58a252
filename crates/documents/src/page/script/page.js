// Every page: the filter of operations, their order, the health of the server, buttons that copy, and what is folded on a small screen.

/** What the tab keeps, if it may keep anything. */
const tab = {
  get(key) {
    try {
      return sessionStorage.getItem(key);
    } catch {
      return null;
    }
  },
  set(key, value) {
    try {
      sessionStorage.setItem(key, value);
    } catch {
      // Without storage a page starts anew each time.
    }
  },
};

const filter = document.getElementById("filter");
const lists = [...document.querySelectorAll("[data-operations]")];
const order = document.getElementById("order");

// ---- The filter: parts of a name find it, as do the capitals of its words.

const links = () => [...document.querySelectorAll(".rail [data-operations] a")];
const shown = () => links().filter((link) => !link.parentElement.hidden);

function isMatch(name, wanted) {
  const capitals = name.replace(/[^A-Z0-9]/g, "").toLowerCase();
  return name.toLowerCase().includes(wanted) || (wanted.length > 1 && capitals.startsWith(wanted));
}

function applyFilter() {
  const wanted = filter.value.trim().toLowerCase();
  for (const list of lists) {
    for (const item of list.children) item.hidden = !isMatch(item.querySelector("a").textContent, wanted);
  }
  document.getElementById("no-match").hidden = shown().length > 0;
}

/** A link that is followed from the keyboard leads on to the form. */
function follow(link) {
  // On its own page, the form is filled once more.
  if (link.hasAttribute("aria-current")) history.replaceState(null, "", link.href);
  location.assign(link.hash ? link.href : `${link.href}#fill`);
}

function onFilterKey(event) {
  const [first] = shown();
  if (event.key === "Enter" && first && filter.value.trim()) follow(first);
  else if (event.key === "ArrowDown") first?.focus();
  else if (event.key === "Escape") {
    filter.value = "";
    applyFilter();
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Arrows lead along the rail. */
function onRailKey(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const at = shown().indexOf(document.activeElement);
  if (!step || at < 0) return;
  event.preventDefault();
  (shown()[at + step] ?? (step < 0 ? filter : document.activeElement)).focus();
}

function onSlash(event) {
  const isTyping = event.target.closest?.("input, select, textarea");
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  filter.closest("details").open = true;
  filter.focus();
}

if (filter) {
  filter.parentElement.hidden = false;
  filter.addEventListener("input", applyFilter);
  filter.addEventListener("keydown", onFilterKey);
  document.querySelector(".rail").addEventListener("keydown", onRailKey);
  document.addEventListener("keydown", onSlash);
  const rail = filter.closest("details");
  rail.open = matchMedia("(min-width: 60rem)").matches;
  const current = rail.querySelector("[aria-current]");
  const list = rail.querySelector("ol");
  if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
}

// ---- The order of operations.

function arrange(by) {
  for (const list of lists) {
    const items = [...list.children];
    items.forEach((item, at) => (item.dataset.at ??= at));
    const name = (item) => item.querySelector("a").textContent;
    items.sort((one, other) => (by === "name" ? name(one).localeCompare(name(other), "en") : one.dataset.at - other.dataset.at));
    list.append(...items);
  }
}

if (order) {
  order.closest("p").hidden = false;
  order.addEventListener("change", () => {
    tab.set("svcgen order", order.value);
    arrange(order.value);
  });
}
const kept = tab.get("svcgen order");
if (kept) {
  if (order) order.value = kept;
  arrange(kept);
}

// ---- Health: what its path answers now.

async function askHealth(link) {
  const state = link.nextElementSibling;
  const say = (isGood, text) => {
    state.className = isGood ? "good" : "bad";
    state.textContent = text;
  };
  try {
    const start = performance.now();
    const answer = await fetch(link.href, { cache: "no-store", redirect: "manual", signal: AbortSignal.timeout(10_000) });
    const time = Math.max(1, Math.round(performance.now() - start));
    const [line] = (await answer.text()).trim().split("\n");
    if (answer.ok) say(true, `answers ${answer.status} in ${time} ms`);
    else if (answer.type === "opaqueredirect") say(false, "redirects elsewhere");
    else say(false, line ? `${answer.status}: ${line.slice(0, 120)}` : `answers ${answer.status}`);
  } catch {
    say(false, "no answer");
  }
}

const health = document.getElementById("health");
if (health?.origin === location.origin) askHealth(health);

// ---- Buttons that copy what stands before them.

async function copy(button) {
  const source = button.previousElementSibling;
  const text = source.value ?? source.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    // The clipboard is for pages of https and of this machine alone: what is selected can be copied by hand.
    getSelection().selectAllChildren(source);
    button.textContent = "Selected";
  }
  setTimeout(() => (button.textContent = "Copy"), 1500);
}

for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
document.addEventListener("click", ({ target }) => {
  if (target.matches?.("[data-copy]")) copy(target);
});
