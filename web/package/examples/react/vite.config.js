export default {
  oxc: { jsx: { runtime: "automatic" } },
  worker: { format: "es" },
  optimizeDeps: { exclude: ["evident-check"] },
};
