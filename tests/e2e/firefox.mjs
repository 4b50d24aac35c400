/**
 * Firefox, driven by Marionette, the protocol that is built into it
 * (firefox-source-docs.mozilla.org/testing/marionette): messages are JSON, each with its length before it. Playwright
 * has a Firefox of its own, which loads no extension.
 */

import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout } from "node:timers/promises";

/** The Firefox that FIREFOX names, or one on the path; undefined where there is none. */
export function findFirefox() {
  const places = process.env.PATH.split(delimiter).flatMap((folder) =>
    ["firefox", "firefox-esr"].map((name) => join(folder, name)),
  );
  return [process.env.FIREFOX, ...places].find((path) => {
    try {
      if (path) accessSync(path, constants.X_OK);
      return Boolean(path);
    } catch {
      return false;
    }
  });
}

/** Starts Firefox with a profile of its own and these preferences. */
export async function launchFirefox(path, preferences) {
  const profile = await mkdtemp(join(tmpdir(), "evident-firefox-"));
  const all = {
    "marionette.port": 0,
    "browser.shell.checkDefaultBrowser": false,
    "datareporting.policy.dataSubmissionEnabled": false,
    ...preferences,
  };
  await writeFile(
    join(profile, "user.js"),
    Object.entries(all)
      .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
      .join(""),
  );
  const firefox = spawn(
    path,
    ["--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", profile],
    { stdio: "ignore" },
  );
  const ended = new Promise((done) => firefox.once("exit", done));
  const close = async () => {
    firefox.kill();
    await ended;
    await rm(profile, { recursive: true, force: true });
  };
  try {
    const marionette = await Marionette.connect(await portOf(profile));
    await marionette.ask("WebDriver:NewSession", {});
    return { marionette, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The port that Firefox chose, which it writes into its profile once it listens. */
async function portOf(profile) {
  for (const until = Date.now() + 60_000; Date.now() < until; await setTimeout(100)) {
    const port = Number(await readFile(join(profile, "MarionetteActivePort"), "utf8").catch(() => ""));
    if (port) return port;
  }
  throw new Error("Firefox did not start within a minute");
}

class Marionette {
  #socket;
  #last = 0;
  #waiting = new Map();

  static async connect(port) {
    const marionette = new Marionette();
    await new Promise((done, fail) => {
      marionette.#socket = connect(port, "127.0.0.1", done).once("error", fail);
      marionette.#listen();
    });
    return marionette;
  }

  /** Sends a command, and resolves to what Firefox answers. */
  ask(command, parameters) {
    const id = ++this.#last;
    const message = JSON.stringify([0, id, command, parameters]);
    this.#socket.write(`${Buffer.byteLength(message)}:${message}`);
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  /** Runs a function in the page that is shown, and resolves to what it returns. */
  async run(work, ...args) {
    const script = `const [done, ...args] = [arguments[arguments.length - 1], ...[...arguments].slice(0, -1)];
      Promise.resolve((${work})(...args)).then((value) => done({ value }), (error) => done({ error: String(error) }));`;
    const { value: told } = await this.ask("WebDriver:ExecuteAsyncScript", {
      script,
      args,
      sandbox: null,
      newSandbox: false,
    });
    if (told.error) throw new Error(told.error);
    return told.value;
  }

  #listen() {
    let bytes = Buffer.alloc(0);
    this.#socket.on("data", (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      for (let colon = bytes.indexOf(":"); colon > 0; colon = bytes.indexOf(":")) {
        const end = colon + 1 + Number(bytes.subarray(0, colon).toString());
        if (bytes.length < end) return;
        this.#hear(JSON.parse(bytes.subarray(colon + 1, end).toString()));
        bytes = bytes.subarray(end);
      }
    });
  }

  /** An answer is [1, id, error, value]; any other message is Firefox's greeting. */
  #hear(message) {
    if (!Array.isArray(message)) return;
    const [, id, error, value] = message;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(new Error(`${error.error}: ${error.message}`));
    else waiting?.resolve(value);
  }
}
