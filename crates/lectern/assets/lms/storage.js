// Keeps texts for the tool in this window while it is open (LTI Client Side postMessages and Platform Storage): browsers that keep no
// cookies of other sites' frames can launch all the same.
"use strict";
(() => {
  const { tool } = document.currentScript.dataset;
  const MOST = 50;
  const LONGEST = 4096;
  const SUBJECTS = ["lti.capabilities", "lti.put_data", "lti.get_data"];
  const kept = new Map();
  const isText = (text) => typeof text === "string" && text.length > 0 && text.length <= LONGEST;

  // What the platform says to a message; each answer repeats what it is about.
  const answer = ({ subject, key, value }) => {
    const wrong = (code, message) => ({ error: { code, message } });
    if (subject === "lti.capabilities") {
      return { supported_messages: SUBJECTS.map((one) => ({ subject: one })) };
    }
    if (!SUBJECTS.includes(subject)) return wrong("unsupported_subject", "The platform knows no such message.");
    if (!isText(key)) return { key, ...wrong("bad_request", "The message needs a key.") };
    if (subject === "lti.get_data") return { key, value: kept.get(key) };
    if (value === undefined || value === null) {
      kept.delete(key);
      return { key };
    }
    if (!isText(value)) return { key, ...wrong("bad_request", "The value must be a text, and not too long.") };
    if (!kept.has(key) && kept.size >= MOST) return { key, ...wrong("storage_exhaustion", "Nothing more fits.") };
    kept.set(key, value);
    return { key, value };
  };

  addEventListener("message", ({ data, source, origin }) => {
    if (origin !== tool || !source || typeof data?.subject !== "string" || !data.subject.startsWith("lti.")) return;
    const { subject, message_id } = data;
    source.postMessage({ subject: `${subject}.response`, message_id, ...answer(data) }, origin);
  });
})();
