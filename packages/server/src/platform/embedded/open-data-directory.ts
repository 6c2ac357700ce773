import { accessSync, constants, mkdirSync, realpathSync } from 'node:fs';

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
