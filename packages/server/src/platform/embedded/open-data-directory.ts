import { accessSync, constants, mkdirSync, realpathSync } from 'node:fs';

/**
 * Creates the data directory if it is missing. If this user cannot work in it, throws an error with
 * a plain message.
 */
export function openDataDirectory(dataDir: string): string {
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
    return realpathSync(dataDir);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new Error(
      `The data directory ${dataDir} cannot be written (${code}): run Proofmark as the user who owns it, or choose another directory with --data-dir.`,
    );
  }
}
