// Checks one answer in place: the page is asked for that item alone, and only the verdict is replaced, so that the focus and what was
// written stay. Without this script, or where it gets no answer, the form is sent as a whole.
"use strict";
(() => {
  const PATIENCE_MS = 60000;

  const fieldsOf = (item, button) => {
    const fields = new URLSearchParams();
    for (const field of item.querySelectorAll("input, textarea")) {
      if (field.type !== "radio" && field.type !== "checkbox" || field.checked) fields.append(field.name, field.value);
    }
    fields.append(button.name, button.value);
    fields.append("part", "item");
    return fields;
  };

  const show = (item, place, answered) => {
    place.replaceChildren(...[...answered.querySelector("[data-verdict]").childNodes].map((node) => document.importNode(node, true)));
    const field = item.querySelector(".line");
    if (field && answered.querySelector("[aria-invalid]")) field.setAttribute("aria-invalid", "true");
    else field?.removeAttribute("aria-invalid");
    // It counted other answers.
    document.getElementById("result")?.remove();
  };

  const check = (form, button) => {
    const item = button.closest("[data-item]");
    const place = item.querySelector("[data-verdict]");
    if (place.getAttribute("aria-busy") === "true") return;
    const end = () => {
      place.removeAttribute("aria-busy");
      button.removeAttribute("aria-disabled");
    };
    const giveUp = () => {
      end();
      button.dataset.check = "whole";
      form.requestSubmit(button);
    };
    place.setAttribute("aria-busy", "true");
    button.setAttribute("aria-disabled", "true");
    const request = new XMLHttpRequest();
    request.open("POST", location.pathname + location.search);
    request.responseType = "document";
    request.timeout = PATIENCE_MS;
    request.onload = () => {
      const answered = request.status === 200 ? request.response?.getElementById(item.id) : null;
      if (!answered) {
        giveUp();
        return;
      }
      show(item, place, answered);
      end();
    };
    request.onerror = giveUp;
    request.ontimeout = giveUp;
    request.setRequestHeader("Content-Type", "application/x-www-form-urlencoded");
    request.send(fieldsOf(item, button).toString());
  };

  document.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (button?.dataset.check !== "") return;
    event.preventDefault();
    check(event.target, button);
  });

  // Enter in a line checks that line; without this script it sends the form.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || !event.target.matches?.("input.line")) return;
    const button = event.target.closest("[data-item]")?.querySelector("button[data-check]");
    if (!button) return;
    event.preventDefault();
    button.click();
  });
})();
