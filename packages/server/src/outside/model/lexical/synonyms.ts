/**
 * Synonyms for words of a request. For example, `remove` also finds a tool that is described with
 * `delete`, with a lower weight than `delete` itself.
 */
import { stemOf } from './words.ts';

/** The weight of a synonym relative to the word itself. */
export const synonymShare = 0.5;

const verbs = [
  'delete remove forget erase drop discard rid rm clear wipe purge scrap',
  'create make new build mkdir remember start associate',
  'add append note insert include attach remember record',
  'search find look grep know locate mention seek',
  'write save store overwrite put dump',
  'move rename relocate mv transfer',
  'read open show view see display print examine contents cat load say dump inside',
  'list show listing files ls enumerate',
  'edit change replace modify update substitute swap fix correct',
  'run execute launch trigger perform start begin',
  'toggle switch turn enable disable start stop flip',
  'get fetch retrieve return grab download',
  'send mail message email deliver',
  'cancel abort stop',
  'book reserve',
  'compress gzip zip shrink',
  'echo repeat say parrot',
  'sum add plus total calculate together',
  'research investigate study explore',
  'comment reply respond answer',
  'copy fork duplicate clone',
  'merge combine',
  'pay settle owe',
  'allow permit access',
  'describe structure column schema',
  'relation relationship relate link connection connect tie associate',
];

const things = [
  'directory folder mkdir dir',
  'image picture photo logo media',
  'audio sound media music song',
  'size big large heavy space',
  'info information metadata details modified changed permissions stat',
  'multiple several many both',
  'logging log logs',
  'log history recent lately',
  'environment env configuration settings',
  'entity node person thing record',
  'observation fact note',
  'entire whole everything complete full',
  'tree structure hierarchy nested recursive',
  'tail last end bottom',
  'head first top beginning',
  'long slow',
  'reference link',
  'issue bug ticket problem defect',
  'repository repo project',
  'weather rain snow sunny cloudy umbrella',
  'temperature warm cold hot degrees',
  'alert warning storm',
  'forecast tomorrow weekend coming next',
  'current moment now',
  'location place',
  'time hour clock',
  'page website site article',
  'sqrt root',
  'pow power exponent',
  'avg average mean',
];

/** Pairs of verbs. If no tool performs the first verb, the request may mean the second. */
const looseVerbs = ['create add', 'search list', 'write create', 'update write', 'research search'];

const meanings = meaningsIn([...verbs, ...things]);
const looseMeanings = meaningsIn(looseVerbs);

/** Returns the synonyms without the word itself. */
export function synonymsOf(stem: string): readonly string[] {
  return meanings.get(stem) ?? [];
}

/**
 * Returns the other words that a word of the request may mean. `looseVerbs` are added only if no
 * tool has the word or a synonym as its action.
 */
export function meantBy(stem: string, actions: ReadonlySet<string>): readonly string[] {
  const close = synonymsOf(stem);
  if ([stem, ...close].some((one) => actions.has(one))) return close;
  const loose = [stem, ...close].flatMap((one) => looseMeanings.get(one) ?? []);
  return [...new Set([...close, ...loose])];
}

function meaningsIn(lines: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = lines.map((line) => [...new Set(line.split(' ').map(stemOf))]);
  const all = new Set(groups.flat());
  return new Map(
    [...all].map((stem) => {
      const others = groups.filter((group) => group.includes(stem)).flat();
      return [stem, [...new Set(others)].filter((other) => other !== stem)];
    }),
  );
}
