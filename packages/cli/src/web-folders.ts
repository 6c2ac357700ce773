import { fileURLToPath } from 'node:url';

export function webFolders(): { consoleFolder: string; commandFolder: string } {
  return {
    consoleFolder: beside(import.meta.resolve('@proofmark/console/package.json'), 'dist/'),
    commandFolder: beside(import.meta.resolve('proofmark/package.json'), 'dist/light/'),
  };
}

function beside(manifest: string, folder: string): string {
  return fileURLToPath(new URL(folder, manifest));
}
