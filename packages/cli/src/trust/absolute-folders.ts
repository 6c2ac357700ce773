import path from 'node:path';

/** Of a search path, the folders that do not depend on the working folder: in a checkout, the others lead into it. */
export function absoluteFolders(searchPath: string): string[] {
  return searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
}
