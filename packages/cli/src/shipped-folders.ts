/** What a service hands out and does not make itself: the pages of the console, and the light command. */
import { fileURLToPath } from 'node:url';

export function shippedFolders(): {
  readonly consoleFolder: string;
  readonly commandFolder: string;
} {
  return {
    consoleFolder: beside(import.meta.resolve('@proofmark/console/package.json'), 'dist/'),
    commandFolder: beside(import.meta.resolve('proofmark/package.json'), 'dist/light/'),
  };
}

function beside(manifest: string, folder: string): string {
  return fileURLToPath(new URL(folder, manifest));
}
