/**
 * Formats the judge's grades of a run's sessions for a terminal. The judge only advises; the
 * criteria decide.
 */
import { readAllPages } from '@proofmark/client';
import type { OutputOf } from '@proofmark/contract';
import { count, cutText, type GoalScore, grouped, percent } from '@proofmark/domain';
import { targetName } from '@proofmark/report';
import type { Connection } from './connection.ts';
import type { WrapSentence } from './indented-lines.ts';

type JourneyRun = OutputOf<'getJourneyRun'>;

export interface JudgedGoal {
  readonly sessionId: string;
  readonly targetId: string;
  readonly sessionIndex: number;
  readonly goalScore: GoalScore;
}

/** Ordered by target, then by session number. Empty for a run without a judge. */
export async function readJudgedGoals(
  { client, projectId }: Pick<Connection, 'client' | 'projectId'>,
  { id: runId, judgeModel }: Pick<JourneyRun, 'id' | 'judgeModel'>,
): Promise<JudgedGoal[]> {
  if (judgeModel === null || judgeModel === undefined) return [];
  const sessions = await readAllPages((page) =>
    client.listJourneyRunSessions({ projectId, runId, limit: 200, ...page }),
  );
  return sessions.flatMap(({ id: sessionId, targetId, sessionIndex, goalScore }) =>
    goalScore === null
      ? []
      : [{ sessionId, targetId, sessionIndex, goalScore: goalScore as unknown as GoalScore }],
  );
}

export function toBeJudged(goals: readonly JudgedGoal[]): number {
  return goals.filter(({ goalScore }) => goalScore.status === 'pending').length;
}

const mostLines = 10;

/**
 * Shows the judge, its threshold and the score of each session. If there are too many sessions, the
 * ones that did not pass come first and the rest is cut.
 */
export function judgeLines(
  run: Pick<JourneyRun, 'judgeModel' | 'status' | 'targets'>,
  goals: readonly JudgedGoal[],
  wrap: WrapSentence,
): string[] {
  const { judgeModel, status } = run;
  if (judgeModel === null || judgeModel === undefined) return [];
  const heading = 'Judge (advises and decides nothing)';
  const [first] = goals;
  if (first === undefined) {
    const why =
      status === 'running'
        ? 'starts when all sessions have ended.'
        : 'judged no session: none was played to its end.';
    return [heading, ...wrap(`${judgeModel} ${why}`, '  ')];
  }
  const isMany = goals.length > mostLines;
  const shown = isMany ? [...goals].sort((one, other) => weight(one) - weight(other)) : goals;
  const more = goals.length - mostLines;
  return [
    heading,
    ...wrap(`${judgeModel}, ${summaryOf(goals, first.goalScore.threshold)}`, '  '),
    ...shown.slice(0, mostLines).flatMap((goal) => wrap(goalText(run, goal), '  ')),
    ...(isMany ? wrap(`and ${grouped(more)} more; all of them: --json`, '  ') : []),
  ];
}

/** The sort weight: sessions that did not pass come first. */
function weight({ goalScore: { status, passed } }: JudgedGoal): number {
  return status === 'completed' && passed === true ? 1 : 0;
}

function summaryOf(goals: readonly JudgedGoal[], threshold: number): string {
  const scores = goals.flatMap(({ goalScore }) =>
    goalScore.status === 'completed' && goalScore.score !== null ? goalScore.score : [],
  );
  const over = `threshold ${percent(threshold)}`;
  if (scores.length === 0) return `${over}: 0 of ${count(goals.length, 'session')} judged.`;
  const met = goals.filter(({ goalScore }) => goalScore.passed === true).length;
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const judged =
    scores.length === goals.length
      ? ''
      : `; ${grouped(scores.length)} of ${count(goals.length, 'session')} judged`;
  return `${over}: goal met in ${grouped(met)} of ${count(scores.length, 'judged session')}, mean score ${percent(mean)}${judged}.`;
}

const longestReason = 200;

function goalText({ targets }: Pick<JourneyRun, 'targets'>, goal: JudgedGoal): string {
  const target = targets.find(({ targetId }) => targetId === goal.targetId);
  const where = target === undefined ? goal.targetId : targetName(target);
  const { score, passed } = goal.goalScore;
  const reason = goal.goalScore.reason === null ? '' : `: ${cut(goal.goalScore.reason)}`;
  const scoreText =
    goal.goalScore.status === 'pending'
      ? 'to be judged'
      : score === null
        ? `not judged${reason}`
        : `score ${percent(score)}, ${passed ? 'passed' : `not passed${reason}`}`;
  return `${where}, session ${goal.sessionIndex + 1}: ${scoreText}`;
}

function cut(reason: string): string {
  return reason.length <= longestReason ? reason : `${cutText(reason, longestReason)}...`;
}
