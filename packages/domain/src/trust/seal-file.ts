/**
 * Returns the path of a seal file. A seal contains the SHA-256 of a file in a data directory and
 * proves that a process of this user wrote that file. Seals are stored in the user's own folder,
 * since a repository checkout can contain any file but no seal.
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
