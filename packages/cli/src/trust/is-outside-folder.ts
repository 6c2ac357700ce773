/**
 * Returns whether an existing path is outside a folder, links included. Nothing outside is read.
 */
import { lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';

export function isOutsideFolder(folder: string, place: string): boolean {
  try {
    const way = path.relative(realpathSync(folder), realpathSync(place));
    return way === '..' || way.startsWith(`..${path.sep}`) || path.isAbsolute(way);
  } catch (error) {
    // A missing path counts as inside; a broken or circular link counts as outside, since it may
    // lead anywhere.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT' || isLink(place);
  }
}

export function isLink(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
