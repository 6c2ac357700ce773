/** The `proofmark` command, as a process. */
import { allCommands } from './all-commands.ts';
import { exitCodes } from './remote/exit-codes.ts';
import { run } from './run.ts';

/** Whoever reads only the first lines (`| head`) has closed the pipe on purpose. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? process.exitCode : exitCodes.other);
});

await run(process.argv.slice(2), allCommands());
