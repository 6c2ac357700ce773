/**
 * Runs a service in this process, for tests that need no separate process: the code is already
 * loaded, which halves the CPU of a journey. The service takes fewer flags, ignores unknown
 * variables, and cannot be killed. Output of libraries outside its log is not captured, so tests
 * that search the output for secrets must start a process.
 */
import { parseArgs } from 'node:util';
import { createLog, loadServe, resolveSettings, stopEmbeddedDatabases } from '@proofmark/server';
import { announceJson } from '../../../cli/src/commands/serve/announce.ts';
import { announceSampleJson } from '../../../cli/src/commands/serve/announce-sample.ts';
import { webFolders } from '../../../cli/src/web-folders.ts';
import {
  type Command,
  eventsOf,
  foreignEnvironment,
  type StartedProofmark,
} from './start-proofmark.ts';

export type ServiceHere = Omit<StartedProofmark, 'kill' | 'pid'>;

export async function serveHere(command: Command): Promise<ServiceHere> {
  leaveNoDatabase();
  const settings = settingsOf(command);
  const output = { stdout: '', stderr: '' };
  const writeTo = (name: keyof typeof output) => (line: string) => {
    output[name] += line;
  };
  const log = createLog(settings.logLevel ?? 'info', { write: writeTo('stderr') });
  const notify = (sentence: string) => writeTo('stderr')(`proofmark: ${sentence}\n`);
  const print = (event: unknown) => writeTo('stdout')(`${JSON.stringify(event)}\n`);
  const serve = await loadServe();
  const service = await serve(settings, { log, notify, ...webFolders() });
  announceJson(service, print);
  void service.sample.then((report) => report && announceSampleJson(report, service, print));
  let stopped: Promise<void> | undefined;
  return {
    url: service.url,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    events: () => eventsOf(output.stdout),
    async stop() {
      stopped ??= service.stop();
      await stopped;
      return { code: 0, signal: null };
    },
  };
}

/**
 * Returns the settings from flags, environment and the file in the folder, in the same way as
 * `serve`.
 */
function settingsOf({ folder, parameters, environment }: Command) {
  const { values } = parseArgs({
    args: [...parameters],
    options: {
      'data-dir': { type: 'string' },
      port: { type: 'string' },
      sample: { type: 'boolean' },
    },
    allowNegative: true,
  });
  const flags = {
    dataDir: values['data-dir'],
    port: values.port,
    ...(values.sample !== undefined && { sample: values.sample }),
  };
  const ownFolder = process.cwd();
  process.chdir(folder);
  try {
    return resolveSettings(flags, { ...foreignEnvironment(), ...environment }).settings;
  } finally {
    process.chdir(ownFolder);
  }
}

let isListening = false;

/**
 * Test processes are ended with SIGTERM, also after an interrupt. Their embedded databases must not
 * keep running, so this handler stops them.
 */
function leaveNoDatabase(): void {
  if (isListening) return;
  isListening = true;
  process.once('SIGTERM', () => void stopEmbeddedDatabases().finally(() => process.exit()));
}
