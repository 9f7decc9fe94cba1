// A deck, one slide at a time, on the page or on the whole screen. Without this script the slides stand one below the other.
"use strict";
(() => {
  const deck = document.querySelector("[data-deck]");
  if (!deck) return;
  const part = (name) => deck.querySelector(`[data-deck-${name}]`);
  const slides = [...deck.querySelectorAll("[data-slide]")];
  const [bar, position, overview, toggle] = ["bar", "position", "overview", "toggle"].map(part);
  const [previous, next, present] = ["previous", "next", "present"].map(part);
  const presentText = present.textContent;
  const links = [...overview.querySelectorAll("a")];
  const SWIPE = 48;
  let current = 0;

  const numberOf = (hash) => slides.findIndex((slide) => `#${slide.id}` === hash);
  const isOverview = () => !overview.hidden;
  const isPresenting = () => deck.classList.contains("is-presenting");

  const show = (wanted) => {
    current = Math.min(Math.max(wanted, 0), slides.length - 1);
    const slide = slides[current];
    slides.forEach((other) => { other.hidden = other !== slide || isOverview(); });
    // A disabled button would lose the focus of whoever pressed it.
    previous.setAttribute("aria-disabled", String(current === 0));
    next.setAttribute("aria-disabled", String(current === slides.length - 1));
    const label = slide.getAttribute("aria-label");
    const title = document.createElement("span");
    title.className = "unseen";
    title.textContent = slide.dataset.title === label ? "" : `: ${slide.dataset.title}`;
    position.replaceChildren(label, title);
    links.forEach((link, index) => {
      if (index === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
  };

  const goTo = (wanted) => {
    show(wanted);
    history.replaceState(null, "", `#${slides[current].id}`);
  };

  const turn = (steps) => {
    const before = current;
    goTo(current + steps);
    if (current === before) return;
    if (isPresenting()) slides[current].scrollTop = 0;
    else window.scrollTo({ top: deck.offsetTop - 8 });
  };

  const setOverview = (isOpen) => {
    overview.hidden = !isOpen;
    toggle.setAttribute("aria-expanded", String(isOpen));
    show(current);
    if (isOpen) links[current].focus();
    else toggle.focus();
  };

  const canScroll = (down) => {
    const place = isPresenting() ? slides[current] : document.documentElement;
    return down ? place.scrollTop + place.clientHeight < place.scrollHeight - 2 : place.scrollTop > 2;
  };

  // What is behind the deck while it fills the window: nobody gets there by keyboard, and no screen reader reads it.
  const behind = () => {
    const elements = [];
    for (let at = deck; at !== document.body; at = at.parentElement) {
      elements.push(...[...at.parentElement.children].filter((other) => other !== at && other.tagName !== "SCRIPT"));
    }
    return elements;
  };

  const setPresenting = (wanted) => {
    if (wanted === isPresenting()) return;
    if (wanted && isOverview()) setOverview(false);
    deck.classList.toggle("is-presenting", wanted);
    behind().forEach((element) => { element.inert = wanted; });
    present.textContent = wanted ? present.dataset.leaveText : presentText;
    present.focus();
  };

  // The deck fills the window at once, and the screen where the browser allows it: a frame of a learning platform may not.
  const enter = () => {
    setPresenting(true);
    deck.requestFullscreen?.().catch(() => {});
  };

  const leave = () => {
    setPresenting(false);
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
  };

  const onKey = (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && isPresenting()) {
      leave();
      event.preventDefault();
      return;
    }
    if (event.key === "Escape") {
      setOverview(!isOverview());
      event.preventDefault();
      return;
    }
    if (isOverview()) return;
    const isControl = event.target.closest("a, button, summary, input, textarea, select");
    const isRtl = getComputedStyle(deck).direction === "rtl";
    const forward = event.key === " " ? !event.shiftKey : ["ArrowDown", "PageDown"].includes(event.key);
    switch (event.key) {
      case "ArrowRight": turn(isRtl ? -1 : 1); break;
      case "ArrowLeft": turn(isRtl ? 1 : -1); break;
      case "Home": goTo(0); break;
      case "End": goTo(slides.length - 1); break;
      case " ":
        if (isControl) return;
      // A slide that goes on below the window is read to its end first.
      case "ArrowUp": case "ArrowDown": case "PageUp": case "PageDown":
        if (canScroll(forward)) return;
        turn(forward ? 1 : -1);
        break;
      default: return;
    }
    event.preventDefault();
  };

  let start = null;
  deck.addEventListener("touchstart", (event) => {
    const isScrollable = event.target.closest("pre, table, .scrolls");
    start = event.touches.length === 1 && !isScrollable ? event.touches[0] : null;
  }, { passive: true });
  deck.addEventListener("touchend", (event) => {
    if (!start || isOverview()) return;
    const end = event.changedTouches[0];
    const [across, down] = [end.clientX - start.clientX, end.clientY - start.clientY];
    start = null;
    if (Math.abs(across) < SWIPE || Math.abs(across) < 2 * Math.abs(down)) return;
    const isRtl = getComputedStyle(deck).direction === "rtl";
    turn((across < 0) === isRtl ? -1 : 1);
  }, { passive: true });

  previous.addEventListener("click", () => turn(-1));
  next.addEventListener("click", () => turn(1));
  toggle.addEventListener("click", () => setOverview(!isOverview()));
  present.addEventListener("click", () => (isPresenting() ? leave() : enter()));
  // The browser's own way out.
  document.addEventListener("fullscreenchange", () => { if (!document.fullscreenElement) setPresenting(false); });
  links.forEach((link, index) => link.addEventListener("click", (event) => {
    event.preventDefault();
    current = index;
    setOverview(false);
    goTo(index);
    slides[index].focus();
  }));
  document.addEventListener("keydown", onKey);
  window.addEventListener("hashchange", () => {
    const wanted = numberOf(location.hash);
    if (wanted >= 0) show(wanted);
  });
  window.addEventListener("beforeprint", () => slides.forEach((slide) => { slide.hidden = false; }));
  window.addEventListener("afterprint", () => show(current));

  deck.classList.add("is-single");
  bar.hidden = false;
  overview.hidden = true;
  part("keys").hidden = false;
  const first = numberOf(location.hash);
  if (slides.length) show(first >= 0 ? first : 0);
})();
