/** How the sample server is started: as a child of our own command, with no environment. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { StdioAddress } from '../mcp/mcp-target.ts';

export function sampleServerAddress(): StdioAddress {
  return {
    kind: 'stdio',
    command: process.execPath,
    args: [fileURLToPath(commandFile()), 'sample-server'],
    env: {},
  };
}

/**
 * In a build this code may stand in a part of the program one folder below it. The program is named itself,
 * not what this process was started with, which may be a script that starts it with other arguments.
 */
function commandFile(): URL {
  if (import.meta.url.endsWith('.ts')) {
    return new URL('../../../cli/dist/main.js', import.meta.url);
  }
  const beside = new URL('./main.js', import.meta.url);
  return existsSync(fileURLToPath(beside)) ? beside : new URL('../main.js', import.meta.url);
}
