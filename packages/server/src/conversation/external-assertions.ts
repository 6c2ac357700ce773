/**
 * Evaluates assertions that need a judge or a scorer. The trial's clock is paused meanwhile,
 * because grading has its own time limits. A thrown error is an internal failure; a grader that
 * could not answer reports this in its finding.
 */
import {
  type Assertion,
  type AssertionResult,
  type AssertionScope,
  answeredAssertion,
} from '@proofmark/domain';
import type { AskOutside, SeenOutside } from './ask-outside.ts';
import { judgeGoal } from './judge-goal.ts';
import type { TrialContext } from './trial-context.ts';

/**
 * Asks the organization's own scorer about a trial and compares its score with the threshold. A
 * failing scorer or an unreadable response proves nothing about the trial.
 */
const askScorer: AskOutside<'scorer'> = async (
  { url, threshold, timeoutMs = defaultTimeoutMs, name },
  { messages, transcript, scope },
  { dependencies, planned, signal },
) => {
  const { scorers } = dependencies;
  if (scorers === undefined) return unanswered('This service cannot call scorers.');
  const { caseId, declaredId, title, expectedOutput } = planned;
  const conversation = {
    caseId: declaredId ?? caseId,
    title,
    messages,
    toolCalls: transcript.toolCalls,
    ...(expectedOutput !== undefined && { expectedOutput }),
    metadata: {
      ...(name !== undefined && { name }),
      threshold,
      ...(scope !== undefined && { promptIndex: scope.promptIndex }),
    },
  };
  const outcome = await scorers.ask({ url, timeoutMs }, conversation, signal);
  const who = name === undefined ? 'The scorer' : `The scorer ${JSON.stringify(name)}`;
  if ('problem' in outcome) return unanswered(outcome.problem.replace(/^The scorer/, () => who));
  const { score, reason } = outcome;
  const passed = score >= threshold;
  const sentence = `${who} gave ${score}, ${passed ? 'at or above' : 'below'} its threshold of ${threshold}.`;
  return {
    passed,
    reason: reason === undefined ? sentence : `${sentence} Its reason: ${reason}`,
    measured: {
      score,
      threshold,
      reason:
        reason === undefined || name === undefined ? (reason ?? sentence) : `${name}: ${reason}`,
    },
  };
};

const defaultTimeoutMs = 10_000;

function unanswered(reason: string) {
  return { passed: false, reason, evaluatorError: true } as const;
}

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
  // The cast is safe, because the schema of this kind has validated the assertion.
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
