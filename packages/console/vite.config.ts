// The pages are served under a policy that allows nothing inline and nothing from elsewhere, so the
// build writes every script and style into a file of its own.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const service = 'http://127.0.0.1:3300';

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      output: {
        // What others wrote changes seldom, so a browser that has it keeps it when our pages change.
        manualChunks: (file) => (file.includes('node_modules') ? 'libraries' : undefined),
      },
      // Zod's notes for another bundler mean nothing to this one.
      onwarn: (warning, warn) => warning.code === 'INVALID_ANNOTATION' || warn(warning),
    },
  },
  server: {
    proxy: { '/api': service, '/console': service },
  },
});
