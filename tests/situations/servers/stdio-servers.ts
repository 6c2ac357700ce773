import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StdioAddress } from '../../../packages/server/src/outside/mcp/mcp-target.ts';
import type { ServerStart } from '../situation.ts';

export type StdioName =
  | 'everything'
  | 'memory'
  | 'filesystem'
  | 'sequential-thinking'
  | 'third-call-exits'
  | 'ends-after-call'
  | 'says-nothing'
  | 'writes-notes';

/** The folder of the filesystem server. The code that executes the rows creates and removes it. */
export const filesFolder = path.join(tmpdir(), `proofmark-situations-${process.pid}`);

export function makeFiles(): void {
  mkdirSync(filesFolder, { recursive: true });
  writeFileSync(path.join(filesFolder, 'notes.txt'), 'Water the plants on Friday.');
  writeFileSync(path.join(filesFolder, 'list.txt'), 'Milk, bread and eggs.');
}

export function removeFiles(): void {
  rmSync(filesFolder, { recursive: true, force: true });
}

export function stdioServers(): Readonly<Record<StdioName, StdioAddress>> {
  return {
    everything: program('@modelcontextprotocol/server-everything', ['stdio']),
    memory: program('@modelcontextprotocol/server-memory', [], {
      MEMORY_FILE_PATH: path.join(filesFolder, 'memory.jsonl'),
    }),
    filesystem: program('@modelcontextprotocol/server-filesystem', [filesFolder]),
    'sequential-thinking': program('@modelcontextprotocol/server-sequential-thinking', []),
    'third-call-exits': own('third-call-exits.mjs'),
    'ends-after-call': own('ends-after-call.mjs'),
    'says-nothing': own('says-nothing.mjs'),
    'writes-notes': own('writes-notes.mjs'),
  };
}

export function stdio(name: StdioName): ServerStart {
  return async () => ({ stdio: name, stop: async () => undefined });
}

function program(
  name: string,
  args: readonly string[],
  env: Record<string, string> = {},
): StdioAddress {
  const file = createRequire(import.meta.url).resolve(`${name}/dist/index.js`);
  return { kind: 'stdio', command: process.execPath, args: [file, ...args], env: withPath(env) };
}

function own(file: string): StdioAddress {
  const found = fileURLToPath(new URL(file, import.meta.url));
  return { kind: 'stdio', command: process.execPath, args: [found], env: withPath({}) };
}

function withPath(env: Record<string, string>) {
  return { PATH: process.env['PATH'] ?? '', ...env };
}
