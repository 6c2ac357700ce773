/** What running turns needs from whoever puts the parts together. */
import type { IdKind, PatternEngine } from '@proofmark/domain';
import type { OpeningDependencies } from '../evals/index.ts';

export interface TurnDependencies extends Omit<OpeningDependencies, 'stdioAddressOf'> {
  readonly patterns: PatternEngine;
  readonly creditsPerDay: number | null;
  /** Of a prompt step. */
  readonly maxModelSteps: number;
  readonly log: { error(fields: object, message: string): void };
  newId(kind: IdKind): string;
}
