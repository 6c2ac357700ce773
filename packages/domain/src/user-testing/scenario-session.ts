/** A session as metrics and usage count it, of a visitor or a simulated user. */

import type { SessionOutcome } from './session-outcome.ts';
import type { ToolOfSession } from './session-tools.ts';

export const populations = ['real', 'synthetic'] as const;
export type Population = (typeof populations)[number];

export interface SessionOfScenario {
  readonly population: Population;
  /** Equal for all sessions of one visitor or one persona. */
  readonly visitor: string;
  readonly startedAt: number;
  readonly lastActivityAt: number;
  readonly modelId: string | null;
  readonly deviceKind: string | null;
  readonly language: string | null;
  /** For visitors only. */
  readonly segment: string | null;
  readonly rating: number | null;
  readonly tokensUsed: number | null;
  /** Null until the session has ended; before that, it only counts as existing. */
  readonly over: {
    readonly outcome: SessionOutcome;
    readonly tools: readonly ToolOfSession[];
  } | null;
  /** For simulated users only. */
  readonly criteria: readonly CriterionOfSession[];
}

export interface CriterionOfSession {
  readonly criterionId: string;
  readonly label: string | null;
  readonly kind: string | null;
  /** Null if it was not graded. */
  readonly passed: boolean | null;
}

/** The number of a scenario's sessions that are counted, the newest first. */
export const mostCountedSessions = 500;
