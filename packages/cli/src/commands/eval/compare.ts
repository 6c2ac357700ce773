import type { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import { printJson, printLine } from '../../output.ts';
import { type ConnectionFlags, remoteCommand, remotely } from '../../remote/connection.ts';
import { exitCodes } from '../../remote/exit-codes.ts';
import { runComparisonLines } from '../../remote/run-comparison.ts';
import { terminalAbility } from '../../remote/terminal.ts';
import { nameFiles } from '../../remote/test-documents.ts';
import { withTrustFlag } from '../../trust/require-trust.ts';
import { type OwnService, withServiceOrData } from '../test/open-service.ts';
import { compareFiles, type LoadTokenCounter } from './compare-files.ts';

interface Flags extends ConnectionFlags {
  readonly all?: true;
  readonly json?: true;
}

export function evalCompareCommand(loadTokenCounter?: LoadTokenCounter, own?: OwnService): Command {
  const command = withTrustFlag(remoteCommand('compare'))
    .description(
      'compare a run with an earlier one of its suite, or two files of `test --json FILE`; exits with 0 for every result',
    )
    .argument('<run or file>', 'the id of the run, or the file of the earlier test, the base')
    .argument(
      '[other]',
      'the id of the earlier run (default: the last completed one before), or the file of the later test',
    )
    .option('--all', 'also list cases without a change')
    .option('--json', 'print the comparison as JSON')
    .action((runId: string, baseRunId: string | undefined, flags: Flags) =>
      remotely(async () => {
        const words = [runId, ...(baseRunId === undefined ? [] : [baseRunId])];
        if (nameFiles(words)) await compareFiles(words, flags, loadTokenCounter);
        else await compareRuns(runId, baseRunId, flags, own);
        return exitCodes.passed;
      }),
    );
  return withExamples(
    command,
    'proofmark eval compare run_1f3a',
    'proofmark eval compare run_1f3a run_07bc --all',
    'proofmark eval compare base.json head.json   as test --json wrote them',
  );
}

async function compareRuns(
  runId: string,
  baseRunId: string | undefined,
  flags: Flags,
  own: OwnService | undefined,
): Promise<void> {
  const compared = await withServiceOrData(flags, own, ({ client, projectId }) =>
    client.compareEvalRun({
      projectId,
      runId,
      ...(baseRunId !== undefined && { baseRunId }),
    }),
  );
  if (flags.json) {
    printJson(compared);
    return;
  }
  const lines = runComparisonLines(compared, flags.all === true, terminalAbility());
  for (const line of lines) printLine(line);
}
