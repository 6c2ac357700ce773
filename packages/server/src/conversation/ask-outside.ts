/** How somebody outside is asked whether an assertion holds. */
import type { Assertion, AssertionScope, Finding, Transcript } from '@proofmark/domain';
import type { TrialContext } from './trial-context.ts';

/** The trial as it stood when it was asked; what comes later is not seen. */
export interface SeenOutside {
  /** As they stand in the trace. */
  readonly messages: readonly unknown[];
  readonly transcript: Transcript;
  /** Absent: the whole case. */
  readonly scope?: AssertionScope;
}

type OutsideContext = Pick<TrialContext, 'dependencies' | 'plan' | 'planned' | 'signal'>;

export type AskOutside<Type extends Assertion['type']> = (
  assertion: Extract<Assertion, { type: Type }>,
  seen: SeenOutside,
  context: OutsideContext,
) => Promise<Finding>;
