/**
 * The page enforces Trusted Types (index.html's policy): no text becomes markup or script, and these addresses alone
 * become workers.
 */

const OWN = ["worker.js", "index-worker.js", "sw.js"].map((file) => new URL(file, document.baseURI).href);

interface Policies {
  createPolicy(name: string, rules: { createScriptURL(address: string): string }): unknown;
}

(window as { trustedTypes?: Policies }).trustedTypes?.createPolicy("default", {
  createScriptURL(address) {
    const { href } = new URL(address, document.baseURI);
    if (OWN.includes(href)) return href;
    throw new TypeError(`${href} is no script of this page`);
  },
});
