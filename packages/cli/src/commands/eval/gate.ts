import { summaryOfRun, waiverOf } from '@proofmark/domain';
import type { Command } from 'commander';
import { printJson } from '../../output.ts';
import {
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../../remote/connection.ts';
import { decisionText } from '../../remote/decision-text.ts';
import { runExitCode } from '../../remote/exit-codes.ts';
import { terminalAbility } from '../../remote/terminal.ts';

export function evalGateCommand(): Command {
  return remoteCommand('gate')
    .description(
      'end with 0 when the run completed and passed or is waived, 1 when it failed, else 3',
    )
    .argument('<run>', 'the id of the run')
    .option('--json', 'print the verdict as JSON')
    .action((runId: string, flags: ConnectionFlags & { json?: true }) =>
      remotely(async () => {
        const connection = await connectToService(flags);
        const { client, projectId } = connection;
        // The run alone has all that a gate asks, so one request is enough whatever its size.
        const run = await client.getEvalRun({ projectId, runId });
        const summary = summaryOfRun(run);
        const { verdict } = summary;
        const isWaived = waiverOf(run) !== undefined;
        const exitCode = runExitCode(run.status, verdict, isWaived);
        if (flags.json) printJson({ runId, verdict, isWaived, exitCode });
        else {
          const text = { format: 'text', brief: true, ...terminalAbility() } as const;
          process.stdout.write(decisionText(connection, { run, summary }, text));
        }
        return exitCode;
      }),
    );
}
