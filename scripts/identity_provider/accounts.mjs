// The accounts of an issuer. Anybody signs in by a login name; there are no passwords.
//
//   ann      a verified address, and the groups `teachers` and `operators`
//   bob      a verified address, and the group `teachers`
//   bob2     another subject with bob's address, as when an address was given to somebody else
//   eve      an address that is not verified
//   mallory  an address that is verified by the text "false"
//   nomail   no address at all
//   deny     never consents: the provider answers `access_denied`
//
// Any other name is an account with a verified address of its own, NAME@school.example. A test can add more, or change
// these, for its issuer. Clients learn `groups`, `roles` and `upn` always, and the other claims with their usual scopes.
const DOMAIN = "school.example";
const MAX_ACCOUNTS = 1000;
const LOGIN = /^[A-Za-z0-9._@+-]{1,128}$/;

export const DENYING = "deny";

export class Accounts {
    constructor() {
        this.byLogin = new Map();
        this.add("ann", { ...usual("ann", "Ann Author"), groups: ["teachers", "operators"] });
        this.add("bob", { ...usual("bob", "Bob Builder"), groups: ["teachers"] });
        this.add("bob2", { ...usual("bob2", "Bob Borrower"), email: `bob@${DOMAIN}` });
        this.add("eve", { ...usual("eve", "Eve Eager"), email_verified: false });
        this.add("mallory", { ...usual("mallory", "Mallory Mean"), email_verified: "false" });
        this.add("nomail", { sub: "nomail", name: "No Mail" });
    }

    /** Adds or replaces an account: its claims, of which `sub` is the login name unless it is given. */
    add(login, claims) {
        if (!LOGIN.test(login ?? "")) throw new RangeError("a login has letters, digits and . _ @ + -");
        if (this.byLogin.size >= MAX_ACCOUNTS) throw new RangeError("there are enough accounts");
        this.byLogin.set(login, { sub: login, ...claims });
    }

    bySubject(sub) {
        return [...this.byLogin.values()].find((claims) => claims.sub === sub);
    }

    /** The claims of who signs in with a name. */
    signIn(login) {
        if (!this.byLogin.has(login)) this.add(login, usual(login, login));
        return this.byLogin.get(login);
    }
}

function usual(login, name) {
    const email = login.includes("@") ? login : `${login}@${DOMAIN}`;
    return { sub: login, name, email, email_verified: true };
}
