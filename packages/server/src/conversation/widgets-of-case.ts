import {
  type AskedAssertion,
  type ConcernedWidgets,
  isAdvisory,
  needsRenderer,
} from '@proofmark/domain';
import type { WidgetsHere } from '../outside/browser/widgets-here.ts';
import { NotMeasured } from './not-measured.ts';
import type { StepOutcome } from './step-outcome.ts';
import type { TrialContext } from './trial-context.ts';
import { WidgetsOfTrial } from './widgets-of-trial.ts';

/** Returns a sentence if the case needs widgets but there is no renderer. */
export function widgetsOfTrial(
  here: WidgetsHere | undefined,
  concerned: ConcernedWidgets,
  isNeeded: boolean,
): WidgetsOfTrial | string | undefined {
  if (here !== undefined && !('missing' in here)) {
    return new WidgetsOfTrial(here, concerned, isNeeded);
  }
  return isNeeded ? needsRenderer(here?.missing) : undefined;
}

/**
 * Records the widgets' state before the assertions of the whole case are evaluated, even if a step
 * failed.
 */
export async function settleWidgets(
  { widgets, signal }: TrialContext,
  played: StepOutcome,
): Promise<StepOutcome> {
  if (played.kind !== 'ok' && played.kind !== 'failed') return played;
  try {
    await widgets?.look(signal, { isEnd: true });
    return played;
  } catch (error) {
    if (error instanceof NotMeasured) return error.outcome;
    throw error;
  }
}

/**
 * If every failed assertion is about a widget whose call a policy rejected, the rejection may be
 * the cause. Then returns the policy's reason.
 */
export function refusalBehind(
  { widgets }: Pick<TrialContext, 'widgets'>,
  asked: readonly Pick<AskedAssertion, 'assertion' | 'result'>[],
): string | undefined {
  const failed = asked.filter(({ assertion, result }) => !result.passed && !isAdvisory(assertion));
  const refusals = failed.map(({ assertion }) =>
    assertion.type.startsWith('widget')
      ? widgets?.refusalOf('toolName' in assertion ? assertion.toolName : undefined)
      : undefined,
  );
  return refusals.every((refusal) => refusal !== undefined) ? refusals[0] : undefined;
}
