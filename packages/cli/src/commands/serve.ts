import { Command } from 'commander';
import { printNotice } from '../output.ts';
import { runUntilStopped } from '../run-until-stopped.ts';
import { settingsOf } from '../settings.ts';
import { webFolders } from '../web-folders.ts';
import { withDatabaseFlags } from './database-flags.ts';
import { announce, announceJson } from './serve/announce.ts';
import { announceSample, announceSampleJson } from './serve/announce-sample.ts';

export function serveCommand(): Command {
  return withDatabaseFlags(new Command('serve'))
    .description('start the API, the console and a worker in one process')
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
    .option('--port <number>', 'port to listen on (default: 3300)')
    .option('--no-worker', 'start no worker in this process')
    .option('--no-sample', 'make no sample server, suite and journeys')
    .option('--dangerously-bind-all', 'allow an address that is open to every network')
    .option('--json', 'print events as JSON lines')
    .action(async (flags: Record<string, unknown>, command: Command) => {
      const server = await import('@proofmark/server');
      const { settings } = await settingsOf(givenFlags(flags, command));
      const log = server.createLog(settings.logLevel ?? (process.stderr.isTTY ? 'warn' : 'info'));
      for (const warning of server.unknownVariables(process.env, settings)) {
        if (flags['json']) log.warn({}, warning);
        else printNotice(warning);
      }
      await runUntilStopped(async () => {
        const serve = await server.loadServe();
        const service = await serve(settings, { log, notify: printNotice, ...webFolders() });
        const [printReady, printSample] = flags['json']
          ? [announceJson, announceSampleJson]
          : [announce, announceSample];
        printReady(service);
        // Programs read JSON events from stdout, so the notice goes to the operator's log.
        if (flags['json'] && service.notice) log.warn({}, service.notice);
        void service.sample.then((report) => report && printSample(report, service));
        return service;
      }, server.stopEmbeddedDatabases);
    });
}

/**
 * Keeps only flags that the user typed. Commander's default for each `--no-…` flag would override
 * the environment variable.
 */
function givenFlags(flags: Record<string, unknown>, command: Command): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(flags).filter(([name]) => command.getOptionValueSource(name) === 'cli'),
  );
}
