/** Words that say little by themselves, or turn what follows into its opposite, or change something. */
import { stemOf } from './words.ts';

/** In the name of a switch. */
export const vagueStems = new Set([
  'is',
  'has',
  'includ',
  'enabl',
  'with',
  'show',
  'allow',
  'only',
  'us',
  'flag',
  'should',
  'be',
]);
export const negations = new Set([
  'not',
  'no',
  'without',
  'don',
  'exclude',
  'excluding',
  'skip',
  'disable',
  'never',
  'ignore',
]);
/** Words that ask and name nothing. */
export const askingStems = new Set(
  (
    'find search look show list fetch check make create add send open read give tell print forget link connect ' +
    'compare something anything everything today tomorrow tonight'
  )
    .split(' ')
    .map(stemOf),
);
/** What a tool does that changes something, in its name. */
export const changingStems = new Set(
  (
    'add append assign book build cancel clear close commit create delete drop edit execute fork insert make merge move ' +
    'pay post put register remove rename replace reserve reset save send set start stop store toggle trigger update ' +
    'upload write'
  )
    .split(' ')
    .map(stemOf),
);
/** What is done with any thing, so that the thing says more. */
export const lightStems = new Set('make do perform take put have new'.split(' ').map(stemOf));
/** Names of parameters that hold whole sentences. */
export const proseStems = new Set(
  'message text content body query topic description thought note summary prompt question subject data path file'
    .split(' ')
    .map(stemOf),
);
/** Names of parameters that hold a place. */
export const placeStems = new Set(
  'city location place country region town area'.split(' ').map(stemOf),
);
