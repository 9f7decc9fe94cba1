// A launch inside another site's frame. The browser has to keep a text from the login to the launch: in a cookie, or else in
// the platform's storage (LTI Client Side postMessages); or else the learner opens a new window, where cookies work.
"use strict";
(() => {
  const page = document.querySelector("[data-launch]");
  if (!page) return;
  const { slot, storageTarget, storageOrigin, keep } = page.dataset;
  const form = page.querySelector("form");
  const goOn = page.querySelector("[data-go-on]");
  const PATIENCE = 2000;

  const hasCookie = () => {
    try {
      return document.cookie.split("; ").some((pair) => pair === `${slot}=${keep}`);
    } catch {
      return false;
    }
  };

  const storage = () => {
    const platform = window.opener || (window.parent === window ? null : window.parent);
    if (!platform || !storageTarget) return null;
    try {
      return storageTarget === "_parent" ? platform : platform.frames[storageTarget] || platform;
    } catch {
      return platform;
    }
  };

  // The platform's answer to a message; nothing when there is none in time.
  const ask = (message) => new Promise((resolve) => {
    const frame = storage();
    if (!frame) return resolve(undefined);
    const id = `${slot}-${message.subject}`;
    const timer = setTimeout(() => resolve(undefined), PATIENCE);
    addEventListener("message", (event) => {
      const answer = event.data;
      if (event.origin !== storageOrigin || !answer || answer.message_id !== id) return;
      if (answer.subject !== `${message.subject}.response`) return;
      clearTimeout(timer);
      resolve(answer.error ? undefined : answer.value);
    });
    frame.postMessage({ ...message, message_id: id, key: slot }, storageOrigin);
  });

  const login = async () => {
    if (hasCookie() || await ask({ subject: "lti.put_data", value: keep }) === keep) {
      location.replace(goOn.href);
      return;
    }
    const offer = page.querySelector("[data-new-window]");
    const link = offer.querySelector("a");
    document.querySelector("h1").textContent = document.title = link.textContent;
    offer.hidden = false;
    link.focus();
  };

  const launch = async () => {
    form.elements.browser.value = await ask({ subject: "lti.get_data" }) || "";
    form.submit();
  };

  if (form) launch(); else login();
})();
