// Only for `npm run mutants`: runs the tests of one folder of the rules, which must notice the
// changes in that folder.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [`${process.env['PROOFMARK_MUTANTS']}/**/*.test.ts`],
    setupFiles: ['packages/harness/src/fixed-seed.ts'],
    testTimeout: 30_000,
  },
});
