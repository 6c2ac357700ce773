import type { RatingScale } from './feedback.ts';
import type { SessionOutcome } from './session-outcome.ts';
import type { ToolOfSession } from './session-tools.ts';

export const populations = ['real', 'synthetic'] as const;
export type Population = (typeof populations)[number];

export interface SessionOfScenario {
  readonly population: Population;
  readonly visitor: string;
  readonly startedAt: number;
  readonly lastActivityAt: number;
  readonly modelId: string | null;
  readonly deviceKind: string | null;
  readonly language: string | null;
  /** Null for simulated users. */
  readonly segment: string | null;
  /** The lowest rating; null if it was not rated. */
  readonly rating: number | null;
  readonly ratingScale: RatingScale | null;
  readonly tokensUsed: number | null;
  /** The results; null until the session has ended. An unfinished session is only counted. */
  readonly over: {
    readonly outcome: SessionOutcome;
    readonly tools: readonly ToolOfSession[];
  } | null;
  /** The graded criteria; empty for visitors. */
  readonly criteria: readonly CriterionOfSession[];
}

export interface CriterionOfSession {
  readonly criterionId: string;
  readonly label: string | null;
  readonly kind: string | null;
  /** Null if the criterion was not graded. */
  readonly passed: boolean | null;
}

/** The largest number of a scenario's sessions that are counted; the newest are used. */
export const mostCountedSessions = 500;
