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
import { runComparisonLines } from '../../remote/run-comparison.ts';
import { terminalAbility } from '../../remote/terminal.ts';

interface Flags extends ConnectionFlags {
  readonly all?: true;
  readonly json?: true;
}

export function evalCompareCommand(): Command {
  const command = remoteCommand('compare')
    .description('compare a run with an earlier one of its suite; exits with 0 for every result')
    .argument('<run>', 'the id of the run')
    .argument('[before]', 'the id of the earlier run (default: the last completed one before)')
    .option('--all', 'also list cases without a change')
    .option('--json', 'print the comparison as JSON')
    .action((runId: string, baseRunId: string | undefined, flags: Flags) =>
      remotely(async () => {
        const { client, projectId } = await connectToService(flags);
        const compared = await client.compareEvalRun({
          projectId,
          runId,
          ...(baseRunId !== undefined && { baseRunId }),
        });
        if (flags.json) printJson(compared);
        else {
          const lines = runComparisonLines(compared, flags.all === true, terminalAbility());
          for (const line of lines) printLine(line);
        }
        return exitCodes.passed;
      }),
    );
  return withExamples(
    command,
    'proofmark eval compare run_1f3a',
    'proofmark eval compare run_1f3a run_07bc --all',
  );
}
