// Names the browser's time zone, and asks for the second factor without a second password.
const zone = document.querySelector("input[name=timezone]");
if (zone) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

const form = document.querySelector("form[data-sign-in]");
const more = document.getElementById("second-factor");
form?.addEventListener("submit", async (event) => {
  if (more.open || form.dataset.sent) return;
  event.preventDefault();
  const headers = { Accept: "application/json" };
  const answer = await fetch(form.action, { method: "POST", headers, body: new URLSearchParams(new FormData(form)) });
  const told = answer.headers.get("content-type") === "application/json" ? await answer.json() : {};
  if (told.next) {
    location.assign(told.next);
  } else if (told.needsCode) {
    more.open = true;
    document.getElementById("f-code").focus();
    document.querySelector("button[type=submit]").disabled = false;
  } else {
    const error = document.getElementById("sign-in-error");
    error.querySelector("p").textContent = told.message || "Sign-in failed. Try again.";
    error.hidden = false;
    document.querySelector("button[type=submit]").disabled = false;
  }
});
