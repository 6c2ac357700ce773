// The pages are served under a policy that allows nothing inline and nothing from elsewhere, so the
// build writes every script and style into a file of its own.
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
        // Without it, a project's page asked for 79 files, most of them below 2 KB.
        experimentalMinChunkSize: 40_000,
        // What others wrote changes seldom, so a browser that has it keeps it when our pages change.
        manualChunks: (file) => {
          if (!file.includes('node_modules')) return undefined;
          // Only editors need it, which are loaded when somebody edits.
          if (/node_modules\/yaml\//.test(file)) return 'yaml';
          return /node_modules\/(react|react-dom|scheduler)\//.test(file) ? 'react' : 'libraries';
        },
      },
      // Zod's notes for another bundler mean nothing to this one.
      onwarn: (warning, warn) => warning.code === 'INVALID_ANNOTATION' || warn(warning),
    },
  },
  server: {
    proxy: { '/api': service, '/console': service, '/visit/v1': service },
  },
});
