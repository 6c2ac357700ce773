import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [`${process.env['PROOFMARK_MUTANTS']}/**/*.test.ts`],
    setupFiles: ['packages/harness/src/fixed-seed.ts'],
    testTimeout: 30_000,
  },
});
