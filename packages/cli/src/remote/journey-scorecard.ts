/** A run of a journey with its scorecard, and both as lines for a terminal. */
import { ApiError } from '@proofmark/client';
import type { OutputOf } from '@proofmark/contract';
import {
  criterionName,
  failRateWords,
  journeyRunPage,
  journeyVerdictSentence,
  playedSentence,
  playersSentence,
  scorecardSentences,
  targetName,
} from '@proofmark/domain';
import type { Connection } from './connection.ts';
import { type Say, sayIn } from './say-lines.ts';
import type { TerminalAbility } from './terminal.ts';

export type JourneyRun = OutputOf<'getJourneyRun'>;
export type RunScorecard = OutputOf<'getJourneyRunScorecard'>;

export interface ScoredRun {
  readonly run: JourneyRun;
  /** Nothing where the run has no criteria. */
  readonly card: RunScorecard | undefined;
}

export async function readScoredRun(
  { client, projectId }: Connection,
  runId: string,
): Promise<ScoredRun> {
  const [run, card] = await Promise.all([
    client.getJourneyRun({ projectId, runId }),
    client.getJourneyRunScorecard({ projectId, runId }).catch(noneWithoutCriteria),
  ]);
  return { run, card };
}

function noneWithoutCriteria(error: unknown): undefined {
  if (error instanceof ApiError && error.details['reason'] === 'NO_RUBRIC') return undefined;
  throw error;
}

/** The verdict first, then what it rests on, every criterion, and who played and judged. */
export function scorecardText(
  { url }: Pick<Connection, 'url'>,
  { run, card }: ScoredRun,
  ability: TerminalAbility,
): string {
  const say = sayIn(ability);
  const { persona, goal, projectId } = run;
  const blocks = [
    [
      ...say(journeyVerdictSentence(run, card)),
      ...say(playedSentence(run.summary)),
      ...(card === undefined ? [] : scorecardSentences(card, run).flatMap((one) => say(one))),
      ...say(playersSentence(run)),
    ],
    [
      ...say(`Persona: ${persona.name}, ${persona.role}`),
      ...(goal === undefined ? [] : say(`Goal: ${goal}`)),
      ...say(`Wave: ${run.waveId}`),
      // An address is never cut, so that it can be copied.
      `Console: ${journeyRunPage({ baseUrl: url, projectId }, run.id)}`,
    ],
    targetLines(run, say),
    card === undefined ? [] : criterionLines(card, say),
  ];
  const lines = blocks.filter((block) => block.length > 0).map((block) => block.join('\n'));
  return `${lines.join('\n\n')}\n`;
}

function targetLines({ targets, targetSummaries }: JourneyRun, say: Say): string[] {
  return [
    'Targets',
    ...(targetSummaries ?? []).flatMap((summary) => {
      const target = targets.find(({ targetId }) => targetId === summary.targetId);
      const name = target === undefined ? summary.targetId : targetName(target);
      return say(`${name} (${target?.modelId ?? 'model'}): ${playedSentence(summary)}`, '  ');
    }),
  ];
}

function criterionLines({ criteria, sessionsGraded }: RunScorecard, say: Say): string[] {
  return [
    'Criteria',
    ...criteria.flatMap((criterion) => {
      const advisory = criterion.role === 'advisory' ? ', decides nothing' : '';
      const rate = failRateWords(criterion, sessionsGraded);
      return say(`${criterionName(criterion)}: ${rate}${advisory}`, '  ');
    }),
  ];
}
