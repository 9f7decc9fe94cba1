// The pages of a registration link. The first sends its form once. The last tells the learning platform, which opened it in a
// frame or a window, that it may close it (LTI Dynamic Registration 1.0); where the platform does not, a button asks again.
"use strict";
(() => {
  const form = document.querySelector("[data-connect]");
  form?.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "true";
    form.setAttribute("aria-busy", "true");
  });
  // A page that the browser kept is shown as it was: its form may be sent again.
  addEventListener("pageshow", () => {
    if (!form) return;
    delete form.dataset.sent;
    form.removeAttribute("aria-busy");
  });

  const offer = document.querySelector("[data-close]");
  if (!offer) return;
  const platform = window.opener || (window.parent === window ? null : window.parent);
  // Which origin the platform shows its pages from, this page does not know; the message says nothing else.
  const close = () => platform?.postMessage({ subject: "org.imsglobal.lti.close" }, "*");
  offer.hidden = !platform;
  offer.querySelector("button").addEventListener("click", close);
  close();
})();
