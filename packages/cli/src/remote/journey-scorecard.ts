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
import { type Say, sentenceWrapper } from './indented-lines.ts';
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
  const say = sentenceWrapper(ability);
  const { persona, goal, projectId } = run;
  const blocks = [
    [
      ...say(journeyVerdictSentence(run, card)),
      ...say(playedAndWhyNot(run.attempts ?? [])),
      ...(card === undefined ? [] : scorecardSentences(card, run).flatMap((one) => say(one))),
      ...say(playersSentence(run)),
    ],
    [
      ...say(`Persona: ${persona.name}, ${persona.role}`),
      ...(goal === undefined ? [] : say(`Goal: ${goal}`)),
      ...say(`Wave: ${run.waveId}`),
      // The address is not wrapped, so that it can be copied.
      `Console: ${journeyRunPage({ baseUrl: url, projectId }, run.id)}`,
    ],
    targetLines(run, say),
    card === undefined ? [] : criterionLines(card, say),
    judgeLines(run, goals, say),
  ];
  const lines = blocks.filter((block) => block.length > 0).map((block) => block.join('\n'));
  return `${lines.join('\n\n')}\n`;
}

function targetLines({ targets, attempts = [] }: JourneyRun, say: Say): string[] {
  return [
    'Targets',
    ...targets.flatMap((target) => {
      const own = attempts.filter(({ targetId }) => targetId === target.targetId);
      return say(`${targetName(target)} (${target.modelId}): ${playedAndWhyNot(own)}`, '  ');
    }),
  ];
}

const longestReason = 300;

function criterionLines({ criteria, sessionsGraded }: RunScorecard, say: Say): string[] {
  return [
    'Checks',
    ...criteria.flatMap((criterion) => {
      const advisory = criterion.role === 'advisory' ? ', decides nothing' : '';
      const rate = heldWords(criterion, sessionsGraded);
      const reasons = criterion.failReasons.flatMap(({ reason }, at) => [
        ...say(`“${capText(reason, longestReason)}”`, '    '),
        ...say(failReasonWords(criterion, at), '    '),
      ]);
      return [...say(`${criterionName(criterion)}: ${rate}${advisory}`, '  '), ...reasons];
    }),
  ];
}
