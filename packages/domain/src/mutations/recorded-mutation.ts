/**
 * A mutation that is played on what was recorded of a run. With recorded servers, what they list and answer is taken from
 * there and changed on its way; what was not recorded nobody can answer, so such a trial says nothing. With the recorded
 * model its answers are taken by place, whatever it would be asked now: it cannot react to a change, so what servers list
 * is not changed, and only assertions about results can notice anything.
 */
import { invalid, type Refusal } from '../kernel/refusal.ts';
import { type MutationOperator, mutationOperators, sideOfOperator } from './operators.ts';

/** In the place of the id of a model. */
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

/** Those that are tried with this model; left out, all that it could meet. */
export function operatorsToTry(
  model: string,
  asked: readonly MutationOperator[] | undefined,
): { readonly operators: readonly MutationOperator[] } | { readonly refusal: Refusal } {
  if (model !== recordedModel) return { operators: asked ?? mutationOperators };
  const index = asked?.findIndex((one) => sideOfOperator(one) === 'surface') ?? -1;
  if (index < 0) return { operators: asked ?? answerOperators };
  const message =
    'A recorded model cannot react to what servers list; name operators of answers only, or another model.';
  return { refusal: invalid(`body.operators[${index}]`, message) };
}

/** The run whose recordings are meant: named where they are used, and only there. */
export function runOfMutation(
  terms: MutationTerms & { readonly runId?: string | undefined },
): { readonly runId: string | undefined } | { readonly refusal: Refusal } {
  const { runId } = terms;
  if (isPlayedOnRun(terms) === (runId !== undefined)) return { runId };
  const message =
    runId === undefined
      ? 'Name the run with the recordings.'
      : 'Name a run only with recorded servers or the recorded model.';
  return { refusal: invalid('body.runId', message) };
}

/** Trials take turns in what there is: the recorded ones may be fewer than are played. */
export function recordingInTurn<Recorded>(
  recorded: readonly Recorded[],
  trialNumber: number,
): Recorded | undefined {
  return recorded[(trialNumber - 1) % Math.max(1, recorded.length)];
}
