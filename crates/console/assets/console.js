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

// A refused form shows the reader the first field to correct, else the reason.
const faulty = document.querySelector("form [aria-invalid=true]") ?? document.querySelector("[data-refusal]");
if (faulty) {
  faulty.closest("details")?.setAttribute("open", "");
  faulty.focus();
}

// A chart that scrolls shows its newest days.
for (const chart of document.querySelectorAll(".chart-wrap")) chart.scrollLeft = chart.scrollWidth;

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
  let loading = null;
  let timer = 0;
  let delay = 0;
  let isDone = false;
  const stop = () => { events?.close(); events = null; };
  const follow = () => {
    stop();
    events = new EventSource(followed.dataset.follow);
    for (const type of ["change", "end"]) {
      events.addEventListener(type, (event) => {
        followed.textContent = event.data;
        if (type === "end") stop();
        load();
      });
    }
    // Browsers come back after a break, but not after a refusal.
    events.onerror = () => {
      if (events?.readyState !== EventSource.CLOSED) return;
      stop();
      loadLater();
    };
  };
  const loadLater = () => {
    delay = Math.min(2 * delay + 1, 30);
    clearTimeout(timer);
    timer = setTimeout(load, delay * 1000);
  };
  const load = () => {
    // The newest answer counts, whichever comes last.
    loading?.abort();
    const request = new XMLHttpRequest();
    loading = request;
    request.open("GET", location.href);
    request.responseType = "document";
    request.onerror = loadLater;
    request.onload = () => {
      if (request.status === 401 || request.status === 403) location.reload();
      else if (request.status !== 200 || !request.response) loadLater();
      else show(request.response);
    };
    request.send();
  };
  const show = (page) => {
    delay = 0;
    // A session that ended leads to the sign-in.
    if (!page.querySelector("[data-live]")) return location.reload();
    for (const part of document.querySelectorAll("[data-live]")) {
      const found = page.getElementById(part.id);
      if (!found) continue;
      const fresh = document.importNode(found, true);
      const link = part.contains(document.activeElement) && document.activeElement.getAttribute("href");
      part.replaceWith(fresh);
      if (link) fresh.querySelector(`a[href="${CSS.escape(link)}"]`)?.focus();
    }
    // The next work may have begun.
    const next = page.querySelector("[data-follow]");
    isDone = !next;
    if (!next) return;
    const isOther = next.dataset.follow !== followed.dataset.follow;
    followed.dataset.follow = next.dataset.follow;
    if ((!events || isOther) && document.visibilityState === "visible") follow();
  };
  const look = () => {
    if (document.visibilityState === "hidden") stop();
    else if (!events && !isDone) follow();
  };
  document.addEventListener("visibilitychange", look);
  look();
}
