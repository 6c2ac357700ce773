/**
 * A service in this process, where a process of its own proves nothing more. Its code is loaded and warm by then, which
 * takes a third of the CPU of a journey.
 */
import { parseArgs } from 'node:util';
import { createLog, loadServe, resolveSettings } from '@proofmark/server';
import { announceJson } from '../../packages/cli/src/commands/serve/announce.ts';
import { announceSampleJson } from '../../packages/cli/src/commands/serve/announce-sample.ts';
import { servedFolders } from '../../packages/cli/src/served-folders.ts';
import {
  type Command,
  eventsOf,
  foreignEnvironment,
  type StartedProofmark,
} from './start-proofmark.ts';

export async function serveHere(command: Command): Promise<StartedProofmark> {
  const settings = settingsOf(command);
  const said = { stdout: '', stderr: '' };
  const sayTo = (name: keyof typeof said) => (line: string) => {
    said[name] += line;
  };
  const log = createLog(settings.logLevel ?? 'info', { write: sayTo('stderr') });
  const say = (sentence: string) => sayTo('stderr')(`proofmark: ${sentence}\n`);
  const print = (event: unknown) => sayTo('stdout')(`${JSON.stringify(event)}\n`);
  const serve = await loadServe();
  const service = await serve(settings, { log, say, ...servedFolders() });
  announceJson(service, print);
  void service.sample.then((report) => report && announceSampleJson(report, service, print));
  const stop = async () => {
    await service.stop();
    return { code: 0, signal: null };
  };
  return {
    pid: process.pid,
    url: service.url,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    events: () => eventsOf(said.stdout),
    stop,
    kill: stop,
  };
}

/** Flags, environment and the file in the folder of the command, as `serve` reads them. */
function settingsOf({ folder, parameters, environment }: Command) {
  const { values } = parseArgs({
    args: [...parameters],
    options: { 'data-dir': { type: 'string' }, port: { type: 'string' } },
  });
  const flags = { dataDir: values['data-dir'], port: values.port };
  const ownFolder = process.cwd();
  process.chdir(folder);
  try {
    return resolveSettings(flags, { ...foreignEnvironment(), ...environment }).settings;
  } finally {
    process.chdir(ownFolder);
  }
}
