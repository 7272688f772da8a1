// One script, one style sheet, fixed names: `crates/web/src/page.rs` has them, and CI compares them byte by byte.
import { defineConfig } from "vite";

export default defineConfig({
  base: "/",
  build: {
    outDir: "../dist",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    rollupOptions: {
      output: { entryFileNames: "page.js", chunkFileNames: "page-[name].js", assetFileNames: "page[extname]" },
    },
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8000", changeOrigin: false } } },
});
