/**
 * A seal says that a file of a data directory is as a process of this user wrote it: its SHA-256 is noted in the user's own
 * folder, under the place of the data directory. A checkout can bring any file with any mode, and no seal.
 */
export function trustedHashFile(
  stateFolder: string,
  /** The data directory: the real path of the folder that it is in, and its name there. */
  place: string,
  fileName: string,
  sha256Hex: (text: string) => string,
): string {
  return `${stateFolder}/data/${sha256Hex(place).slice(0, 32)}.${fileName}`;
}
