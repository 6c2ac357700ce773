/**
 * A mutation that uses the recordings of a run.
 *
 * - Recorded servers: listings and answers come from the recording and are then changed. A request
 *   that was not recorded leaves its trial undecided.
 * - Recorded model: its answers are replayed in recorded order. It cannot react to a change, so
 *   listings stay unchanged, and only assertions about results can notice a mutant.
 */
import { invalid, type Refusal } from '../kernel/refusal.ts';
import { type MutationOperator, mutationOperators, sideOfOperator } from './operators.ts';

export const recordedModel = 'recorded';

export interface MutationTerms {
  readonly model: string;
  readonly servers: 'live' | 'recorded';
}

export function isPlayedOnRun({ model, servers }: MutationTerms): boolean {
  return servers === 'recorded' || model === recordedModel;
}

export const answerOperators: readonly MutationOperator[] = mutationOperators.filter(
  (operator) => sideOfOperator(operator) === 'answer',
);

/**
 * Returns the operators to use with this model (default: all; for a recorded model, all that change
 * answers).
 */
export function operatorsToTry(
  model: string,
  asked: readonly MutationOperator[] | undefined,
): { readonly operators: readonly MutationOperator[] } | { readonly refusal: Refusal } {
  if (model !== recordedModel) return { operators: asked ?? mutationOperators };
  const index = asked?.findIndex((one) => sideOfOperator(one) === 'surface') ?? -1;
  if (index < 0) return { operators: asked ?? answerOperators };
  const message =
    'A recorded model cannot react to a changed tool list; name only operators that change answers, or name another model.';
  return { refusal: invalid(`body.operators[${index}]`, message) };
}

export function runOfMutation(
  terms: MutationTerms & { readonly runId?: string | undefined },
): { readonly runId: string | undefined } | { readonly refusal: Refusal } {
  const { runId } = terms;
  if (isPlayedOnRun(terms) === (runId !== undefined)) return { runId };
  const message =
    runId === undefined
      ? 'Recorded servers and the recorded model need the run with the recordings; set runId.'
      : 'runId is allowed only with recorded servers or the recorded model; remove it.';
  return { refusal: invalid('body.runId', message) };
}

/**
 * Returns the recording for a trial. Recordings are reused in rotation, since there may be fewer of
 * them than trials.
 */
export function recordingInTurn<Recorded>(
  recorded: readonly Recorded[],
  trialNumber: number,
): Recorded | undefined {
  return recorded[(trialNumber - 1) % Math.max(1, recorded.length)];
}
