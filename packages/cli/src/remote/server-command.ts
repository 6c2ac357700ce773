import type { Command } from 'commander';
import { printJson, printLine } from '../output.ts';
import {
  type Connection,
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from './connection.ts';
import { exitCodes, UsageProblem } from './exit-codes.ts';
import { findServer } from './find-server.ts';
import { type TerminalAbility, terminalAbility } from './terminal.ts';

export interface AskedServer extends Connection {
  readonly serverId: string;
  readonly serverName: string;
}

export interface AskedServerFlags extends ConnectionFlags {
  readonly server?: string;
  readonly as?: string;
  readonly json?: true;
}

export function serverCommand(name: string): Command {
  return remoteCommand(name)
    .option('--server <id or name>', 'the server (default: the only one)')
    .option('--as <client>', 'connect as this client of the project')
    .option('--json', 'print the answer as JSON');
}

/** A command that accepts the server as its first argument or as `--server`. */
export function serverFirstCommand(name: string): Command {
  return serverCommand(name).argument('[server]', 'id or name of the server, like --server');
}

export function serverNamed<Flags extends AskedServerFlags>(
  named: string | undefined,
  flags: Flags,
): Flags {
  if (named === undefined) return flags;
  if (flags.server === undefined) return { ...flags, server: named };
  throw new UsageProblem('The server is given twice; give it as the first word or with --server.');
}

export function askServer<Answer>(
  flags: AskedServerFlags,
  ask: (server: AskedServer, as: { clientId?: string }) => Promise<Answer>,
  lines: (answer: Answer, ability: TerminalAbility) => readonly string[],
  exitCode: (answer: Answer) => number = () => exitCodes.passed,
): Promise<void> {
  return remotely(async () => {
    const connection = await connectToService(flags);
    const { id, name } = await findServer(connection, flags.server);
    const as = flags.as === undefined ? {} : { clientId: flags.as };
    const answer = await ask({ ...connection, serverId: id, serverName: name }, as);
    if (flags.json) printJson(answer);
    else for (const line of lines(answer, terminalAbility())) printLine(line);
    return exitCode(answer);
  });
}
