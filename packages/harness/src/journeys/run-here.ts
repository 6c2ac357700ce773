/**
 * Runs a command in this process, for tests of its effect and output. Tests of its start and end
 * need a real process.
 */
import { allCommands } from '../../../cli/src/all-commands.ts';
import { run } from '../../../cli/src/run.ts';
import { type Command, type Ended, foreignEnvironment } from './start-proofmark.ts';

export interface Finished extends Ended {
  readonly stdout: string;
  readonly stderr: string;
}

const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Commands run one at a time, since each uses the output, the folder and the environment of this
 * process.
 */
let previous: Promise<unknown> = Promise.resolve();

export function runHere(command: Command): Promise<Finished> {
  const current = previous.then(() => runAlone(command));
  previous = current.catch(() => undefined);
  return current;
}

async function runAlone({ folder, parameters, environment }: Command): Promise<Finished> {
  const output = { stdout: '', stderr: '' };
  const [ownFolder, ownEnvironment, ownExitCode] = [process.cwd(), process.env, process.exitCode];
  const listenersBefore = new Set(signals.flatMap((signal) => process.listeners(signal)));
  const writes = { stdout: process.stdout.write, stderr: process.stderr.write };
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].write = (text: string | Uint8Array) => {
      output[name] += String(text);
      return true;
    };
  }
  process.chdir(folder);
  process.env = { ...foreignEnvironment(), ...environment };
  process.exitCode = undefined;
  try {
    await run(parameters, allCommands);
    return { code: Number(process.exitCode ?? 0), signal: null, ...output };
  } finally {
    process.exitCode = ownExitCode;
    process.env = ownEnvironment;
    process.chdir(ownFolder);
    Object.assign(process.stdout, { write: writes.stdout });
    Object.assign(process.stderr, { write: writes.stderr });
    // A service that failed to start would leave its signal listeners in this process.
    for (const signal of signals) {
      for (const listener of process.listeners(signal)) {
        if (!listenersBefore.has(listener)) process.off(signal, listener);
      }
    }
  }
}
