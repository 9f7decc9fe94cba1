// The search over the index of all pages, which is read once, when somebody begins to type. `search.rs` has the same rules.
const form = document.querySelector("form.search");
const field = form.querySelector("input");
const list = document.getElementById("found");
let entries = null;
let chosen = -1;

field.setAttribute("role", "combobox");
field.setAttribute("aria-expanded", "false");
field.setAttribute("aria-controls", "found");
field.setAttribute("aria-autocomplete", "list");

const read = async () => {
  entries ??= fetch(form.dataset.index).then((reply) => reply.json()).catch(() => []);
  return entries;
};

const rank = ([kind, title, text], words) => {
  const lower = title.toLowerCase();
  const whole = `${lower} ${text.toLowerCase()} ${kind.toLowerCase()}`;
  let sum = 0;
  for (const word of words) {
    const at = lower.indexOf(word);
    if (at < 0 && !whole.includes(word)) return null;
    sum += at === 0 ? 0 : at > 0 ? 1 : 3;
  }
  return sum;
};

const find = (all, query) => {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return [];
  const found = all.map((entry) => [rank(entry, words), entry]).filter(([value]) => value !== null);
  found.sort(([one, a], [other, b]) => one - other || a[1].length - b[1].length);
  return found.slice(0, 12).map(([, entry]) => entry);
};

const close = () => {
  list.hidden = true;
  field.setAttribute("aria-expanded", "false");
  field.removeAttribute("aria-activedescendant");
  chosen = -1;
};

const choose = (index) => {
  const options = [...list.children];
  if (!options.length) return;
  chosen = (index + options.length) % options.length;
  options.forEach((option, place) => option.setAttribute("aria-selected", String(place === chosen)));
  options[chosen].scrollIntoView({ block: "nearest" });
  field.setAttribute("aria-activedescendant", options[chosen].id);
};

const go = (option) => location.assign(option.dataset.href);

const option = ([kind, title, text, href], index) => {
  const item = document.createElement("li");
  item.id = `found-${index}`;
  item.setAttribute("role", "option");
  item.setAttribute("aria-selected", "false");
  item.dataset.href = form.dataset.root + href;
  const badge = document.createElement("span");
  badge.className = `method ${kind.toLowerCase()}`;
  badge.textContent = kind;
  const what = document.createElement("span");
  what.className = "what";
  const name = document.createElement("span");
  name.className = "summary";
  name.textContent = title;
  const more = document.createElement("span");
  more.className = "faint";
  more.textContent = text;
  what.append(name, " ", more);
  item.append(badge, what);
  return item;
};

const show = async () => {
  const query = field.value;
  const found = find(await read(), query);
  if (query !== field.value) return;
  list.replaceChildren(...found.map(option));
  chosen = -1;
  field.removeAttribute("aria-activedescendant");
  list.hidden = !found.length;
  field.setAttribute("aria-expanded", String(found.length > 0));
};

field.addEventListener("focus", read, { once: true });
field.addEventListener("input", show);
field.addEventListener("keydown", (event) => {
  if (event.key === "Escape") close();
  if (list.hidden) return;
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    choose(chosen < 0 && event.key === "ArrowUp" ? -1 : chosen + (event.key === "ArrowDown" ? 1 : -1));
  }
  if (event.key === "Enter" && chosen >= 0) {
    event.preventDefault();
    go(list.children[chosen]);
  }
});
list.addEventListener("pointerdown", (event) => {
  const item = event.target.closest("li");
  if (item) { event.preventDefault(); go(item); }
});
field.addEventListener("blur", close);

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, textarea, select, dialog, [contenteditable]");
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  field.focus();
  field.select();
});
