/**
 * Property tests look at the same examples in every run of `npm test`, so that a change is what makes it red, and at
 * fewer of them, since each further one is the same every day. `npm run faults` varies them and looks at all; a property
 * that fails there prints the seed to make it again.
 */
import fc from 'fast-check';

const isVaried = process.env['PROOFMARK_PROPERTIES'] === 'varied';
const partOfFixed = 0.25;
const usualRuns = 100;

/** The runs of a property that needs another number than most: so many where examples vary. */
export function runsOf(varied: number): { readonly numRuns: number } {
  return { numRuns: isVaried ? varied : Math.ceil(varied * partOfFixed) };
}

if (!isVaried) fc.configureGlobal({ seed: 1, ...runsOf(usualRuns) });
