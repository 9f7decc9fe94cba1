// Sends a page's one form at once. Without scripts there is a button.
"use strict";
document.querySelector("form[data-submit]")?.submit();
