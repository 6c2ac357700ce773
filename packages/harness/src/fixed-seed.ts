/**
 * Gives property tests the same examples in every `npm test`, so that only a change can make them
 * fail. `npm run faults` varies the examples; a failing property then prints the seed that
 * reproduces the failure.
 */
import fc from 'fast-check';

const isVaried = process.env['PROOFMARK_PROPERTIES'] === 'varied';

export function runsOf(numRuns: number): { readonly numRuns: number } {
  return { numRuns };
}

if (!isVaried) fc.configureGlobal({ seed: 1 });
