/** The interface for assertions that a judge or a scorer answers after seeing the trial. */
import type { Assertion, AssertionScope, Finding, Transcript } from '@proofmark/domain';
import type { TrialContext } from './trial-context.ts';

/** The trial as it was when the judge or scorer was asked; later events are not included. */
export interface SeenOutside {
  /** The messages in the format of the trace. */
  readonly messages: readonly unknown[];
  readonly transcript: Transcript;
  /** The part of the trial that the assertion is about (default: the whole case). */
  readonly scope?: AssertionScope;
}

type OutsideContext = Pick<TrialContext, 'dependencies' | 'plan' | 'planned' | 'signal'>;

export type AskOutside<Type extends Assertion['type']> = (
  assertion: Extract<Assertion, { type: Type }>,
  seen: SeenOutside,
  context: OutsideContext,
) => Promise<Finding>;
