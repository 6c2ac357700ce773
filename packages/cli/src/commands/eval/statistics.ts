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
import { runStatisticsLines } from '../../remote/run-statistics.ts';
import { terminalAbility } from '../../remote/terminal.ts';
import { readTrialsPerCase } from './run.ts';

interface Flags extends ConnectionFlags {
  readonly k?: number;
  readonly json?: true;
}

export function evalStatisticsCommand(): Command {
  const command = remoteCommand('statistics')
    .description('show how sure a run is of each case, and how flaky each case is; exits with 0')
    .argument('<run>', 'the id of the run')
    .option(
      '--k <number>',
      'show the chance that this many trials all pass (1 to 100)',
      readTrialsPerCase,
    )
    .option('--json', 'print the statistics as JSON')
    .action((runId: string, flags: Flags) =>
      remotely(async () => {
        const { client, projectId } = await connectToService(flags);
        const told = await client.getEvalRunStatistics({
          projectId,
          runId,
          ...(flags.k !== undefined && { k: String(flags.k) }),
        });
        if (flags.json) printJson(told);
        else for (const line of runStatisticsLines(told, terminalAbility())) printLine(line);
        return exitCodes.passed;
      }),
    );
  return withExamples(command, 'proofmark eval statistics run_1f3a --k 3');
}
