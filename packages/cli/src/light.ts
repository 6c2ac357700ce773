/** The `proofmark` command without the server, in one file: every service gives it away, so the two always fit. */
import { initCommand } from './commands/init.ts';
import { serviceCommands } from './commands/service-commands.ts';
import { testCommand } from './commands/test.ts';
import { sentenceOf } from './remote/connection.ts';
import { runAsProcess } from './run-as-process.ts';

await runAsProcess({
  commands: [testCommand(), initCommand(), ...serviceCommands()],
  failureSentence: async (error) => sentenceOf(error),
});
