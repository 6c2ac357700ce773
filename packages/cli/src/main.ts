/** The `proofmark` command, as a process. */
import { run } from './run.ts';

/** Whoever reads only the first lines (`| head`) has closed the pipe on purpose. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? process.exitCode : 1);
});

await run(process.argv.slice(2));
