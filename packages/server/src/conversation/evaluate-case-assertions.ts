import type { Assertion } from '@proofmark/domain';
import { evaluateSeen, prepareToEvaluate } from './evaluate-seen.ts';
import { askOutside, isOutside } from './external-assertions.ts';
import { settleAll } from './settle-all.ts';
import type { TrialContext } from './trial-context.ts';

/**
 * Evaluates the assertions of the whole case. A stopped trial skips them, because the steps that it
 * did not reach prove nothing.
 */
export async function evaluateCaseAssertions(
  context: TrialContext,
  asksOutside: boolean,
): Promise<void> {
  const { planned, asked } = context;
  await prepareToEvaluate(planned.assertions);
  const evaluate = (assertion: Assertion) => ({
    assertion,
    ...evaluateSeen(assertion, context),
  });
  if (!asksOutside) {
    for (const assertion of planned.assertions) asked.push(evaluate(assertion));
    return;
  }
  const answered = await settleAll(
    planned.assertions.map(async (assertion) => {
      if (!isOutside(assertion)) return evaluate(assertion);
      return { assertion, result: await askOutside(assertion, context) };
    }),
  );
  asked.push(...answered);
}
