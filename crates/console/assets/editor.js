// The editor of a resource: parts and questions are moved, added and removed in place, and parts are edited as they look.
// Without this file every button sends the form, and parts are edited as HTML.
const form = document.querySelector("[data-editor]");
const said = form.querySelector("[data-said]");
let isChanged = form.hasAttribute("data-unsaved");

// The page that answers a save is not sent again when it is loaded again.
if (form.hasAttribute("data-answer")) history.replaceState(null, "", form.action + location.hash);

const entriesOf = (list) => [...list.querySelectorAll(":scope > [data-entry]")];
const say = (text) => { said.textContent = text; };

const settle = (list) => {
  const all = entriesOf(list);
  all.forEach((entry, index) => {
    entry.querySelector("[data-number]").textContent = index + 1;
    for (const button of entry.querySelectorAll("[data-label]")) {
      button.ariaLabel = button.dataset.label.replace("#", index + 1);
    }
    const [up, down] = ["-1", "1"].map((step) => entry.querySelector(`[data-move="${step}"]`));
    up.disabled = index === 0;
    down.disabled = index === all.length - 1;
  });
};

// A frame that is moved loads its first text again, so its present nodes are kept and put back.
const moving = (entry, move) => {
  const frames = [...entry.querySelectorAll("iframe")].map((frame) => {
    const kept = document.createDocumentFragment();
    if (frame.contentDocument?.body) kept.append(...frame.contentDocument.body.childNodes);
    return [frame, kept];
  });
  move();
  for (const [frame, kept] of frames) {
    frame.addEventListener("load", () => frame.contentDocument.body.replaceChildren(kept), { once: true });
  }
};

const moved = (entry) => {
  isChanged = true;
  settle(entry.parentElement);
  say(`Moved to place ${entriesOf(entry.parentElement).indexOf(entry) + 1}. Save to keep the order.`);
};

// Removed entries can be brought back until the form is saved.
const removals = [];
const bar = form.querySelector("[data-removed]");
const remove = (entry) => {
  const list = entry.parentElement;
  removals.push({ entry, list, before: entry.nextElementSibling });
  const next = entry.nextElementSibling ?? entry.previousElementSibling;
  moving(entry, () => entry.remove());
  isChanged = true;
  settle(list);
  bar.hidden = false;
  say("Removed. It can be brought back beside the button that saves.");
  (next?.querySelector("[data-remove]") ?? bar.querySelector("button")).focus();
};
bar.querySelector("[data-restore]").addEventListener("click", () => {
  const { entry, list, before } = removals.pop();
  const place = before?.parentElement === list ? before : null;
  list.insertBefore(entry, place);
  settle(list);
  bar.hidden = removals.length === 0;
  entry.querySelector("[data-remove]").focus();
  say("It is back.");
});

// A form that came back has the entries that were added before.
let added = Math.max(0, ...[...form.querySelectorAll("[name=item], [name=part]")]
  .map((field) => Number(/^s(\d+)$/.exec(field.value)?.[1] ?? 0)));
const add = (kind) => {
  const blank = form.querySelector(`template[data-blank="${kind}"]`);
  const list = blank.previousElementSibling;
  const entry = blank.content.firstElementChild.cloneNode(true);
  added += 1;
  const key = `s${added}`;
  for (const element of entry.querySelectorAll("*")) {
    for (const name of ["id", "name", "for", "value", "formaction"]) {
      const value = element.getAttribute(name);
      if (value?.includes("NEW")) element.setAttribute(name, value.replace("NEW", key));
    }
  }
  list.append(entry);
  prepare(entry);
  isChanged = true;
  settle(list);
  entry.querySelector("textarea").focus();
  entry.scrollIntoView({ block: "center" });
};

form.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const entry = button.closest("[data-entry]");
  if (button.dataset.move) {
    event.preventDefault();
    const isUp = button.dataset.move === "-1";
    const other = isUp ? entry.previousElementSibling : entry.nextElementSibling;
    if (!other) return;
    moving(entry, () => (isUp ? other.before(entry) : other.after(entry)));
    moved(entry);
    (button.disabled ? entry.querySelector("[data-move]:enabled") : button)?.focus();
  } else if (button.dataset.remove !== undefined) {
    event.preventDefault();
    remove(entry);
  } else if (button.dataset.add) {
    event.preventDefault();
    add(button.dataset.add);
  } else if (button.dataset.toggle !== undefined) {
    const part = entry.querySelector("[data-part]");
    const isSource = part.toggleAttribute("data-shows-source");
    button.ariaPressed = String(isSource);
  } else if (button.dataset.command) {
    const page = entry.querySelector("iframe").contentDocument;
    page.body.focus();
    page.execCommand(button.dataset.command, false, button.dataset.value ?? null);
  }
});

// The row for a further option is always there.
form.addEventListener("input", (event) => {
  isChanged = true;
  const row = event.target.closest("[data-rows] > li");
  if (!row || row.nextElementSibling || !event.target.value) return;
  const next = row.cloneNode(true);
  const [box, text] = [next.querySelector("input"), next.querySelector("textarea")];
  text.value = "";
  if (box) {
    box.checked = false;
    box.value = Number(box.value) + 1;
  }
  row.after(next);
});

// A part as it looks: what is typed there becomes its source. A source that is typed shows after it is saved.
const watch = (part) => {
  const [frame, source] = [part.querySelector("iframe"), part.querySelector("textarea")];
  const toggle = part.closest("[data-entry]").querySelector("[data-toggle]");
  const open = () => {
    const page = frame.contentDocument;
    page.body.contentEditable = "true";
    page.body.ariaLabel = frame.title;
    page.addEventListener("input", () => {
      isChanged = true;
      source.value = page.body.innerHTML;
    });
  };
  frame.addEventListener("load", open);
  if (frame.contentDocument?.readyState === "complete" && frame.contentDocument.URL === "about:srcdoc") open();
  source.addEventListener("input", () => {
    part.setAttribute("data-shows-source", "");
    toggle.ariaPressed = "true";
    toggle.disabled = true;
    toggle.title = "Save to see how it looks.";
  });
};

let dragged = null;
const prepare = (entry) => {
  for (const part of entry.querySelectorAll("[data-part]")) watch(part);
  const handle = entry.querySelector("[data-handle]");
  handle.draggable = true;
  handle.addEventListener("dragstart", (event) => {
    dragged = entry;
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", "");
    entry.classList.add("dragged");
  });
  handle.addEventListener("dragend", () => {
    entry.classList.remove("dragged");
    dragged = null;
  });
  entry.addEventListener("dragover", (event) => {
    if (dragged?.parentElement === entry.parentElement) event.preventDefault();
  });
  // A frame loads again when it moves, so an entry moves once: when it is dropped.
  entry.addEventListener("drop", (event) => {
    if (!dragged || dragged === entry || dragged.parentElement !== entry.parentElement) return;
    event.preventDefault();
    const box = entry.getBoundingClientRect();
    const from = dragged;
    moving(from, () => (event.clientY < box.top + box.height / 2 ? entry.before(from) : entry.after(from)));
    moved(from);
  });
};

for (const list of form.querySelectorAll("[data-entries]")) {
  entriesOf(list).forEach(prepare);
  settle(list);
}
form.addEventListener("submit", () => { isChanged = false; });
addEventListener("beforeunload", (event) => { if (isChanged) event.preventDefault(); });
