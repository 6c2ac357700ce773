/**
 * Plays a user's message and the model's response: the model answers, its calls are made, and it is
 * asked again. The loop ends when the model requests no more calls or reaches the limit of answers
 * in a turn. At that limit the turn is graded as it is, with a note. A turn without any complete
 * answer proves nothing about the model's choice.
 */
import { askModel, type ModelTurn } from './ask-model.ts';
import { ChangingTools } from './changing-tools.ts';
import { makeCalls, mostCallsPerTurn } from './make-calls.ts';
import { ok, type StepOutcome } from './step-outcome.ts';
import type { TurnContext } from './trial-context.ts';

export async function promptStep(
  context: TurnContext,
  { prompt }: { readonly prompt: string },
  position: Omit<ModelTurn, 'answers'>,
): Promise<StepOutcome> {
  context.log.addUserText(prompt);
  return askUntilAnswered(context, position);
}

/**
 * Asks the model until it requests no more calls. The conversation already contains the user's
 * message.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one loop with all of its ends, in the order in which they decide the step.
export async function askUntilAnswered(
  context: TurnContext,
  position: Omit<ModelTurn, 'answers'>,
): Promise<StepOutcome> {
  const { maxModelSteps } = context.plan.limits;
  const notes = new Set<string>();
  context.log.stopped = undefined;
  for (let answers = 0; answers < maxModelSteps; answers += 1) {
    const { offeredTools } = context;
    if (offeredTools instanceof ChangingTools) {
      await offeredTools.readChanged(context, position.promptIndex);
    }
    if (context.log.fitAsked()) notes.add(cutNote);
    const reply = await askModel(context, { ...position, answers });
    if ('failure' in reply) {
      if (answers === 0) context.log.withdrawTurn(position.promptIndex);
      return {
        kind: 'providerFailed',
        reason: reply.failure,
        ...(reply.isLimited && { isLimited: true }),
      };
    }
    context.log.stopped = reply.cut;
    if (reply.cut !== undefined) notes.add(reply.cut);
    if (reply.ignored !== undefined) notes.add(ignoredNote(context, reply.ignored));
    if (reply.toolCalls.length === 0) return okWith(notes);
    const { refused, leftOut } = await makeCalls(context, reply.toolCalls, position);
    if (refused !== undefined) return { kind: 'blocked', reason: refused };
    if (context.log.lateAnswer !== undefined) {
      return { kind: 'failed', reason: context.log.lateAnswer };
    }
    if (leftOut > 0) notes.add(fullNote);
  }
  notes.add(stop(context, position, maxModelSteps));
  return okWith(notes);
}

function stop(
  { log }: TurnContext,
  { promptIndex, parentId }: Omit<ModelTurn, 'answers'>,
  answers: number,
): string {
  const span = log.beginSpan(`The model was stopped after ${answers} answers`, 'error');
  span.status = 'error';
  span.parentId = parentId;
  span.promptIndex = promptIndex;
  log.endSpan(span);
  log.stopped = `The model was stopped after ${answers} answers, the limit for a turn; it was still calling tools.`;
  return log.stopped;
}

function ignoredNote({ chosen }: TurnContext, ignored: readonly string[]): string {
  return `The model ${chosen?.model.name} accepts no ${ignored.join(' and no ')}, so its requests were sent without.`;
}

const cutNote =
  'Older results of tools were cut, because a request to the model holds at most 8 MiB.';
const fullNote = `The model asked for more than ${mostCallsPerTurn} calls, the limit for a turn; the other calls were not made.`;

function okWith(notes: ReadonlySet<string>): StepOutcome {
  return notes.size === 0 ? ok : { kind: 'ok', note: [...notes].join(' ') };
}
