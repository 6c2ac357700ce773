import { Command } from 'commander';
import { printLine } from '../output.ts';
import { runUntilStopped } from '../run-until-stopped.ts';
import { settingsOf } from '../settings.ts';
import { withDatabaseFlags } from './database-flags.ts';

export function workCommand(): Command {
  return withDatabaseFlags(new Command('work'))
    .description('start a worker without the API (needs --database-url)')
    .action(async (flags: Record<string, unknown>) => {
      const server = await import('@proofmark/server');
      const { settings } = await settingsOf(flags);
      const log = server.createLog(settings.logLevel ?? (process.stderr.isTTY ? 'warn' : 'info'));
      for (const warning of server.unknownVariables(process.env, settings)) log.warn({}, warning);
      await runUntilStopped(async () => {
        const work = await server.loadWork();
        const worker = await work(settings, log);
        printLine('The worker is ready.');
        return worker;
      }, server.stopEmbeddedDatabases);
    });
}
