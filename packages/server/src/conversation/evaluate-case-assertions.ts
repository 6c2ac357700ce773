import type { Assertion } from '@proofmark/domain';
import { evaluateSeen } from './evaluate-seen.ts';
import { askOutside, isOutside } from './external-assertions.ts';
import { settleAll } from './settle-all.ts';
import type { TrialContext } from './trial-context.ts';

/** Assertions of the whole case. A trial that was stopped is not asked: what it did not come to do proves nothing. */
export async function evaluateCaseAssertions(
  context: TrialContext,
  asksOutside: boolean,
): Promise<void> {
  const { planned, asked } = context;
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
