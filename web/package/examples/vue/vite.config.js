import vue from "@vitejs/plugin-vue";

const isCustomElement = (tag) => tag === "evident-check";

export default {
  plugins: [vue({ template: { compilerOptions: { isCustomElement } } })],
  worker: { format: "es" },
  optimizeDeps: { exclude: ["evident-check"] },
};
