/**
 * Property tests use the same examples in every run of `npm test`, so that only a change can make
 * them fail. `npm run faults` varies them; a property that fails there prints the seed that repeats
 * it.
 */
import fc from 'fast-check';

const isVaried = process.env['PROOFMARK_PROPERTIES'] === 'varied';

/** Sets the number of runs of a property that needs more or fewer than the default. */
export function runsOf(numRuns: number): { readonly numRuns: number } {
  return { numRuns };
}

if (!isVaried) fc.configureGlobal({ seed: 1 });
