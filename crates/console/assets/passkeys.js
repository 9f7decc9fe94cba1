// Passkeys: the browser's authenticator talks to the API of this service.
const call = async (path, body) => {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(path, { method: "POST", headers, body: body && JSON.stringify(body) });
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(told.message || "The service did not answer. Try again.");
  return told;
};

const show = (text) => {
  const error = document.getElementById("passkey-error");
  error.textContent = text;
  error.hidden = false;
};

// The reader closing the browser's dialog is no fault.
const attempt = async (work) => {
  try {
    await work();
  } catch (fault) {
    if (fault.name !== "NotAllowedError" && fault.name !== "AbortError") show(fault.message);
  }
};

if (window.PublicKeyCredential?.parseRequestOptionsFromJSON) document.documentElement.classList.add("has-passkeys");

const signIn = document.querySelector("button[data-passkey-sign-in]");
signIn?.addEventListener("click", () => attempt(async () => {
  const { root, next } = signIn.dataset;
  const { ceremony, publicKey } = await call(`${root}/auth/passkeys/challenge`);
  const options = PublicKeyCredential.parseRequestOptionsFromJSON(publicKey);
  const credential = (await navigator.credentials.get({ publicKey: options })).toJSON();
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
  await call(`${root}/auth/passkeys/login`, { ceremony, credential, timezone });
  location.assign(root + next);
}));

const add = document.querySelector("form[data-passkey-add]");
add?.addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => {
    const { root } = add.dataset;
    const password = add.elements.password.value || undefined;
    const { ceremony, publicKey } = await call(`${root}/auth/passkeys/enroll`, { password });
    const options = PublicKeyCredential.parseCreationOptionsFromJSON(publicKey);
    const credential = (await navigator.credentials.create({ publicKey: options })).toJSON();
    await call(`${root}/auth/passkeys`, { ceremony, credential, name: add.elements.name.value });
    location.assign(`${root}/console/account?done=passkey-added`);
  }).finally(() => { add.querySelector("button").disabled = false; });
});
