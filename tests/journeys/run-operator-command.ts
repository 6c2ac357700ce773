/** Commands of the operator, run in this process: what they do and answer is tested, not how a process starts and ends. */
import { adminCommand } from '../../packages/cli/src/commands/admin.ts';

/** One at a time, since what they print is taken from the output of this process. */
let previous: Promise<unknown> = Promise.resolve();

/** The answer of the command, which must be one line of JSON. */
export function runOperatorCommand(parameters: readonly string[]): Promise<string> {
  const current = previous.then(() => capture(() => run(parameters)));
  previous = current.catch(() => undefined);
  return current;
}

async function run(parameters: readonly string[]): Promise<void> {
  await adminCommand()
    .exitOverride()
    .parseAsync([...parameters], { from: 'user' });
}

async function capture(work: () => Promise<void>): Promise<string> {
  const write = process.stdout.write;
  let printed = '';
  process.stdout.write = (text: string | Uint8Array) => {
    printed += String(text);
    return true;
  };
  try {
    await work();
  } finally {
    process.stdout.write = write;
  }
  return printed;
}
