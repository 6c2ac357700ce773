import { statSync } from 'node:fs';

/** Returns whether a file belongs to this user and no other user may read or write it. */
export function isPrivateFile(file: string): boolean {
  const { mode, uid } = statSync(file);
  // Windows has no such modes; there the folder is the user's own.
  if (process.getuid === undefined) return true;
  return uid === process.getuid() && (mode & 0o077) === 0;
}
