import type { OutputOf } from '@proofmark/contract';
import {
  count,
  runStatusWords,
  spendingWords,
  trialsPassed,
  verdictWords,
  wentAsRecorded,
} from '@proofmark/domain';
import { plainSentence, replaySentences, waiverOf } from '@proofmark/report';
import type { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import { doCommand, ofRun } from '../../remote/do-command.ts';
import { duration } from '../../remote/durations.ts';
import { progressSentence } from '../../remote/follow-run.ts';
import { factLines, type NamedFacts } from '../../remote/show-command.ts';

export function evalStatusCommand(): Command {
  const command = doCommand<OutputOf<'getEvalRun'>>({
    name: 'status',
    arguments: ofRun,
    json: 'the run',
    description: 'show the progress of a run; exits with 0 for every result',
    act: ({ client, projectId }, [runId = '']) => client.getEvalRun({ projectId, runId }),
    lines: (run, ability) => factLines(statusFacts(run), ability),
  });
  return withExamples(command, 'proofmark eval status run_1f3a');
}

export function statusFacts(run: OutputOf<'getEvalRun'>): NamedFacts {
  const { status, summary, completedAt, createdAt, spending, overlay } = run;
  const replay = replaySentences(run.replay).map((sentence) => plainSentence(sentence, false));
  const waiver = waiverOf(run);
  const isOver = completedAt !== null;
  return [
    ['Run', `${run.id}, number ${run.runNumber} of suite ${run.suiteId}`],
    ['Status', runStatusWords[status]],
    ['Verdict', wentAsRecorded(run.replay) ? verdictWords[run.verdict] : 'no answer'],
    ...(replay.length === 0 ? [] : [['Replay', replay.join(' ')] as const]),
    ...(overlay === undefined
      ? []
      : [['Overlay', `its overlay changes ${count(overlay.tools, 'tool')} for models`] as const]),
    ['Trials', isOver ? `${trialsPassed({ status, ...summary })} passed` : progressSentence(run)],
    ...(isOver ? [['Time', duration(completedAt - createdAt)] as const] : []),
    ...(spending === undefined ? [] : [['Used', spendingWords(spending)] as const]),
    ...(waiver === undefined ? [] : [['Waived', `until ${waiver.until} by ${waiver.by}`] as const]),
    ['Next', `proofmark eval ${isOver ? 'decision' : 'watch'} ${run.id}`],
  ];
}
