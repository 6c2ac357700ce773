/**
 * Property tests look at the same examples in every run of `npm test`, so that a change is what makes it red. `npm run
 * faults` varies them; a property that fails there prints the seed to make it again.
 */
import fc from 'fast-check';

const isVaried = process.env['PROOFMARK_PROPERTIES'] === 'varied';

/** The runs of a property that needs another number than most. */
export function runsOf(numRuns: number): { readonly numRuns: number } {
  return { numRuns };
}

if (!isVaried) fc.configureGlobal({ seed: 1 });
