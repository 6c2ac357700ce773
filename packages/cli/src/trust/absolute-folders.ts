import path from 'node:path';

/**
 * Returns the absolute folders of a search path. Relative ones are dropped, since they could lead
 * into a foreign checkout.
 */
export function absoluteFolders(searchPath: string): string[] {
  return searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
}
