/**
 * Resolves a program's command on the search path, and adds the environment variables that every
 * MCP client passes on.
 */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import type { ServerToTest } from '@proofmark/domain';
import { UsageProblem } from '../../remote/exit-codes.ts';
import { absoluteFolders } from '../../trust/absolute-folders.ts';

type Program = Extract<ServerToTest, { kind: 'stdio' }>;

export function startable(server: Program, folder: string): Program {
  const inherited = ['HOME', 'LANG', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'USER'];
  const ours = inherited.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const env = { ...Object.fromEntries(ours), ...server.env };
  const cwd = path.resolve(folder, server.cwd ?? '.');
  return { ...server, env, cwd, command: findProgram(server.command, cwd, env['PATH'] ?? '') };
}

function findProgram(command: string, folder: string, searched: string): string {
  const places = command.includes('/')
    ? [path.resolve(folder, command)]
    : absoluteFolders(searched).map((place) => path.join(place, command));
  const found = places.find((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  if (found !== undefined) return path.resolve(found);
  throw new UsageProblem(
    `The command ${command} cannot be started; check its name, or give its path.`,
  );
}
