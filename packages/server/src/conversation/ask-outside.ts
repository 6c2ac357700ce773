/** The interface of assertions that are answered outside of the trial. */
import type { Assertion, AssertionScope, Finding, Transcript } from '@proofmark/domain';
import type { TrialContext } from './trial-context.ts';

/** The trial at the time of the question, without later events. */
export interface SeenOutside {
  /** The messages in the form of the trace. */
  readonly messages: readonly unknown[];
  readonly transcript: Transcript;
  /** The scope of the assertion (default: the whole case). */
  readonly scope?: AssertionScope;
}

type OutsideContext = Pick<TrialContext, 'dependencies' | 'plan' | 'planned' | 'signal'>;

export type AskOutside<Type extends Assertion['type']> = (
  assertion: Extract<Assertion, { type: Type }>,
  seen: SeenOutside,
  context: OutsideContext,
) => Promise<Finding>;
