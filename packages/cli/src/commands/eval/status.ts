import type { OutputOf } from '@proofmark/contract';
import {
  runStatusWords,
  spendingWords,
  trialsPassed,
  verdictWords,
  waiverOf,
} from '@proofmark/domain';
import type { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import { printJson, printLine } from '../../output.ts';
import {
  type ConnectionFlags,
  connectToService,
  remoteCommand,
  remotely,
} from '../../remote/connection.ts';
import { duration } from '../../remote/durations.ts';
import { exitCodes } from '../../remote/exit-codes.ts';
import { progressSentence } from '../../remote/follow-run.ts';
import { factLines, type ToldFacts } from '../../remote/show-command.ts';
import { terminalAbility } from '../../remote/terminal.ts';

export function evalStatusCommand(): Command {
  const command = remoteCommand('status')
    .description('tell how far a run is; ends with 0 whatever came of it')
    .argument('<run>', 'the id of the run')
    .option('--json', 'print the run as JSON')
    .action((runId: string, flags: ConnectionFlags & { json?: true }) =>
      remotely(async () => {
        const { client, projectId } = await connectToService(flags);
        const run = await client.getEvalRun({ projectId, runId });
        if (flags.json) printJson(run);
        else for (const line of factLines(statusFacts(run), terminalAbility())) printLine(line);
        return exitCodes.passed;
      }),
    );
  return withExamples(command, 'proofmark eval status run_1f3a');
}

export function statusFacts(run: OutputOf<'getEvalRun'>): ToldFacts {
  const { status, summary, completedAt, createdAt, spending } = run;
  const waiver = waiverOf(run);
  const isOver = completedAt !== null;
  return [
    ['Run', `${run.id}, number ${run.runNumber} of suite ${run.suiteId}`],
    ['Status', runStatusWords[status]],
    ['Verdict', verdictWords[run.verdict]],
    ['Trials', isOver ? `${trialsPassed({ status, ...summary })} passed` : progressSentence(run)],
    ...(isOver ? [['Time', duration(completedAt - createdAt)] as const] : []),
    ...(spending === undefined ? [] : [['Used', spendingWords(spending)] as const]),
    ...(waiver === undefined ? [] : [['Waived', `until ${waiver.until} by ${waiver.by}`] as const]),
    ['Next', `proofmark eval ${isOver ? 'decision' : 'watch'} ${run.id}`],
  ];
}
