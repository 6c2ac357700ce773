import { ApiError } from '@proofmark/client';
import type { OutputOf } from '@proofmark/contract';
import { capText, criterionName } from '@proofmark/domain';
import {
  failReasonWords,
  heldWords,
  journeyRunPage,
  journeyVerdictSentence,
  playedAndWhyNot,
  playersSentence,
  scorecardSentences,
  targetName,
} from '@proofmark/report';
import type { Connection } from './connection.ts';
import { type JudgedGoal, judgeLines, readJudgedGoals } from './goal-scores.ts';
import { sentenceWrapper, type WrapSentence } from './indented-lines.ts';
import type { TerminalAbility } from './terminal.ts';

export type JourneyRun = OutputOf<'getJourneyRun'>;
export type RunScorecard = OutputOf<'getJourneyRunScorecard'>;

export interface ScoredRun {
  readonly run: JourneyRun;
  /** Undefined if the run has no criteria. */
  readonly card: RunScorecard | undefined;
  readonly goals: readonly JudgedGoal[];
}

/**
 * The run is read before its scorecard. If the run had ended, the scorecard then includes all
 * sessions.
 */
export async function readScoredRun(connection: Connection, runId: string): Promise<ScoredRun> {
  const { client, projectId } = connection;
  const run = await client.getJourneyRun({ projectId, runId });
  const card = await client.getJourneyRunScorecard({ projectId, runId }).catch(noneWithoutCriteria);
  return { run, card, goals: await readJudgedGoals(connection, run) };
}

/** For programs. */
export function scoredRunJson({ run, card, goals }: ScoredRun): object {
  return { run, scorecard: card ?? null, goals };
}

function noneWithoutCriteria(error: unknown): undefined {
  if (error instanceof ApiError && error.details['reason'] === 'NO_RUBRIC') return undefined;
  throw error;
}

export function scorecardText(
  { url }: Pick<Connection, 'url'>,
  { run, card, goals }: ScoredRun,
  ability: TerminalAbility,
): string {
  const wrap = sentenceWrapper(ability);
  const { persona, goal, projectId } = run;
  const blocks = [
    [
      ...wrap(journeyVerdictSentence(run, card)),
      ...wrap(playedAndWhyNot(run.attempts ?? [])),
      ...(card === undefined ? [] : scorecardSentences(card, run).flatMap((one) => wrap(one))),
      ...wrap(playersSentence(run)),
    ],
    [
      ...wrap(`Persona: ${persona.name}, ${persona.role}`),
      ...(goal === undefined ? [] : wrap(`Goal: ${goal}`)),
      ...wrap(`Wave: ${run.waveId}`),
      // The address is not wrapped, so that it can be copied.
      `Console: ${journeyRunPage({ baseUrl: url, projectId }, run.id)}`,
    ],
    targetLines(run, wrap),
    card === undefined ? [] : criterionLines(card, wrap),
    judgeLines(run, goals, wrap),
  ];
  const lines = blocks.filter((block) => block.length > 0).map((block) => block.join('\n'));
  return `${lines.join('\n\n')}\n`;
}

function targetLines({ targets, attempts = [] }: JourneyRun, wrap: WrapSentence): string[] {
  return [
    'Targets',
    ...targets.flatMap((target) => {
      const own = attempts.filter(({ targetId }) => targetId === target.targetId);
      return wrap(`${targetName(target)} (${target.modelId}): ${playedAndWhyNot(own)}`, '  ');
    }),
  ];
}

const longestReason = 300;

function criterionLines({ criteria, sessionsGraded }: RunScorecard, wrap: WrapSentence): string[] {
  return [
    'Checks',
    ...criteria.flatMap((criterion) => {
      const advisory = criterion.role === 'advisory' ? ', decides nothing' : '';
      const rate = heldWords(criterion, sessionsGraded);
      const reasons = criterion.failReasons.flatMap(({ reason }, at) => [
        ...wrap(`“${capText(reason, longestReason)}”`, '    '),
        ...wrap(failReasonWords(criterion, at), '    '),
      ]);
      return [...wrap(`${criterionName(criterion)}: ${rate}${advisory}`, '  '), ...reasons];
    }),
  ];
}
