import { stemOf } from './words.ts';

/** Words in the name of a boolean parameter that do not show what the boolean means. */
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
/** Words that introduce a request and name no tool or value. */
export const askingStems = new Set(
  (
    'find search look show list fetch check make create add send open read give tell print forget link connect ' +
    'compare something anything everything today tomorrow tonight'
  )
    .split(' ')
    .map(stemOf),
);
/** Actions in tool names that change something. */
export const changingStems = new Set(
  (
    'add append assign book build cancel clear close commit create delete drop edit execute fork insert make merge move ' +
    'pay post put register remove rename replace reserve reset save send set start stop store toggle trigger update ' +
    'upload write'
  )
    .split(' ')
    .map(stemOf),
);
/** Verbs that fit any object, so the object identifies the tool better than the verb. */
export const lightStems = new Set('make do perform take put have new'.split(' ').map(stemOf));
/** Words in the names of parameters whose value may be several words, such as `message`. */
export const proseStems = new Set(
  'message text content body query topic description thought note summary prompt question subject data path file'
    .split(' ')
    .map(stemOf),
);
export const placeStems = new Set(
  'city location place country region town area'.split(' ').map(stemOf),
);
/** Words that occur in any conversation: alone they are no evidence for a tool. */
export const talkStems = new Set(
  (
    'again aloud already always anyway bad been bit care day evening ever everybody feel fine fun funny glad good great guess ' +
    'ha happy hard hear heard hope idea interesting joke kind later laugh life long lot love lovely luck lunch made maybe ' +
    'mean mind moment morning much never nice night nothing oh ok okay only people quite rather really right same second ' +
    'should sleep soon sorry still sure talk think thought tired today tomorrow tonight too very welcome ' +
    'well while wonder wow wrong yeah yes yesterday yet'
  )
    .split(' ')
    .map(stemOf),
);
/**
 * Words of everyday talk that also describe tools: they support only a tool that has them in its
 * name.
 */
export const everydayStems = new Set(
  'back break come go let look make name see take thing time try wait way window work'
    .split(' ')
    .map(stemOf),
);
