// Small conveniences. Every page works without this file.
document.documentElement.classList.add("scripted");

const announce = (text) => {
  const toast = document.getElementById("toast");
  toast.textContent = text;
  toast.hidden = false;
  setTimeout(() => { toast.hidden = true; }, 2500);
};

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.dataset.copy !== undefined) {
    const source = button.parentElement.querySelector("code, pre");
    try {
      await navigator.clipboard.writeText(source.textContent.trim());
      announce("Copied");
    } catch {
      getSelection().selectAllChildren(source);
      announce("Press Ctrl+C to copy");
    }
  }
  // Browsers that do not know the attribute `command` yet.
  if (!("command" in HTMLButtonElement.prototype) && button.getAttribute("command") === "show-modal") {
    document.getElementById(button.getAttribute("commandfor")).showModal();
  }
});

// Filters apply as soon as a choice is made.
document.addEventListener("change", (event) => {
  const form = event.target.closest("form[data-autosubmit]");
  if (form && event.target.matches("select, input[type=checkbox]")) form.requestSubmit();
});

// A form is sent once.
document.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (event.target.method === "post" && button) setTimeout(() => { button.disabled = true; }, 0);
});
addEventListener("pageshow", () => {
  for (const button of document.querySelectorAll("button[type=submit]:disabled")) {
    if (!button.hasAttribute("data-disabled")) button.disabled = false;
  }
});

// Titles show the reader's own time. The visible text stays, so nothing moves.
for (const time of document.querySelectorAll("time[datetime]")) {
  const at = new Date(time.dateTime);
  if (!Number.isNaN(at.getTime())) time.title = at.toLocaleString([], { dateStyle: "medium", timeStyle: "long" });
}

// The current tab is in sight.
for (const tab of document.querySelectorAll(".tabs [aria-current]")) {
  const list = tab.closest(".tabs");
  list.scrollLeft = Math.max(0, tab.offsetLeft - list.clientWidth / 2);
}

// `g w` goes to the workspaces: each entry of the navigation names its keys. `/` goes to the first filter.
let before = "";
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, textarea, select, dialog, [contenteditable]");
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const keys = `${before} ${event.key}`;
  const entry = document.querySelector(`a[data-keys="${CSS.escape(keys)}"]`);
  if (before === "g" && entry) entry.click();
  if (event.key === "/") {
    const filter = document.querySelector("form[data-autosubmit] input, form[data-autosubmit] select");
    if (filter) { event.preventDefault(); filter.focus(); }
  }
  before = event.key;
});

// A page that follows work is told of it, and loads the parts of itself that changed, while somebody looks.
const followed = document.querySelector("[data-follow]");
if (followed) {
  document.querySelector("noscript")?.remove();
  let events = null;
  const load = () => {
    const request = new XMLHttpRequest();
    request.open("GET", location.href);
    request.responseType = "document";
    request.onload = () => {
      if (request.status !== 200 || !request.response) return location.reload();
      for (const part of document.querySelectorAll("[data-live]")) {
        const found = request.response.getElementById(part.id);
        if (!found) continue;
        const fresh = document.importNode(found, true);
        const link = part.contains(document.activeElement) && document.activeElement.getAttribute("href");
        part.replaceWith(fresh);
        if (link) fresh.querySelector(`a[href="${CSS.escape(link)}"]`)?.focus();
      }
    };
    request.send();
  };
  const told = (event) => {
    followed.textContent = event.data;
    if (event.type === "end") stop();
    load();
  };
  const stop = () => { events?.close(); events = null; };
  const follow = () => {
    events = new EventSource(followed.dataset.follow);
    events.addEventListener("change", told);
    events.addEventListener("end", (event) => { document.removeEventListener("visibilitychange", look); told(event); });
    // Browsers come back after a break, but not after a refusal: the session may have ended.
    events.onerror = () => { if (events.readyState === EventSource.CLOSED) location.reload(); };
  };
  const look = () => {
    if (document.visibilityState === "hidden") stop();
    else if (!events) follow();
  };
  document.addEventListener("visibilitychange", look);
  look();
}
