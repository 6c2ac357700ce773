/** The full `proofmark` command: the server, and the commands that call one. */
import { operatorCommands } from './commands/operator-commands.ts';
import { serviceCommands } from './commands/service-commands.ts';
import type { CommandSet } from './run.ts';

export const allCommands: CommandSet = {
  commands: { ...operatorCommands, ...serviceCommands },
  failureSentence: async (error) => (await import('@proofmark/server')).failureSentence(error),
};
