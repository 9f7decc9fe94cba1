// The review of a video: scenes are moved in place by their buttons or by dragging, scripts are read aloud, and the page asks
// how far a rendering is. Without this script every button sends the form.
"use strict";
(() => {
  const form = document.querySelector("[data-review]");
  if (!form) return;
  const list = form.querySelector("[data-scenes]");
  const said = form.querySelector("[data-said]");
  const scenes = () => [...list.querySelectorAll("[data-scene]")];
  let isChanged = form.hasAttribute("data-unsaved");

  const settle = () => {
    const all = scenes();
    all.forEach((scene, index) => {
      scene.querySelector("[data-number]").textContent = index + 1;
      const [up, down] = ["-1", "1"].map((step) => scene.querySelector(`[data-move="${step}"]`));
      up.disabled = index === 0;
      down.disabled = index === all.length - 1;
    });
  };

  // A picture shows what is saved: its own text, and the title and the number too.
  const outdate = (those) => {
    for (const scene of those) scene.querySelector("[data-display]").dataset.outdated = "Save to see the change.";
  };

  const note = (scene) => {
    isChanged = true;
    settle();
    outdate(scenes());
    said.textContent = `Scene is now number ${scenes().indexOf(scene) + 1}. Save to keep the order.`;
  };

  list?.addEventListener("click", (event) => {
    const button = event.target.closest("[data-move]");
    if (!button) return;
    event.preventDefault();
    const scene = button.closest("[data-scene]");
    const other = button.dataset.move === "-1" ? scene.previousElementSibling : scene.nextElementSibling;
    if (!other) return;
    if (button.dataset.move === "-1") other.before(scene);
    else other.after(scene);
    note(scene);
    (button.disabled ? scene.querySelector("[data-move]:enabled") : button)?.focus();
  });

  // Only the legend is a handle, so that words can be selected.
  let dragged = null;
  scenes().forEach((scene) => {
    const handle = scene.querySelector("legend");
    handle.draggable = true;
    handle.addEventListener("dragstart", (event) => {
      dragged = scene;
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", "");
      scene.classList.add("dragged");
    });
    handle.addEventListener("dragend", () => {
      scene.classList.remove("dragged");
      if (dragged) note(scene);
      dragged = null;
    });
    scene.addEventListener("dragover", (event) => {
      if (!dragged || dragged === scene) return;
      event.preventDefault();
      const box = scene.getBoundingClientRect();
      if (event.clientY < box.top + box.height / 2) scene.before(dragged);
      else scene.after(dragged);
    });
    scene.addEventListener("drop", (event) => event.preventDefault());
  });

  if ("speechSynthesis" in window) {
    form.querySelectorAll("[data-speak]").forEach((button) => {
      const field = button.closest("[data-scene]").querySelector("[data-script]");
      button.hidden = false;
      button.addEventListener("click", () => {
        const wasSpeaking = speechSynthesis.speaking;
        speechSynthesis.cancel();
        if (wasSpeaking) return;
        const speech = new SpeechSynthesisUtterance(field.value);
        speech.lang = field.closest("[lang]").lang;
        speechSynthesis.speak(speech);
      });
    });
  }

  form.addEventListener("input", ({ target }) => {
    isChanged = true;
    const scene = target.closest("[data-scene]");
    if (target.matches("[data-drawn]")) outdate(scene ? [scene] : scenes());
  });
  form.addEventListener("submit", () => { isChanged = false; });
  window.addEventListener("beforeunload", (event) => { if (isChanged) event.preventDefault(); });

  const progress = form.querySelector("[data-under-way]");
  if (!progress) return;
  const status = form.querySelector("[data-status]");
  const look = () => {
    const request = new XMLHttpRequest();
    request.open("GET", form.dataset.state);
    request.responseType = "json";
    request.addEventListener("loadend", () => {
      const state = request.status === 200 ? request.response : null;
      if (state && !["queued", "rendering"].includes(state.renderStatus)) {
        // Words that are not saved stay where they are.
        if (!isChanged) location.replace(location.pathname);
        else status.textContent = "The rendering has ended. Save, and the page shows how.";
        return;
      }
      if (state?.rendering) {
        const { scenesDone, scenes: all } = state.rendering;
        progress.max = all;
        progress.value = scenesDone;
        const text = state.renderStatus === "queued" ? "Waiting for its turn." : `Rendering: ${scenesDone} of ${all} scenes are done.`;
        if (status.textContent !== text) status.textContent = text;
      }
      setTimeout(look, 2000);
    });
    request.send();
  };
  setTimeout(look, 1000);
})();
