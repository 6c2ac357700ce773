/**
 * Returns the file of a seal, which proves that a process of this user wrote a file of a data
 * directory: its SHA-256 is stored in the user's own folder, under the location of the data
 * directory. A checkout can bring any file with any mode, but no seal.
 */
export function trustedHashFile(
  stateFolder: string,
  /** The data directory: the real path of its parent folder, and its name there. */
  place: string,
  fileName: string,
  sha256Hex: (text: string) => string,
): string {
  return `${stateFolder}/data/${sha256Hex(place).slice(0, 32)}.${fileName}`;
}
