import path from 'node:path';

/** Returns the absolute folders of a search path. In a checkout, relative ones lead into it. */
export function absoluteFolders(searchPath: string): string[] {
  return searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
}
