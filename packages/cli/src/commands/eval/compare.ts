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
import { compareFiles, type LoadTokenCounter, printIfReversed } from './compare-files.ts';

interface Flags extends ConnectionFlags {
  readonly all?: true;
  readonly json?: true;
}

export function evalCompareCommand(loadTokenCounter?: LoadTokenCounter, own?: OwnService): Command {
  const command = withTrustFlag(remoteCommand('compare'))
    .description(
      'compare a run with an earlier one of its suite, or two files of `test --json FILE`; exits with 0 for every result',
    )
    .argument(
      '<before>',
      'the id of the earlier run, or the file of the earlier test; the id of a run alone is the later one, compared with the last completed run before it',
    )
    .argument('[after]', 'the id of the later run, or the file of the later test')
    .option('--all', 'also list cases without a change')
    .option('--json', 'print the comparison as JSON')
    .action((before: string, after: string | undefined, flags: Flags) =>
      remotely(async () => {
        const words = [before, ...(after === undefined ? [] : [after])];
        if (nameFiles(words)) await compareFiles(words, flags, loadTokenCounter);
        else await compareRuns(words, flags, own);
        return exitCodes.passed;
      }),
    );
  return withExamples(
    command,
    'proofmark eval compare run_1f3a',
    'proofmark eval compare run_07bc run_1f3a --all   the earlier one first',
    'proofmark eval compare base.json head.json   as test --json wrote them',
  );
}

async function compareRuns(
  [first = '', second]: readonly string[],
  flags: Flags,
  own: OwnService | undefined,
): Promise<void> {
  const wanted = second === undefined ? { runId: first } : { runId: second, baseRunId: first };
  const compared = await withServiceOrData(flags, own, ({ client, projectId }) =>
    client.compareEvalRun({ projectId, ...wanted }),
  );
  printIfReversed([first, compared.baseRun.createdAt], [second, compared.compareRun.createdAt]);
  if (flags.json) {
    printJson(compared);
    return;
  }
  const lines = runComparisonLines(compared, flags.all === true, terminalAbility());
  for (const line of lines) printLine(line);
}
