import { statSync } from 'node:fs';

export function isPrivateFile(file: string): boolean {
  const { mode, uid } = statSync(file);
  // Windows has no such file modes. The file is in the user's profile folder, which counts as
  // private.
  if (process.getuid === undefined) return true;
  return uid === process.getuid() && (mode & 0o077) === 0;
}
