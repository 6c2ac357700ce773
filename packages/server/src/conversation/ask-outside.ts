import type { Assertion, AssertionScope, Finding, Transcript } from '@proofmark/domain';
import type { TrialContext } from './trial-context.ts';

/** The trial at the moment of the request to the judge or scorer. Later events are not included. */
export interface SeenOutside {
  /** In the format of the trace. */
  readonly messages: readonly unknown[];
  readonly transcript: Transcript;
  /** Default: the whole case. */
  readonly scope?: AssertionScope;
}

type OutsideContext = Pick<TrialContext, 'dependencies' | 'plan' | 'planned' | 'signal'>;

export type AskOutside<Type extends Assertion['type']> = (
  assertion: Extract<Assertion, { type: Type }>,
  seen: SeenOutside,
  context: OutsideContext,
) => Promise<Finding>;
