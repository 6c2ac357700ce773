/**
 * Words that people use for one another when they ask for a tool. A tool that speaks of a deletion is found by `remove`
 * too, though by less than by its own word.
 */
import { stemOf } from './words.ts';

/** How much a word counts that only means the same. */
export const synonymShare = 0.5;

const groups = [
  'delete remove forget erase drop discard rid rm clear wipe',
  'create make add new build mkdir remember',
  'add append note',
  'search find look grep know locate mention',
  'write save store overwrite put dump',
  'move rename relocate mv',
  'read open show view see display print examine contents cat inside',
  'list show listing files ls',
  'edit change replace modify update substitute swap',
  'directory folder mkdir dir',
  'image picture photo logo media',
  'audio sound media',
  'sum add plus total calculate together',
  'echo repeat say parrot',
  'compress gzip zip shrink',
  'size big large heavy space',
  'info information metadata details modified changed permissions stat',
  'multiple several many both',
  'toggle switch turn enable disable start stop flip',
  'logging log logs',
  'environment env configuration settings',
  'entity node person thing',
  'relation relationship link connection related',
  'observation fact note',
  'entire whole everything complete full',
  'tree structure hierarchy nested recursive',
  'tail last end bottom',
  'head first top beginning',
  'allow permit access',
  'research investigate study',
  'long slow',
  'send mail message',
  'cancel abort stop',
  'book reserve',
  'reference link',
  'get fetch retrieve return grab',
].map((group) => group.split(' ').map(stemOf));

const meanings: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [...new Set(groups.flat())].map((stem) => [
    stem,
    new Set(groups.filter((group) => group.includes(stem)).flat()),
  ]),
);

/** Without the word itself. */
export function synonymsOf(stem: string): readonly string[] {
  return [...(meanings.get(stem) ?? [])].filter((other) => other !== stem);
}
