/**
 * Gives property tests the same examples in every `npm test`, so that they start to fail only after
 * a change. `npm run faults` varies the examples; a failing property then prints the seed that
 * repeats the failure.
 */
import fc from 'fast-check';

const isVaried = process.env['PROOFMARK_PROPERTIES'] === 'varied';

/** Sets how many examples a property is tested with, if the default is too many or too few. */
export function runsOf(numRuns: number): { readonly numRuns: number } {
  return { numRuns };
}

if (!isVaried) fc.configureGlobal({ seed: 1 });
