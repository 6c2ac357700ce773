/**
 * Runs a step within its span. If a call throws `NotMeasured`, the step ends with that error's
 * outcome.
 */
import { NotMeasured } from './not-measured.ts';
import type { Span } from './span.ts';
import type { StepOutcome } from './step-outcome.ts';
import type { TrialLog } from './trial-log.ts';

export async function withStepSpan(
  log: TrialLog,
  {
    name,
    ...place
  }: { readonly name: string } & Pick<Span, 'promptIndex' | 'stepIndex' | 'authoredStepId'>,
  work: (parentId: string) => Promise<StepOutcome>,
): Promise<StepOutcome> {
  const span = Object.assign(log.beginSpan(name, 'step'), place);
  span.status = 'error';
  const messageStartIndex = log.messages.length;
  try {
    const outcome = await work(span.id);
    if (outcome.kind === 'ok') span.status = 'ok';
    return outcome;
  } catch (error) {
    if (error instanceof NotMeasured) return error.outcome;
    throw error;
  } finally {
    if (log.messages.length > messageStartIndex) {
      span.messageStartIndex = messageStartIndex;
      span.messageEndIndex = log.messages.length - 1;
    }
    log.endSpan(span);
  }
}
