/** How one session of a run ended, in a few words. Only a measured failure is red. */

import type { JourneyRun, JourneySession } from '../data/journey-runs.ts';
import { type Tone, verdictTone } from '../evals/run-tone.ts';

type Attempt = NonNullable<JourneyRun['attempts']>[number];

export function sessionWords(
  attempt: Pick<Attempt, 'status'>,
  session: Pick<JourneySession, 'result' | 'grading'> | undefined,
): { word: string; tone: Tone } {
  const result = session?.result ?? null;
  if (result !== null) return { word: result, tone: verdictTone(result) };
  if (attempt.status !== 'succeeded') return statusWords[attempt.status];
  const grading = session?.grading.status ?? null;
  return { word: gradingWords[grading ?? 'none'], tone: 'none' };
}

const gradingWords = {
  pending: 'played, to be graded',
  completed: 'played',
  failed: 'played, grading failed',
  none: 'played',
} as const;

const statusWords: Readonly<
  Record<Exclude<Attempt['status'], 'succeeded'>, { word: string; tone: Tone }>
> = {
  pending: { word: 'waiting', tone: 'none' },
  running: { word: 'talking', tone: 'none' },
  failed: { word: 'not played to its end', tone: 'hold' },
  rate_limited: { word: 'held back', tone: 'hold' },
};

export const endWords = {
  personaEnded: 'The user ended it.',
  turnCap: 'It ended at the limit of turns.',
} as const;
