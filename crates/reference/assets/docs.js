// Copy buttons, and the language of the examples. Every page works without this file.
document.documentElement.classList.add("scripted");

const announce = (text) => {
  const toast = document.getElementById("toast");
  toast.textContent = text;
  toast.hidden = false;
  setTimeout(() => { toast.hidden = true; }, 2500);
};

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-copy]");
  if (!button) return;
  const source = button.parentElement.querySelector("code");
  try {
    await navigator.clipboard.writeText(source.textContent.trim());
    announce("Copied");
  } catch {
    getSelection().selectAllChildren(source);
    announce("Press Ctrl+C to copy");
  }
});

// The language that a reader chose is that of the next page of this tab.
const languages = document.querySelectorAll("input[name=language]");
try {
  const chosen = sessionStorage.getItem("lectern-language");
  for (const input of languages) if (input.value === chosen) input.checked = true;
} catch { /* The tab keeps nothing. */ }
for (const input of languages) {
  input.addEventListener("change", () => {
    try { sessionStorage.setItem("lectern-language", input.value); } catch { /* The tab keeps nothing. */ }
  });
}

// The current page is in sight in the navigation.
const current = document.querySelector(".sidebar [aria-current=page]");
const list = document.querySelector(".sidebar > div");
if (current && list) list.scrollTop = Math.max(0, current.offsetTop - list.clientHeight / 2);
