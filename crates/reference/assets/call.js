// Sends the request of the form, when the reader presses the button, to this origin alone. The key is kept in sessionStorage at most.
const form = document.querySelector("form[data-call]");
const section = form.closest("section");
const reply = section.querySelector("[data-reply]");
const dialog = section.querySelector("[data-confirm]");
const key = form.querySelector("#call-key");
const SHOWN = ["X-Request-Id", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "Retry-After", "ETag", "Location", "Idempotent-Replayed", "Content-Type"];
/* Longer bodies are cut on the page. */
const MOST_SHOWN = 200000;

const kept = {
  read() { try { return sessionStorage.getItem(form.dataset.key) ?? ""; } catch { return ""; } },
  write(text) { try { sessionStorage.setItem(form.dataset.key, text); } catch { /* The tab keeps nothing. */ } },
  forget() { try { sessionStorage.removeItem(form.dataset.key); } catch { /* The tab keeps nothing. */ } },
};

section.querySelector(".needs-script").hidden = true;
form.hidden = false;
if (key) key.value = kept.read();
form.querySelector("[data-forget]")?.addEventListener("click", () => { kept.forget(); key.value = ""; key.focus(); });
const refresh = () => {
  for (const input of form.querySelectorAll("[data-fresh]")) {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    input.value = `try-${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  }
};
refresh();

const fields = (place) => [...form.querySelectorAll(`[data-place="${place}"]`)];

const address = () => {
  let path = form.dataset.path;
  for (const input of fields("path")) path = path.replace(`{${input.dataset.name}}`, encodeURIComponent(input.value.trim()));
  const url = new URL(form.dataset.root + path, location.origin);
  if (url.origin !== location.origin) throw new Error("The address leaves this service.");
  for (const input of fields("query")) if (input.value) url.searchParams.append(input.dataset.name, input.value);
  return url;
};

const body = (headers) => {
  switch (form.dataset.body) {
    case "json":
      headers.set("Content-Type", "application/json");
      return fields("body")[0].value;
    case "form": {
      const data = new FormData();
      for (const input of fields("part")) if (input.value) data.append(input.dataset.name, input.value);
      for (const input of fields("file")) for (const file of input.files) data.append(input.dataset.name, file);
      return data;
    }
    case "file":
      headers.set("Content-Type", form.dataset.type);
      return fields("upload")[0].files[0];
    default:
      return undefined;
  }
};

const readable = async (response) => {
  const type = response.headers.get("Content-Type") ?? "";
  if (!/json|text|xml/.test(type)) return `${(await response.blob()).size} bytes`;
  const text = await response.text();
  let shown = text;
  if (type.includes("json")) try { shown = JSON.stringify(JSON.parse(text), null, 2); } catch { /* It is shown as it came. */ }
  return shown.length > MOST_SHOWN ? `${shown.slice(0, MOST_SHOWN)}\n… (${shown.length} characters)` : shown;
};

const show = (status, isGood, time, headers, text) => {
  const badge = reply.querySelector("[data-status]");
  badge.textContent = status;
  badge.className = `badge ${isGood ? "success" : "danger"}`;
  reply.querySelector("[data-time]").textContent = time;
  reply.querySelector("[data-headers]").replaceChildren(...headers.flatMap(([name, value]) => {
    const [term, detail] = ["dt", "dd"].map((tag) => document.createElement(tag));
    term.textContent = name;
    detail.textContent = value;
    detail.className = "mono";
    return [term, detail];
  }));
  reply.querySelector("[data-text]").textContent = text || "(no body)";
  reply.hidden = false;
  reply.scrollIntoView({ block: "nearest" });
};

const send = async () => {
  const button = form.querySelector("button[type=submit]");
  button.disabled = true;
  const began = performance.now();
  try {
    const url = address();
    const headers = new Headers();
    for (const input of fields("header")) if (input.value) headers.set(input.dataset.name, input.value);
    if (key?.value) { kept.write(key.value); headers.set("Authorization", `Bearer ${key.value.trim()}`); }
    const credentials = form.dataset.credential === "session" ? "same-origin" : "omit";
    const request = { method: form.dataset.method, headers, body: body(headers), credentials, redirect: "manual", cache: "no-store" };
    const response = await fetch(url, request);
    const time = `${Math.round(performance.now() - began)} ms`;
    if (response.type === "opaqueredirect") return show("3xx", true, time, [], "The service answers with a redirect, which is not followed here.");
    const known = SHOWN.filter((name) => response.headers.has(name)).map((name) => [name, response.headers.get(name)]);
    show(`${response.status} ${response.statusText}`, response.ok, time, known, await readable(response));
    if (response.ok) refresh();
  } catch (error) {
    show("Not sent", false, "", [], String(error.message));
  } finally {
    button.disabled = false;
  }
};

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (!dialog) return void send();
  try {
    const url = address();
    dialog.querySelector("[data-target]").textContent = `${form.dataset.method} ${url.pathname}${url.search}`;
    dialog.showModal();
  } catch (error) {
    show("Not sent", false, "", [], String(error.message));
  }
});
dialog?.querySelector("[data-cancel]").addEventListener("click", () => dialog.close());
dialog?.querySelector("[data-send]").addEventListener("click", () => { dialog.close(); send(); });
