import type { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import { printJson, printLine } from '../../output.ts';
import { type ConnectionFlags, remoteCommand, remotely } from '../../remote/connection.ts';
import { exitCodes, UsageProblem } from '../../remote/exit-codes.ts';
import { runStatisticsLines } from '../../remote/run-statistics.ts';
import { terminalAbility } from '../../remote/terminal.ts';
import { nameFiles } from '../../remote/test-documents.ts';
import { withTrustFlag } from '../../trust/require-trust.ts';
import { type OwnService, withServiceOrData } from '../test/open-service.ts';
import { readTrialsPerCase } from './run.ts';
import { statisticsOfFiles } from './statistics-of-files.ts';

interface Flags extends ConnectionFlags {
  readonly k?: number;
  readonly json?: true;
}

export function evalStatisticsCommand(own?: OwnService): Command {
  const command = withTrustFlag(remoteCommand('statistics'))
    .description('show how sure a run is of each case, and how flaky each case is; exits with 0')
    .argument(
      '<run...>',
      'the id of the run; or files of `test --json FILE`, of which the newest is shown',
    )
    .option(
      '--k <number>',
      'show the chance that this many trials all pass (1 to 100)',
      readTrialsPerCase,
    )
    .option('--json', 'print the statistics as JSON')
    .action((words: string[], flags: Flags) =>
      remotely(async () => {
        if (nameFiles(words)) {
          await statisticsOfFiles(words, flags);
          return exitCodes.passed;
        }
        const [runId = '', another] = words;
        if (another !== undefined) {
          throw new UsageProblem(`Name only one run; remove ${another}.`);
        }
        const statistics = await withServiceOrData(flags, own, ({ client, projectId }) =>
          client.getEvalRunStatistics({
            projectId,
            runId,
            ...(flags.k !== undefined && { k: String(flags.k) }),
          }),
        );
        if (flags.json) printJson(statistics);
        else for (const line of runStatisticsLines(statistics, terminalAbility())) printLine(line);
        return exitCodes.passed;
      }),
    );
  return withExamples(
    command,
    'proofmark eval statistics run_1f3a --k 3',
    'proofmark eval statistics reports/*.json   as test --json wrote them',
  );
}
