/**
 * The `proofmark` command without the server, in one file. Every service offers it for download, so
 * the versions always match.
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
