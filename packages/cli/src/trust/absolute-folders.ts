import path from 'node:path';

/** Relative folders are dropped, because they could lead into an untrusted checkout. */
export function absoluteFolders(searchPath: string): string[] {
  return searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
}
