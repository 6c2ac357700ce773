/**
 * Assertions that are answered outside of the trial. The clock of the trial is paused meanwhile,
 * since grading is not part of the graded work and has separate limits. An exception is our own
 * failure; a grader that could not answer says so in its finding.
 */
import {
  type Assertion,
  type AssertionResult,
  type AssertionScope,
  answeredAssertion,
} from '@proofmark/domain';
import type { AskOutside, SeenOutside } from './ask-outside.ts';
import { askScorer } from './ask-scorer.ts';
import { judgeGoal } from './judge-goal.ts';
import type { TrialContext } from './trial-context.ts';

const outsideKinds: { readonly [Type in Assertion['type']]?: AskOutside<Type> } = {
  goalCompleted: judgeGoal,
  scorer: askScorer,
};

export function isOutside({ type }: Pick<Assertion, 'type'>): boolean {
  return outsideKinds[type] !== undefined;
}

export async function askOutside(
  assertion: Assertion,
  context: TrialContext,
  scope?: AssertionScope,
): Promise<AssertionResult> {
  const { log, clock, signal } = context;
  // The schema of the kind has validated the assertion, which the types cannot express.
  const ask = outsideKinds[assertion.type] as AskOutside<Assertion['type']> | undefined;
  if (ask === undefined)
    throw new Error(`No evaluator exists for the assertion ${assertion.type}.`);
  const { toolCalls, ...transcript } = log.transcript();
  const seen: SeenOutside = {
    messages: log.messages.slice(),
    transcript: { ...transcript, toolCalls: toolCalls.slice() },
    ...(scope !== undefined && { scope }),
  };
  clock.hold();
  try {
    const finding = await ask(assertion, seen, context);
    signal.throwIfAborted();
    return answeredAssertion(assertion, finding, seen);
  } finally {
    clock.goOn();
  }
}
