/**
 * Returns the path of a seal file. A seal shows that a process of this user wrote a certain file
 * in a data directory: the SHA-256 of that file is stored in the user's own folder, under the
 * location of the data directory. A checkout of a repository can contain any file with any mode,
 * but no seal.
 */
export function trustedHashFile(
  stateFolder: string,
  /** The location of the data directory: the real path of its parent folder, and its own name. */
  place: string,
  fileName: string,
  sha256Hex: (text: string) => string,
): string {
  return `${stateFolder}/data/${sha256Hex(place).slice(0, 32)}.${fileName}`;
}
