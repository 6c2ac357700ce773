import type { Command } from 'commander';
import { printJson } from '../../output.ts';
import {
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../../remote/connection.ts';
import { decisionText } from '../../remote/decision-text.ts';
import { exitCodes } from '../../remote/exit-codes.ts';
import { fetchDecision } from '../../remote/fetch-decision.ts';
import { terminalAbility } from '../../remote/terminal.ts';

interface Flags extends ConnectionFlags {
  readonly json?: true;
  readonly markdown?: true;
}

export function evalDecisionCommand(): Command {
  return remoteCommand('decision')
    .description('explain the verdict of a run; ends with 0 whatever the verdict is')
    .argument('<run>', 'the id of the run')
    .option('--markdown', 'write it for a comment on a pull request')
    .option('--json', 'print the decision summary as JSON')
    .action((runId: string, flags: Flags) =>
      remotely(async () => {
        const connection = await connectToService(flags);
        const decision = await fetchDecision(connection, runId, flags.json ? 'all' : 'first');
        if (flags.json) {
          printJson(decision.summary);
          return exitCodes.passed;
        }
        const { ascii, width } = terminalAbility();
        process.stdout.write(
          decisionText(
            connection,
            decision,
            flags.markdown ? { format: 'markdown' } : { format: 'text', ascii, width },
          ),
        );
        return exitCodes.passed;
      }),
    );
}
