import type { IdKind, PatternEngine } from '@proofmark/domain';
import type { OpeningDependencies } from '../evals/index.ts';

export interface TurnDependencies extends Omit<OpeningDependencies, 'stdioAddressOf'> {
  readonly patterns: PatternEngine;
  readonly creditsPerDay: number | null;
  /** The maximum number of model calls in one turn. */
  readonly maxModelSteps: number;
  readonly log: { error(fields: object, message: string): void };
  newId(kind: IdKind): string;
}
