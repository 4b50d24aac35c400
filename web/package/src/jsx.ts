/**
 * Types of `<evident-check>` in JSX: for React, for Preact, for Solid, and for whatever reads the global `JSX`. None of
 * these has to be installed. A project takes them in by one line:
 *
 * ```ts
 * import type {} from "evident-check/jsx";
 * ```
 */

// biome-ignore-all lint/suspicious/noTsIgnore: an expected error would itself be one where the framework is installed.

import type { DeviceChoice } from "./backend.js";
import type { ModelChoice } from "./device.js";
import type { EvidentEvents } from "./element/events.js";
import type { EvidentCheckElement } from "./element.js";

/** The attributes of `<evident-check>` that other elements lack; `EvidentCheckElement` says what each does. */
export interface EvidentCheckAttributes {
  for?: string | undefined;
  pack?: string | undefined;
  index?: string | undefined;
  engine?: string | undefined;
  device?: DeviceChoice | undefined;
  model?: ModelChoice | undefined;
  threads?: number | string | undefined;
  rerank?: string | undefined;
  wiki?: string | undefined;
  question?: string | undefined;
  size?: "panel" | "inline" | "badge" | undefined;
  auto?: boolean | "" | undefined;
}

/** The properties that can be set. */
type Properties = Partial<Pick<EvidentCheckElement, "settings" | "strings">>;

type Listener<Name extends keyof EvidentEvents> =
  | ((event: CustomEvent<EvidentEvents[Name]> & { currentTarget: EvidentCheckElement }) => void)
  | undefined;

/** Listeners as React and Preact write them, `onevident-report`, and as Solid does, `on:evident-report`. */
type Listeners = { [Name in keyof EvidentEvents as `on${Name}` | `on:${Name}`]?: Listener<Name> };

/** Solid sets what is computed as a property, unless it is called an attribute: `attr:pack={address}`. */
type ForSolid = { [Name in keyof EvidentCheckAttributes as `attr:${Name}`]: EvidentCheckAttributes[Name] };

/** What any element takes, such as `id` and `children`, by a framework's own list of elements. */
type OfAny<Elements> = Elements extends { section: infer Attributes } ? Attributes : unknown;

/** All that the element takes, in a framework with these `Elements`. */
export type EvidentCheckProps<Elements> = EvidentCheckAttributes & Properties & Listeners & ForSolid & OfAny<Elements>;

// TypeScript cannot add to a module that is not installed. The comments keep that from being the project's error.

/** @ts-ignore */
declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "evident-check": EvidentCheckProps<IntrinsicElements>;
    }
  }
}

/** @ts-ignore */
declare module "preact" {
  namespace JSX {
    interface IntrinsicElements {
      "evident-check": EvidentCheckProps<IntrinsicElements>;
    }
  }
}

/** @ts-ignore */
declare module "solid-js/jsx-runtime" {
  namespace JSX {
    interface IntrinsicElements {
      "evident-check": EvidentCheckProps<IntrinsicElements>;
    }
  }
}

declare global {
  namespace JSX {
    interface IntrinsicElements {
      "evident-check": EvidentCheckProps<IntrinsicElements>;
    }
  }
}
