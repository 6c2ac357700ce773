/** Whether a place that is there is in the folder or below it, also where links lead; nothing outside is looked at. */
import { lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';

export function isOutsideFolder(folder: string, place: string): boolean {
  try {
    const way = path.relative(realpathSync(folder), realpathSync(place));
    return way === '..' || way.startsWith(`..${path.sep}`) || path.isAbsolute(way);
  } catch (error) {
    // What is not there leads nowhere; a link to nothing, or in a circle, may lead anywhere.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT' || isLink(place);
  }
}

export function isLink(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
