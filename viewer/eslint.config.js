import eslint from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config({ ignores: ["dist", "node_modules"] }, eslint.configs.recommended, {
  files: ["**/*.ts"],
  extends: [...tseslint.configs.strictTypeChecked],
  languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
  rules: { "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }] },
});
