/** A session as metrics and usage count it, whoever had it. */

import type { SessionOutcome } from './session-outcome.ts';
import type { ToolOfSession } from './session-tools.ts';

export const populations = ['real', 'synthetic'] as const;
export type Population = (typeof populations)[number];

export interface SessionOfScenario {
  readonly population: Population;
  /** The same for all sessions of one visitor, or of one persona. */
  readonly visitor: string;
  readonly startedAt: number;
  readonly lastActivityAt: number;
  readonly modelId: string | null;
  readonly deviceKind: string | null;
  readonly language: string | null;
  /** Of visitors alone. */
  readonly segment: string | null;
  readonly rating: number | null;
  readonly tokensUsed: number | null;
  /** Null while it is not over: then nothing is known of it but that it is there. */
  readonly over: {
    readonly outcome: SessionOutcome;
    readonly tools: readonly ToolOfSession[];
  } | null;
  /** Of simulated users alone. */
  readonly criteria: readonly CriterionOfSession[];
}

export interface CriterionOfSession {
  readonly criterionId: string;
  readonly label: string | null;
  readonly kind: string | null;
  /** Null where it was not graded. */
  readonly passed: boolean | null;
}

/** Of the sessions of a scenario so many are counted, the newest. */
export const mostCountedSessions = 500;
