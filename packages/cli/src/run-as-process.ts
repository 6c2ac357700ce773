import { exitCodes } from './remote/exit-codes.ts';
import { type CommandSet, run } from './run.ts';

export async function runAsProcess(commands: CommandSet): Promise<void> {
  // A reader such as `| head` closes the pipe on purpose, so EPIPE is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? process.exitCode : exitCodes.other);
  });
  await run(process.argv.slice(2), commands);
}
