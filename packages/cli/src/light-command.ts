/**
 * The light `proofmark` command: one file without the server's code. Every service offers it for
 * download, so its version always matches the service.
 */
import { serviceCommands } from './commands/service-commands.ts';
import { sentenceOf } from './remote/connection.ts';
import { runAsProcess } from './run-as-process.ts';

await runAsProcess({
  commands: {
    test: async () => (await import('./commands/test.ts')).testCommand(),
    init: async () => (await import('./commands/init.ts')).initCommand(),
    ...serviceCommands,
  },
  failureSentence: async (error) => sentenceOf(error),
});
