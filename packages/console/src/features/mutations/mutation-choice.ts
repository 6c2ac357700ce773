import type { BodyInputOf, EvalRun } from '@proofmark/contract';
import { largestSeed, recordedModel } from '@proofmark/domain';
import { isRunEnded } from '../evals/index.ts';

export type MutationForm = 'live' | 'servers' | 'both';

export interface MutationChoice {
  readonly form: MutationForm;
  readonly runId: string;
  /** Empty for the built-in lexical model. */
  readonly model: string;
  /**
   * Names of tools that may write, as typed, separated by commas. Empty for the tools that the
   * suite allows.
   */
  readonly allowWrites: string;
  /** The seed as typed. Empty for 1. */
  readonly seed: string;
}

export const mutationForms = {
  live: {
    label: 'The servers as they are now',
    hint: 'They are called for real, as a run calls them, except for tools that may change something and that nobody allowed.',
  },
  servers: {
    label: 'The recorded servers of a run',
    hint: 'No server is called. A change after which something is called that was not recorded is not decided.',
  },
  both: {
    label: 'The recorded servers and model of a run',
    hint: 'No server and no model is asked. Only answers of tools are changed, and only checks of results can notice.',
  },
} as const satisfies Readonly<Record<MutationForm, object>>;

export const newMutationChoice: MutationChoice = {
  form: 'live',
  runId: '',
  model: '',
  allowWrites: '',
  seed: '',
};

type RunToPlay = Pick<EvalRun, 'id' | 'status' | 'source' | 'replay'>;

/** Only ended runs that were launched here and are no replays can have recordings. */
export function recordedRuns<One extends RunToPlay>(runs: readonly One[]): One[] {
  return runs.filter(
    ({ status, source, replay }) =>
      isRunEnded(status) && (source === 'ui' || source === 'api') && !replay,
  );
}

export function mutationBody({
  form,
  runId,
  model,
  allowWrites,
  seed,
}: MutationChoice):
  | { readonly body: BodyInputOf<'createEvalSuiteMutation'> }
  | { readonly problem: { readonly field: 'runId' | 'seed'; readonly message: string } } {
  const number = seed.trim() === '' ? undefined : Number(seed);
  const isSeed = number === undefined || (Number.isInteger(number) && number >= 0);
  if (!isSeed || (number ?? 0) > largestSeed) {
    return { problem: { field: 'seed', message: 'Write a whole number, 0 or higher.' } };
  }
  const asked = { ...(number !== undefined && { seed: number }) };
  const named = model.trim() === '' ? {} : { model: model.trim() };
  const allowed = namesIn(allowWrites);
  const policy = allowed.length === 0 ? {} : { allowWrites: allowed };
  if (form === 'live') return { body: { ...asked, ...named, ...policy } };
  if (runId === '') return { problem: { field: 'runId', message: 'Choose a run.' } };
  const played = form === 'both' ? { model: recordedModel } : named;
  return { body: { ...asked, ...played, servers: 'recorded', runId } };
}

function namesIn(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
