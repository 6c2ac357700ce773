import path from 'node:path';
import {
  commandWords,
  nameOfCommand,
  type ServerToTest,
  type SuiteServer,
  serverOfClientFile,
  statedCommand,
} from '@proofmark/domain';
import type { Command } from 'commander';
import { printNotice } from '../../output.ts';
import { collectFlag } from '../../remote/collect-flag.ts';
import { UsageProblem } from '../../remote/exit-codes.ts';
import { requireTrust, type TrustFlags, withTrustFlag } from '../../trust/require-trust.ts';
import { thingsOfSuiteServer } from '../../trust/things-of-server.ts';
import { rememberTrust } from '../../trust/trust-file.ts';
import { serversOfFile } from './servers-of-file.ts';
import { startable } from './startable.ts';
import { type SuiteToTest, serversStatedIn } from './suite-files.ts';

export interface ServerFlags extends TrustFlags {
  readonly server?: string;
  readonly serverCommand?: string;
  readonly serverEnv?: readonly string[];
  readonly serverName?: string;
  readonly from?: string;
  /** The former name of the flag `--from`. */
  readonly config?: string;
}

export function withServerFlags(command: Command): Command {
  return withTrustFlag(command)
    .option('--server <url>', 'the address of the MCP server')
    .option('--server-command <command>', 'the command that starts it, as "node server.js"')
    .option(
      '--server-env <name[=value]>',
      'a variable for the command, from this environment unless it has a value; repeat for more',
      collectFlag,
    )
    .option(
      '--from <file>',
      'a file that names it: .mcp.json, .vscode/mcp.json, server.json, package.json …',
    )
    .option('--config <file>', 'the older name of --from')
    .option('--server-name <name>', 'its name; with --from, the server of the file');
}

export interface ChosenServers {
  /** The file that names the servers. Absent if the server was typed on the command line. */
  readonly file?: string;
  readonly names: readonly string[];
  /** The name of the server if there is exactly one. It is then the default. */
  readonly only: string | undefined;
  /**
   * Reads one server. Only the variables in this server's entry are substituted, so variables of
   * other servers may be unset.
   */
  read(name: string): ServerToTest;
  /**
   * Asks for permission to start the programs in the file or to send data to its addresses. One
   * call must contain all servers that are used, because `--trust` grants them together.
   */
  agree(...names: string[]): Promise<void>;
  /**
   * Whether the server was typed on the command line. A typed server takes precedence over servers
   * in files of this folder.
   */
  readonly isTyped: boolean;
  /**
   * Stores permission for the program in the suite file. The user has permitted the same program by
   * typing its command.
   */
  remember(suiteFile: string): void;
}

/** Returns undefined if no flag names a server. */
export async function chosenServers(flags: ServerFlags): Promise<ChosenServers | undefined> {
  const { server: address, serverCommand, from, config } = flags;
  const given = [address, serverCommand, from, config].filter((flag) => flag !== undefined);
  if (given.length > 1) {
    throw new UsageProblem('Give only one of --server, --server-command and --from.');
  }
  if (flags.serverEnv !== undefined && flags.serverCommand === undefined) {
    throw new UsageProblem('--server-env needs --server-command; add it, or remove --server-env.');
  }
  const file = from ?? config;
  if (file !== undefined) return serversOfFile(file, flags);
  const server = address === undefined ? ofCommand(flags) : ofAddress(address, flags);
  if (server === undefined) return undefined;
  return {
    names: [server.name],
    only: server.name,
    read: () => server,
    isTyped: true,
    agree: async () => undefined,
    remember: (file) => rememberTyped(file, flags),
  };
}

/**
 * Returns undefined if the suite file contains no server address or command. Paths are relative to
 * the file's folder.
 */
