// Plays a storyboard: scene after scene for as long as each lasts, with what is said as captions, and where the page offers it
// also spoken. Nothing starts by itself. Without this script the scenes stand one below the other, which says as much.
"use strict";
(() => {
  const player = document.querySelector("[data-player]");
  if (!player) return;
  // Scenes that are edited change their order and their words.
  const read = () => [...document.querySelectorAll("[data-scene]")].map((element) => {
    const seconds = element.querySelector("[data-seconds]");
    return {
      element,
      display: element.querySelector("[data-display]"),
      script: element.querySelector("[data-script]"),
      duration: seconds ? Number(seconds.value.replace(",", ".")) * 1000 || 0 : Number(element.dataset.duration),
    };
  });
  let scenes = read();
  if (!scenes.length) return;
  const part = (name) => player.querySelector(`[data-${name}]`);
  const [screen, caption, progress, play, time] = ["screen", "caption", "progress", "play", "time"].map(part);
  const playText = play.textContent;
  const total = () => scenes.reduce((sum, scene) => sum + scene.duration, 0);
  const startOf = (index) => scenes.slice(0, index).reduce((sum, scene) => sum + scene.duration, 0);
  let current = 0;
  // How far into the scene, in milliseconds; when the clock was read last, or null while it stands.
  let elapsed = 0;
  let clockRead = null;

  const isPlaying = () => clockRead !== null;

  // What the browser speaks, or null, and whether it has begun. Some browsers have no voice and never tell: a scene waits only for
  // what has begun, and only so long.
  const speech = part("speech");
  const canSpeak = speech && "speechSynthesis" in window;
  let spoken = null;
  let hasBegun = false;
  const hush = () => {
    if (spoken) {
      speechSynthesis.cancel();
      // A pause outlives what is cancelled.
      speechSynthesis.resume();
    }
    spoken = null;
    hasBegun = false;
  };
  const speak = (scene) => {
    hush();
    const text = scene.script.value ?? scene.script.textContent;
    if (!canSpeak || !speech.querySelector("input").checked || !text.trim()) return;
    const own = new SpeechSynthesisUtterance(text);
    own.lang = speech.dataset.speech;
    own.onstart = () => { if (spoken === own) hasBegun = true; };
    own.onend = own.onerror = () => { if (spoken === own) [spoken, hasBegun] = [null, false]; };
    spoken = own;
    speechSynthesis.speak(own);
  };
  const isOver = ({ duration }) => elapsed >= duration && (!hasBegun || elapsed >= 2 * duration + 5000);

  // Formulas are more than their text; what is typed is no node.
  const copy = (place, source) => {
    if (source.value !== undefined) place.textContent = source.value;
    else place.replaceChildren(...[...source.childNodes].map((node) => node.cloneNode(true)));
  };

  // What is said is announced once the reader plays or turns, not when the page opens.
  const announce = () => caption.setAttribute("aria-live", "polite");

  const clock = (milliseconds) => {
    const seconds = Math.floor(milliseconds / 1000);
    const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    const two = (number) => String(number).padStart(2, "0");
    return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
  };

  const whole = part("total");
  const showClock = () => {
    const at = startOf(current) + Math.min(elapsed, scenes[current].duration);
    time.textContent = clock(at);
    if (whole) whole.textContent = clock(1000 * Math.round(total() / 1000));
    progress.value = total() ? at / total() : 0;
  };

  const show = (wanted) => {
    hush();
    scenes = read();
    current = Math.min(Math.max(wanted, 0), scenes.length - 1);
    elapsed = 0;
    const scene = scenes[current];
    copy(screen, scene.display);
    if (scene.display.dataset.outdated) screen.dataset.outdated = scene.display.dataset.outdated;
    else delete screen.dataset.outdated;
    copy(caption, scene.script);
    scenes.forEach((other) => {
      if (other === scene) other.element.setAttribute("aria-current", "true");
      else other.element.removeAttribute("aria-current");
    });
    part("previous").setAttribute("aria-disabled", String(current === 0));
    part("next").setAttribute("aria-disabled", String(current === scenes.length - 1));
    showClock();
    if (isPlaying()) speak(scene);
  };

  const pause = () => {
    clockRead = null;
    play.textContent = playText;
    if (spoken) speechSynthesis.pause();
  };

  const tick = (now) => {
    if (!isPlaying()) return;
    elapsed += Math.max(now - clockRead, 0);
    clockRead = now;
    if (isOver(scenes[current])) {
      if (current === scenes.length - 1) {
        elapsed = scenes[current].duration;
        showClock();
        hush();
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
    const isAtEnd = current === scenes.length - 1 && isOver(scenes[current]);
    if (isAtEnd || elapsed === 0) show(isAtEnd ? 0 : current);
    clockRead = performance.now();
    play.textContent = play.dataset.pauseText;
    if (spoken) speechSynthesis.resume();
    else if (elapsed === 0) speak(scenes[current]);
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
  // A page that nobody sees does not go on, and a page that is left does not speak.
  document.addEventListener("visibilitychange", () => { if (document.hidden) pause(); });
  window.addEventListener("pagehide", hush);

  if (canSpeak) speech.hidden = false;
  player.hidden = false;
  show(0);
})();
