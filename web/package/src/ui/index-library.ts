/**
 * Indexes that a reader can choose from: those that a deployment lists in its indexes.json, and those that the reader
 * has added.
 */

import { make } from "./dom.js";

/** An index of the list. */
export interface KnownIndex {
  name: string;
  /** The address of its folder, with its slash. */
  address: string;
  /** "" if it is not known. */
  licence: string;
  passages: number;
  /** The size of all its files, of which a check reads few; null if it is not known. */
  bytes: number | null;
  /** Of an index of the reader's own files, which have no one licence: when it was made, in milliseconds since 1970. */
  made?: number;
}

/** The entries of a list at the address `at`, to which their own may be relative. What is no entry is left out. */
export function knownIndexes(list: unknown, at: string): KnownIndex[] {
  return (Array.isArray(list) ? (list as unknown[]) : []).flatMap((entry) => {
    const { name, address, licence, passages, bytes } = (entry ?? {}) as Partial<Record<keyof KnownIndex, unknown>>;
    if (typeof name !== "string" || !name || typeof address !== "string" || !URL.canParse(address, at)) return [];
    const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
    return isCount(passages)
      ? [
          {
            name,
            address: new URL(address, at).href.replace(/\/?$/, "/"),
            licence: typeof licence === "string" ? licence : "",
            passages,
            bytes: isCount(bytes) ? bytes : null,
          },
        ]
      : [];
  });
}

/** The list that a deployment ships at an address; empty if it ships none. */
export async function shippedIndexes(at: string): Promise<KnownIndex[]> {
  try {
    const response = await fetch(at);
    return response.ok ? knownIndexes(await response.json(), at) : [];
  } catch {
    return [];
  }
}

/**
 * How many passages an index at an address says it has; null if there is none, or if its host lets no other site read it.
 */
export async function passagesOf(address: string): Promise<number | null> {
  try {
    const response = await fetch(`${address}manifest.json`);
    const { passages, segments } = (await response.json()) as { passages?: unknown; segments?: unknown };
    return response.ok && typeof passages === "number" && Array.isArray(segments) ? passages : null;
  } catch {
    return null;
  }
}

/** The entry for an index that a reader has named by its address. */
export function ownIndex(address: string, passages: number): KnownIndex {
  const { host, pathname } = new URL(address);
  return { name: `${host}${pathname.replace(/\/$/, "")}`, address, licence: "", passages, bytes: null };
}

/** The list with this entry added; it replaces any with the same address. */
export const withIndex = (list: KnownIndex[], added: KnownIndex): KnownIndex[] => [
  ...list.filter(({ address }) => address !== added.address),
  added,
];

/** A row for an entry, with the buttons to use it and, if the reader can, to remove it. */
export function indexRow(
  known: KnownIndex,
  size: (bytes: number) => string,
  onUse: () => void,
  onRemove?: () => void,
): HTMLElement {
  const { name, address, licence, passages, bytes, made } = known;
  const about = [
    `${passages.toLocaleString("en")} ${passages === 1 ? "passage" : "passages"}`,
    ...(bytes === null ? [] : [size(bytes)]),
    made === undefined
      ? licence || "licence not known"
      : new Date(made).toLocaleDateString("en", { dateStyle: "long" }),
    ...(isElsewhere(address) ? [new URL(address).host] : []),
  ];
  const actions = [button("Use", name, onUse), ...(onRemove ? [button("Remove", name, onRemove)] : [])];
  return make("li", "", make("bdi", "name", name), " ", make("span", "hint", about.join(" · ")), " ", ...actions);
}

const isElsewhere = (address: string) => new URL(address).origin !== location.origin;

function button(label: string, name: string, act: () => void): HTMLButtonElement {
  const made = make("button", "", label);
  made.type = "button";
  made.setAttribute("aria-label", `${label} ${name}`);
  made.addEventListener("click", act);
  return made;
}
