import { fileURLToPath } from "node:url";
import eslint from "@eslint/js";
import tseslint from "typescript-eslint";

/** What scripts outside the page may name: Node's own, and the browser's inside functions that are sent to it. */
const outside = [
  "URL",
  "console",
  "document",
  "performance",
  "process",
  "requestAnimationFrame",
  "setTimeout",
  "window",
];

const here = fileURLToPath(new URL(".", import.meta.url));

export default tseslint.config(
  { ignores: ["dist", "node_modules"] },
  eslint.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: here } },
    rules: { "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }] },
  },
  {
    files: ["**/*.js", "**/*.mjs"],
    languageOptions: { globals: Object.fromEntries(outside.map((name) => [name, "readonly"])) },
  },
);
