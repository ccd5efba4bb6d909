import { defineConfig } from "vitest/config";
import type { Plugin } from "vite";

/** The page as one file: `polhode` embeds it, and `--export` writes it with the runs inside. */
function singleFile(): Plugin {
  return {
    name: "single-file",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = bundle["index.html"];
      if (page?.type !== "asset") throw new Error("no index.html was built");
      let html = String(page.source);
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === "chunk") {
          const script = file.code.replaceAll("</script", "<\\/script");
          html = html.replace(new RegExp(`<script[^>]*src="[^"]*${name}"[^>]*></script>`), "");
          html = html.replace("</body>", () => `<script type="module">${script}</script>\n</body>`);
        } else if (name.endsWith(".css")) {
          const style = String(file.source);
          html = html.replace(
            new RegExp(`<link[^>]*href="[^"]*${name}"[^>]*>`),
            () => `<style>${style}</style>`,
          );
        } else {
          continue;
        }
        Reflect.deleteProperty(bundle, name);
      }
      page.source = html;
    },
  };
}

export default defineConfig({
  base: "./",
  plugins: [singleFile()],
  build: { assetsInlineLimit: Number.MAX_SAFE_INTEGER, cssCodeSplit: false, chunkSizeWarningLimit: 2000 },
  test: { include: ["tests/**/*.test.ts"] },
});
