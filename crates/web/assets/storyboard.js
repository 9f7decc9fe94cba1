// Plays a storyboard: scene after scene for as long as each lasts, with what is said as captions. Nothing starts by
// itself. Without this script the scenes stand one below the other, which says as much.
"use strict";
(() => {
  const player = document.querySelector("[data-player]");
  const scenes = [...document.querySelectorAll("[data-scene]")].map((element) => ({
    element,
    display: element.querySelector("[data-display]"),
    script: element.querySelector("[data-script]"),
    duration: Number(element.dataset.duration),
  }));
  if (!player || !scenes.length) return;
  const part = (name) => player.querySelector(`[data-${name}]`);
  const [screen, caption, progress, play, time] = ["screen", "caption", "progress", "play", "time"].map(part);
  const playText = play.textContent;
  const total = scenes.reduce((sum, scene) => sum + scene.duration, 0);
  const startOf = (index) => scenes.slice(0, index).reduce((sum, scene) => sum + scene.duration, 0);
  let current = 0;
  // How far into the scene, in milliseconds; when the clock was read last, or null while it stands.
  let elapsed = 0;
  let read = null;

  // Formulas are more than their text.
  const copy = (place, source) => place.replaceChildren(...[...source.childNodes].map((node) => node.cloneNode(true)));

  const isPlaying = () => read !== null;

  // What is said is announced once the reader plays or turns, not when the page opens.
  const announce = () => caption.setAttribute("aria-live", "polite");

  const showClock = () => {
    const at = Math.min(startOf(current) + elapsed, total);
    const seconds = Math.floor(at / 1000);
    const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    const two = (number) => String(number).padStart(2, "0");
    time.textContent = h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
    progress.value = total ? at / total : 0;
  };

  const show = (wanted) => {
    current = Math.min(Math.max(wanted, 0), scenes.length - 1);
    elapsed = 0;
    const scene = scenes[current];
    copy(screen, scene.display);
    copy(caption, scene.script);
    scenes.forEach((other) => {
      if (other === scene) other.element.setAttribute("aria-current", "true");
      else other.element.removeAttribute("aria-current");
    });
    part("previous").setAttribute("aria-disabled", String(current === 0));
    part("next").setAttribute("aria-disabled", String(current === scenes.length - 1));
    showClock();
  };

  const pause = () => {
    read = null;
    play.textContent = playText;
  };

  const tick = (now) => {
    if (!isPlaying()) return;
    elapsed += Math.max(now - read, 0);
    read = now;
    if (elapsed >= scenes[current].duration) {
      if (current === scenes.length - 1) {
        elapsed = scenes[current].duration;
        showClock();
        pause();
        return;
      }
      show(current + 1);
    } else {
      showClock();
    }
    requestAnimationFrame(tick);
  };

  const start = () => {
    announce();
    const isOver = current === scenes.length - 1 && elapsed >= scenes[current].duration;
    if (isOver) show(0);
    read = performance.now();
    play.textContent = play.dataset.pauseText;
    requestAnimationFrame(tick);
  };

  const turn = (steps) => {
    announce();
    if (current + steps >= 0 && current + steps < scenes.length) show(current + steps);
  };

  play.addEventListener("click", () => (isPlaying() ? pause() : start()));
  part("previous").addEventListener("click", () => turn(-1));
  part("next").addEventListener("click", () => turn(1));
  player.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isRtl = getComputedStyle(player).direction === "rtl";
    const steps = { ArrowRight: isRtl ? -1 : 1, ArrowLeft: isRtl ? 1 : -1 }[event.key];
    if (!steps) return;
    turn(steps);
    event.preventDefault();
  });
  // A page that nobody sees does not go on.
  document.addEventListener("visibilitychange", () => { if (document.hidden) pause(); });

  player.hidden = false;
  show(0);
})();
