/** The engine's own caches, as crate/web/cache/src/store.rs names them. */
export const ENGINE_CACHES = { pack: "evident-1", index: "evident-index-1" };
