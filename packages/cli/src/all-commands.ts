/**
 * The full `proofmark` command: operator commands, which need the server's code, and commands that
 * call a service over HTTP.
 */
import { operatorCommands } from './commands/operator-commands.ts';
import { serviceCommands } from './commands/service-commands.ts';
import type { CommandSet } from './run.ts';

export const allCommands: CommandSet = {
  commands: {
    ...operatorCommands,
    ...serviceCommands,
    eval: async () => {
      const { ownService } = await import('./commands/test/own-service.ts');
      const { evalCommand } = await import('./commands/eval.ts');
      const loadTokens = async () => (await import('@proofmark/server/tokens')).loadTokenCounter();
      return evalCommand(loadTokens, ownService);
    },
    conformance: async () => {
      const { ownService } = await import('./commands/test/own-service.ts');
      return (await import('./commands/conformance.ts')).conformanceCommand(ownService);
    },
    suite: async () => {
      const { ownService } = await import('./commands/test/own-service.ts');
      const { lint } = await import('./commands/lint.ts');
      return (await import('./commands/suite.ts')).suiteCommand({ own: ownService, lint });
    },
  },
  failureSentence: async (error) => (await import('@proofmark/server')).failureSentence(error),
};
