/**
 * One message of the user and all that the model does about it: it answers, its calls are made one after the other,
 * it is asked again, until it calls nothing more or has answered as often as one turn allows. Reaching that bound ends
 * the turn, which is graded as it stands.
 */
import type { Step } from '@proofmark/domain';
import { type AskedPlace, askModel } from './ask-model.ts';
import { makeCalls } from './make-calls.ts';
import { ok, type StepOutcome, type TrialContext } from './trial-context.ts';

export async function promptStep(
  context: TrialContext,
  step: Extract<Step, { kind: 'prompt' }>,
  place: Omit<AskedPlace, 'answers'>,
): Promise<StepOutcome> {
  const { maxModelSteps } = context.plan.limits;
  context.log.addUserText(step.prompt);
  for (let answers = 0; answers < maxModelSteps; answers += 1) {
    const reply = await askModel(context, { ...place, answers });
    if ('failure' in reply) return { kind: 'providerFailed', reason: reply.failure };
    if (reply.toolCalls.length === 0) return ok;
    const refused = await makeCalls(context, reply.toolCalls, place);
    if (refused !== undefined) return { kind: 'blocked', reason: refused };
  }
  const note = `The turn ended after ${maxModelSteps} answers of the model, the most that a turn may have.`;
  return { kind: 'ok', note };
}
