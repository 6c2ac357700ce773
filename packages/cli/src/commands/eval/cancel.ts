import type { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import { printJson, printLine } from '../../output.ts';
import {
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../../remote/connection.ts';
import { exitCodes } from '../../remote/exit-codes.ts';

export function evalCancelCommand(): Command {
  const command = remoteCommand('cancel')
    .description('stop a run; what was measured so far is kept')
    .argument('<run>', 'the id of the run')
    .option('--json', 'print the run as JSON')
    .action((runId: string, flags: ConnectionFlags & { json?: true }) =>
      remotely(async () => {
        const { client, projectId } = await connectToService(flags);
        const run = await client.cancelEvalRun({ projectId, runId });
        if (flags.json) printJson(run);
        else printLine(`Run ${run.id} is ${run.status.replace('_', ' ')}.`);
        return exitCodes.passed;
      }),
    );
  return withExamples(command, 'proofmark eval cancel run_1f3a');
}