export function serversOfSuite(
  { file, reachable }: Pick<SuiteToTest, 'file' | 'reachable'>,
  flags: TrustFlags,
): ChosenServers | undefined {
  if (reachable.length === 0) return undefined;
  const folder = file === '-' ? process.cwd() : path.dirname(path.resolve(file));
  const byName = new Map(reachable.map((server) => [server.name, server]));
  const names = [...byName.keys()];
  const suiteAt = async (content: string) =>
    (await serversStatedIn(content)).flatMap(thingsOfSuiteServer);
  const where = (name: string) => `${file}: the server ${JSON.stringify(name)}`;
  return {
    names,
    only: names.length === 1 ? names[0] : undefined,
    isTyped: false,
    remember: () => undefined,
    agree: async (...wanted) => {
      const things = wanted.flatMap((name) => {
        const stated = byName.get(name);
        return stated === undefined ? [] : thingsOfSuiteServer(stated);
      });
      await requireTrust(things, { where: file, folder, statedAt: suiteAt }, flags);
    },
    read(name) {
      const stated = byName.get(name) ?? { name };
      const words = statedCommand(stated);
      if (words !== undefined) {
        const { env = [], cwd } = stated;
        const given = { env: variablesOf(env, where(name)), ...(cwd !== undefined && { cwd }) };
        return startable({ kind: 'stdio', name, ...words, ...given }, folder);
      }
      const { url = '', headers = {} } = stated;
      const fillIn = { environment: process.env, folder };
      const answer = serverOfClientFile(name, { url, headers }, fillIn);
      if ('problem' in answer) throw new UsageProblem(`${file}: ${answer.problem}`);
      return answer.server;
    },
  };
}

function variablesOf(names: readonly string[], where: string): Record<string, string> {
  const entries = names.map((name) => {
    const value = process.env[name];
    if (value !== undefined) return [name, value] as const;
    throw new UsageProblem(`${where} needs the environment variable ${name}, which is not set.`);
  });
  return Object.fromEntries(entries);
}

export function statedInSuite(
  file: string,
  { server, serverCommand, serverEnv = [] }: ServerFlags,
): Omit<SuiteServer, 'name'> {
  if (server !== undefined) return { url: server };
  const [command, ...args] = commandWords(serverCommand ?? '') ?? [];
  if (command === undefined) return {};
  const env = serverEnv.map((flag) => flag.replace(/=[\s\S]*$/, ''));
  const cwd = path.relative(path.dirname(path.resolve(file)), process.cwd());
  return {
    command,
    ...(args.length > 0 && { args }),
    ...(env.length > 0 && { env }),
    ...(cwd !== '' && { cwd: cwd.split(path.sep).join('/') }),
  };
}

function rememberTyped(file: string, flags: ServerFlags): void {
  if (flags.serverCommand === undefined) return;
  const things = thingsOfSuiteServer({
    name: flags.serverName ?? '',
    ...statedInSuite(file, flags),
  });
  try {
    rememberTrust(things, path.dirname(path.resolve(file)), process.env);
  } catch (error) {
    // The test continues without storing the permission. The next test then asks for it again.
    printNotice((error as Error).message);
  }
}

function ofAddress(url: string, { serverName }: ServerFlags): ServerToTest {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new UsageProblem(
      '--server takes an address, as http://127.0.0.1:8080/mcp; use --server-command for a command.',
    );
  }
  return { kind: 'http', name: serverName ?? new URL(url).host, url, headers: {} };
}

function ofCommand({
  serverCommand,
  serverEnv,
  serverName,
}: ServerFlags): ServerToTest | undefined {
  if (serverCommand === undefined) return undefined;
  const words = commandWords(serverCommand);
  const [command, ...args] = words ?? [];
  if (words === undefined || command === undefined) {
    throw new UsageProblem('--server-command takes a command, as "node server.js".');
  }
  const folder = process.cwd();
  const name = serverName ?? nameOfCommand(words, folder);
  const env = Object.fromEntries((serverEnv ?? []).map(readVariable));
  return startable({ kind: 'stdio', name, command, args, env }, folder);
}

function readVariable(flag: string): [string, string] {
  const [, name = '', , value] = /^([A-Za-z_][A-Za-z0-9_]*)(=([\s\S]*))?$/.exec(flag) ?? [];
  const resolved = value ?? process.env[name];
  if (name !== '' && resolved !== undefined) return [name, resolved];
  throw new UsageProblem(
    name === ''
      ? '--server-env takes NAME or NAME=VALUE.'
      : `The environment variable ${name} of --server-env is not set.`,
  );
}
