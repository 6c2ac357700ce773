import { statSync } from 'node:fs';

/** Whether a file belongs to this user and nobody else may read or write it. */
export function isPrivateFile(file: string): boolean {
  const { mode, uid } = statSync(file);
  // Windows has no such modes; the folder there is the user's own.
  if (process.getuid === undefined) return true;
  return uid === process.getuid() && (mode & 0o077) === 0;
}
