// The pages are served under a policy that allows no inline code and no foreign sources, so the
// build writes every script and style into its own file.
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
      // The console, and the page behind a share link, which loads no page of the console.
      input: ['index.html', 'visit.html'].map((page) =>
        fileURLToPath(new URL(page, import.meta.url)),
      ),
      output: {
        // Without this, a project's page loads 79 files, most of them below 2 KB.
        experimentalMinChunkSize: 40_000,
        // Dependencies change seldom, so a browser keeps their file when the console changes.
        manualChunks: (file) => {
          if (!file.includes('node_modules')) return undefined;
          // Only editors use it, and they are loaded on demand.
          if (/node_modules\/yaml\//.test(file)) return 'yaml';
          return /node_modules\/(react|react-dom|scheduler)\//.test(file) ? 'react' : 'libraries';
        },
      },
      // Zod has annotations for another bundler, which this one does not understand.
      onwarn: (warning, warn) => warning.code === 'INVALID_ANNOTATION' || warn(warning),
    },
  },
  server: {
    proxy: { '/api': service, '/console': service, '/visit/v1': service },
  },
});
