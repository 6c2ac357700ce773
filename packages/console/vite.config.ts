// The pages' content security policy allows no inline code and no foreign sources. The build
// therefore writes every script and style to a separate file.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const service = 'http://127.0.0.1:3300';

export default defineConfig({
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      // Two entry pages: the console, and the page behind a share link. The second loads no code of
      // the console.
      input: ['index.html', 'visit.html'].map((page) =>
        fileURLToPath(new URL(page, import.meta.url)),
      ),
      output: {
        // Minimum size of a script file in bytes. Without it, a project's page would load 79 files,
        // most of them below 2 KB.
        experimentalMinChunkSize: 40_000,
        // Dependencies rarely change. In separate files, they stay in the browser's cache after an
        // update of the console.
        manualChunks: (file) => {
          if (!file.includes('node_modules')) return undefined;
          // Only the editors, which are loaded on demand, use yaml, so yaml gets a separate file.
          if (/node_modules\/yaml\//.test(file)) return 'yaml';
          return /node_modules\/(react|react-dom|scheduler)\//.test(file) ? 'react' : 'libraries';
        },
      },
      // Some comments in Zod's files are annotations for another bundler. This bundler reports them
      // as invalid.
      onwarn: (warning, warn) => warning.code === 'INVALID_ANNOTATION' || warn(warning),
    },
  },
  server: {
    proxy: { '/api': service, '/console': service, '/visit/v1': service },
  },
});
