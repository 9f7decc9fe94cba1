// Posts the page's only form, as a person could with its button.
"use strict";
document.forms[0].submit();
