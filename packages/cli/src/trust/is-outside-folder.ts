/** Whether a path leads out of a folder, also through links. File contents are not read. */
import { lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';

export function isOutsideFolder(folder: string, place: string): boolean {
  try {
    const way = path.relative(realpathSync(folder), realpathSync(place));
    return way === '..' || way.startsWith(`..${path.sep}`) || path.isAbsolute(way);
  } catch (error) {
    // A missing path counts as inside. A broken or circular link counts as outside, because its
    // target may appear later.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT' || isLink(place);
  }
}

export function isLink(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
