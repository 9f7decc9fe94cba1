// Remembers which parts of a course a reader has done, in this browser: nothing is sent. Without this script, and where the browser
// keeps nothing, a page is whole and says nothing of it.
"use strict";
(() => {
  const NAME = "lectern-done";
  const MOST = 2000;

  // The ids of what is done; null where the browser keeps nothing.
  const load = () => {
    try {
      const kept = JSON.parse(localStorage.getItem(NAME) ?? "[]");
      return Array.isArray(kept) ? kept.filter((id) => typeof id === "string") : [];
    } catch (error) {
      return error instanceof SyntaxError ? [] : null;
    }
  };
  const save = (ids) => {
    try {
      localStorage.setItem(NAME, JSON.stringify(ids.slice(-MOST)));
    } catch {
      // The browser keeps nothing: the page shows what it knew before.
    }
  };

  const showPart = (done, part) => {
    const button = part.querySelector("button");
    button.setAttribute("aria-pressed", String(done.includes(part.dataset.done)));
    part.hidden = false;
  };

  const showCourse = (done, course) => {
    const parts = [...course.querySelectorAll("[data-part]")];
    const isDone = (part) => done.includes(part.dataset.part);
    parts.forEach((part) => {
      part.querySelector("[data-done-mark]").hidden = !isDone(part);
      part.classList.toggle("is-done", isDone(part));
    });
    const values = { "{n}": parts.filter(isDone).length, "{total}": parts.length };
    const count = course.querySelector("[data-done-count]");
    count.textContent = course.dataset.countText.replace(/\{n\}|\{total\}/g, (place) => values[place]);
    course.querySelector("[data-done-bar]").value = values["{n}"];
    const next = parts.find((part) => !isDone(part))?.querySelector("a");
    const goOn = course.querySelector("[data-go-on]");
    goOn.hidden = !next || !parts.some(isDone);
    if (next) goOn.href = next.href;
    course.querySelector("[data-progress]").hidden = false;
  };

  const show = () => {
    const done = load();
    if (!done) return;
    document.querySelectorAll("[data-done]").forEach((part) => showPart(done, part));
    document.querySelectorAll("[data-count-text]").forEach((course) => showCourse(done, course));
  };

  document.querySelectorAll("[data-done]").forEach((part) => {
    part.querySelector("button").addEventListener("click", () => {
      const [done, id] = [load() ?? [], part.dataset.done];
      save(done.includes(id) ? done.filter((other) => other !== id) : [...done, id]);
      show();
    });
  });
  // Another tab, or a page that the browser had put aside.
  window.addEventListener("storage", show);
  window.addEventListener("pageshow", show);
  show();
})();
