import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { clockTime, printJson, printLine, say } from '../output.ts';
import { runUntilStopped } from '../run-until-stopped.ts';
import { settingsOf } from '../settings.ts';
import { withDatabaseFlags } from './database-flags.ts';

export function serve(): Command {
  return withDatabaseFlags(new Command('serve'))
    .description('start the API, the console and a worker in one process')
    .option('--host <address>', 'address to listen on (127.0.0.1)')
    .option('--port <number>', 'port to listen on (3300)')
    .option('--no-worker', 'start no worker in this process')
    .option('--no-sample', 'do not show the sample MCP server')
    .option('--dangerously-bind-all', 'allow an address that is open to every network')
    .option('--json', 'print events as JSON lines')
    .action(async (flags: Record<string, unknown>, command: Command) => {
      const server = await import('@proofmark/server');
      const { settings } = await settingsOf(givenFlags(flags, command));
      const log = server.createLog(settings.logLevel ?? (process.stderr.isTTY ? 'warn' : 'info'));
      const consoleFolder = fileURLToPath(
        new URL('dist/', import.meta.resolve('@proofmark/console/package.json')),
      );
      await runUntilStopped(async () => {
        const service = await server.serve(settings, { log, say, consoleFolder });
        if (flags['json']) announceJson(service);
        else announce(service);
        return service;
      });
    });
}

/** A negated flag has a default of its own, which must not hide the environment's word. */
function givenFlags(flags: Record<string, unknown>, command: Command): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(flags).filter(([name]) => command.getOptionValueSource(name) === 'cli'),
  );
}

interface Announced {
  readonly url: string;
  readonly signInLink?: { readonly url: string; readonly email: string; readonly expiresAt: Date };
}

function announceJson({ url, signInLink }: Announced): void {
  printJson({ event: 'ready', url });
  if (signInLink) printJson({ event: 'signInLink', ...signInLink });
}

/** The link stands on a line of its own, so that no terminal wraps it. */
function announce({ url, signInLink }: Announced): void {
  printLine(`Proofmark is ready at ${url}`);
  printLine();
  if (signInLink) {
    printLine(
      `Sign in as ${signInLink.email} (works once, until ${clockTime(signInLink.expiresAt)}):`,
    );
    printLine(signInLink.url);
    printLine();
  }
  printLine(`API        ${url}/api/v1`);
  printLine(`Reference  ${url}/reference`);
  printLine('Stop       Ctrl+C');
}
