/**
 * Words that people use for one another when they ask for a tool. A tool that speaks of a deletion is found by `remove`
 * too, though by less than by its own word.
 */
import { stemOf } from './words.ts';

/** How much a word counts that only means the same. */
export const synonymShare = 0.5;

const groups = [
  'delete remove forget erase drop discard',
  'create make add new build',
  'search find look',
  'write save store overwrite put',
  'move rename relocate',
  'read open show view see display print examine contents',
  'list show listing which files',
  'edit change replace modify update substitute',
  'directory folder',
  'image picture photo logo media',
  'audio sound media',
  'sum add plus total calculate',
  'echo repeat say',
  'compress gzip zip',
  'size big large',
  'info information metadata details modified permissions',
  'multiple several many both',
  'toggle switch turn enable disable start stop',
  'logging log logs',
  'environment env configuration settings',
  'entity node',
  'relation relationship link connection',
  'observation fact note',
  'send mail message',
  'cancel abort stop',
  'book reserve',
  'reference link',
  'get fetch retrieve return',
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
