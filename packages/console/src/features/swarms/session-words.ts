/** Words and colors for results of sessions. Only a measured failure is red. */
import { doerOfSessionEnd, sessionEndWords } from '@proofmark/report';
import { type Tone, verdictTone } from '../evals/index.ts';
import type { JourneyRun, JourneySession } from './data/journey-runs.ts';

type Attempt = NonNullable<JourneyRun['attempts']>[number];

export function sessionWords(
  attempt: Pick<Attempt, 'status' | 'errorCode' | 'begun'>,
  session: Pick<JourneySession, 'result' | 'grading'> | undefined,
  criteria: readonly { readonly role: 'gating' | 'advisory' }[],
): { word: string; tone: Tone } {
  const result = session?.result ?? null;
  // The API calls a session passed if no check could fail it, but the run then has no verdict.
  const isDecided = criteria.some(({ role }) => role === 'gating');
  if (result !== null && !isDecided) return { word: 'played, no check decides', tone: 'none' };
  if (result !== null) return { word: result, tone: verdictTone(result) };
  const doer = doerOfSessionEnd(attempt);
  if (doer !== undefined && attempt.begun === 0) return { word: 'never begun', tone: 'hold' };
  if (doer !== undefined) return { word: `not played: ${sessionEndWords[doer]}`, tone: 'hold' };
  if (attempt.status !== 'succeeded') return { word: statusWords[attempt.status], tone: 'none' };
  const grading = session?.grading.status ?? null;
  return { word: gradingWords[grading ?? 'none'], tone: 'none' };
}

const gradingWords = {
  pending: 'played, to be graded',
  completed: 'played',
  failed: 'played, grading failed',
  none: 'played',
} as const;

const statusWords: Readonly<Record<Exclude<Attempt['status'], 'succeeded'>, string>> = {
  pending: 'waiting',
  running: 'talking',
  failed: 'not played to its end',
  rate_limited: 'held back',
};

export const endWords = {
  personaEnded: 'The user ended it.',
  turnCap: 'It ended at the limit of turns.',
} as const;

/** An advisory criterion that does not hold is amber, never red. */
export function gradeWords(
  passed: boolean,
  role: 'gating' | 'advisory',
): { word: string; tone: Tone } {
  if (passed) return { word: 'held', tone: 'pass' };
  return role === 'gating'
    ? { word: 'did not hold', tone: 'fail' }
    : { word: 'advice: did not hold', tone: 'hold' };
}

const comparedTones = {
  regression: 'fail',
  no_regression: 'pass',
  insufficient_data: 'none',
} as const;

/** An advisory criterion is never red. */
export function comparedTone(row: {
  readonly corrected: keyof typeof comparedTones;
  readonly role: 'gating' | 'advisory';
}): Tone {
  const tone = comparedTones[row.corrected];
  return tone === 'fail' && row.role === 'advisory' ? 'hold' : tone;
}

/**
 * Describes the advisory criteria that did not hold. The text is shown beside the session's result.
 */
export function adviceWords(
  grades: JourneySession['criteria'],
  criteria: readonly { readonly id: string; readonly role: 'gating' | 'advisory' }[],
): string | undefined {
  const unmet = grades.filter(({ criterionId, passed }) => {
    const role = criteria.find(({ id }) => id === criterionId)?.role;
    return role === 'advisory' && !passed;
  }).length;
  return unmet === 0
    ? undefined
    : `advice: ${unmet} ${unmet === 1 ? 'check' : 'checks'} did not hold`;
}
