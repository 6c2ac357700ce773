/**
 * One message of the user and all that the model does about it: it answers, its calls are made one after the other,
 * it is asked again, until it calls nothing more or has answered as often as one turn allows. Reaching that bound ends
 * the turn, which is graded as it stands.
 */
import type { Step } from '@proofmark/domain';
import { type AskedPlace, askModel } from './ask-model.ts';
import { makeCalls, mostCallsPerTurn } from './make-calls.ts';
import { ok, type StepOutcome, type TrialContext } from './trial-context.ts';

export async function promptStep(
  context: TrialContext,
  step: Extract<Step, { kind: 'prompt' }>,
  place: Omit<AskedPlace, 'answers'>,
): Promise<StepOutcome> {
  const { maxModelSteps } = context.plan.limits;
  const notes = new Set<string>();
  context.log.addUserText(step.prompt);
  for (let answers = 0; answers < maxModelSteps; answers += 1) {
    if (context.log.fitAsked()) notes.add(cutNote);
    const reply = await askModel(context, { ...place, answers });
    if ('failure' in reply) return { kind: 'providerFailed', reason: reply.failure };
    if (reply.toolCalls.length === 0) return okWith(notes);
    const { refused, leftOut } = await makeCalls(context, reply.toolCalls, place);
    if (refused !== undefined) return { kind: 'blocked', reason: refused };
    if (leftOut > 0) notes.add(fullNote);
  }
  notes.add(
    `The turn ended after ${maxModelSteps} answers of the model, the most that a turn may have.`,
  );
  return okWith(notes);
}

const cutNote =
  'Older results of tools were cut, for the model is asked with at most 8 MiB at a time.';
const fullNote = `The model asked for more than ${mostCallsPerTurn} calls, the most that a turn may have; the others were not made.`;

function okWith(notes: ReadonlySet<string>): StepOutcome {
  return notes.size === 0 ? ok : { kind: 'ok', note: [...notes].join(' ') };
}
