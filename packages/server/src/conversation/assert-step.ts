/**
 * Evaluates an assertion step over the events so far. A failed gating assertion stops the trial; a
 * failed advisory one is only reported. A gating assertion that a tool was called is also an
 * expected call of its turn. Such an assertion holds only if the matcher found the call in the
 * turn.
 */
import {
  type Assertion,
  caseLevelOnly,
  isAdvisory,
  type NamedTool,
  type Step,
  trialSentence,
  whyUnmatched,
} from '@proofmark/domain';
import { evaluateSeen, prepareToEvaluate } from './evaluate-seen.ts';
import { askOutside, isOutside } from './external-assertions.ts';
import { ok, type StepOutcome } from './step-outcome.ts';
import type { TrialContext } from './trial-context.ts';
import { widgetAssertStep } from './widget-steps.ts';
import { refusalBehind } from './widgets-of-case.ts';

export async function assertStep(
  context: TrialContext,
  { id, assertion }: Extract<Step, { kind: 'assert' }>,
  position: { readonly promptIndex: number; readonly parentId: string },
): Promise<StepOutcome> {
  if ('kind' in assertion) return widgetAssertStep(context, id, assertion, position);
  const { promptIndex } = position;
  if (assertion.type.startsWith('widget')) await context.widgets?.look(context.signal);
  await prepareToEvaluate([assertion]);
  const seen = isOutside(assertion)
    ? // A thrown error is an internal failure, so the trial is started again, as for assertions of the whole case.
      { result: await askOutside(assertion, context, { kind: 'turn', promptIndex }) }
    : tryToEvaluate(context, assertion, promptIndex);
  if ('broken' in seen) return { kind: 'graderFailed', reason: seen.broken };
  const { result } = seen;
  context.asked.push({ assertion, promptIndex, ...seen });
  if (result.passed) return ok;
  const refused = refusalBehind(context, [{ assertion, result }]);
  if (refused !== undefined) return { kind: 'blocked', reason: refused };
  if (result.evaluatorError === true && !isAdvisory(assertion)) {
    return { kind: 'graderFailed', reason: `The trial could not be graded: ${result.reason}` };
  }
  return isAdvisory(assertion)
    ? { kind: 'ok', note: `This check is advisory: ${result.reason}` }
    : { kind: 'failed', reason: result.reason };
}

/**
 * Returns an error of the evaluator instead of throwing it. A thrown error would restart the trial,
 * which would fail in the same way.
 */
function tryToEvaluate(
  ...asked: Parameters<typeof evaluate>
): ReturnType<typeof evaluate> | { readonly broken: string } {
  try {
    return evaluate(...asked);
  } catch (error) {
    return { broken: `The trial could not be graded: ${trialSentence(error)}` };
  }
}

function evaluate(
  context: TrialContext,
  assertion: Assertion,
  promptIndex: number,
): ReturnType<typeof evaluateSeen> {
  const scope = { kind: 'turn', promptIndex } as const;
  const seen = evaluateSeen(
    assertion,
    context,
    caseLevelOnly.includes(assertion.type) ? undefined : scope,
  );
  const { passed, predicate } = seen.result;
  if (!passed || isAdvisory(assertion) || assertion.type !== 'toolCalledWith') return seen;
  const reason = reasonUnmatched(context, assertion, promptIndex);
  return reason === undefined ? seen : { result: { predicate, passed: false, reason, scope } };
}

function reasonUnmatched(
  { planned, projected, log, offeredTools }: TrialContext,
  tool: NamedTool,
  promptIndex: number,
): string | undefined {
  const turn = projected.turns[promptIndex];
  if (turn === undefined) return undefined;
  return whyUnmatched(
    {
      turn,
      actual: log.callsOfTurns[promptIndex] ?? [],
      hasOtherTurns: projected.turns.length > 1,
      isNegative: planned.isNegative,
      options: planned.matchOptions,
      skillsOffered: offeredTools.skillsOffered,
    },
    tool,
  );
}
