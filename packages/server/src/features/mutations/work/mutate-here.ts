/**
 * Plays the parts of a mutation in the same order as a worker. Nothing is stored, so an interrupted
 * mutation begins again.
 */
import { setMaxListeners } from 'node:events';
import type { BodyOf, OutputOf } from '@proofmark/contract';
import {
  type DecidedMutant,
  defaultMutants,
  lexicalModelId,
  operatorsToTry,
} from '@proofmark/domain';
import { refuse } from '../../../platform/operations/action.ts';
import type { PreparedLaunch } from '../../evals/index.ts';
import { presentPlayed } from '../operations/present-mutation.ts';
import type { BaseOutcome, MutationRequest, StoredMutation } from '../store/mutations.ts';
import type { OpenMutation } from './open-mutation.ts';
import { estimateOfMutation, planOfMutation } from './plan-mutation.ts';
import { type KeptVariant, mutantsOf, playBase, tryMutant, variantsOf } from './try-mutants.ts';

type Mutation = OutputOf<'getEvalSuiteMutation'>;

export interface MutationHere {
  readonly request: MutationRequest;
  readonly launch: Pick<PreparedLaunch, 'suiteId' | 'plan'>;
  readonly estimate: StoredMutation['estimate'];
}

export function planMutationHere(
  { seed = 1, maxMutants = defaultMutants, operators, allowWrites, ...body }: Body,
  planOn: (model: string) => PreparedLaunch,
): MutationHere {
  const { model = lexicalModelId } = body;
  const tried = operatorsToTry(model, operators);
  if ('refusal' in tried) return refuse(tried.refusal);
  const { plan: played, suiteId, unpriced } = planOn(model);
  const servers = 'live' as const;
  const plan = planOfMutation(played, servers, allowWrites);
  const nothingKnown = { tokensPerTrial: new Map(), judgeTokensPerTrial: new Map() };
  return {
    request: { seed, maxMutants, model, servers, operators: tried.operators },
    launch: { suiteId, plan },
    estimate: estimateOfMutation({ plan, unpriced, servers }, maxMutants, nothingKnown),
  };
}

type Body = BodyOf<'createEvalSuiteMutation'>;

export async function mutateHere(
  { request, launch, estimate }: MutationHere,
  open: OpenMutation,
  {
    id,
    signal,
    onState,
  }: {
    readonly id: string;
    readonly signal: AbortSignal;
    readonly onState: (state: Mutation) => void;
  },
): Promise<Mutation> {
  setMaxListeners(0, signal);
  const createdAt = new Date();
  const outcomes: BaseOutcome[] = [];
  const decided: DecidedMutant[] = [];
  let mutantCount: number | null = null;
  const present = (status: 'running' | 'completed') => {
    const { suiteId } = launch;
    const completedAt = status === 'completed' ? new Date() : null;
    const place = { organizationId: '', projectId: '', suiteId };
    const head = { id, ...place, status, request, estimate, mutantCount, error: null };
    const leftOut = outcomes.flatMap((one) =>
      one.leftOut === undefined ? [] : [{ ...one, leftOut: one.leftOut }],
    );
    // The list has a hole for each part that is still being played.
    return presentPlayed({ ...head, createdAt, completedAt }, decided.filter(Boolean), leftOut);
  };
  const variants = variantsOf(launch.plan);
  const kept: KeptVariant[] = [];
  onState(present('running'));
  await each(variants, signal, async (variant, number) => {
    const { outcome, evidence } = await playBase(open, variant, signal);
    outcomes[number] = outcome;
    if (evidence !== undefined) kept[number] = { ...variant, evidence };
  });
  const playable = kept.filter(Boolean);
  const mutants = mutantsOf(request, playable);
  mutantCount = mutants.length;
  await each(mutants, signal, async (mutant, number) => {
    decided[number] = await tryMutant(open, mutant, playable, signal);
    onState(present('running'));
  });
  return present('completed');
}

const partsAtOnce = 4;

/** After a failure, no further item is begun. */
async function each<Item>(
  items: readonly Item[],
  signal: AbortSignal,
  play: (item: Item, number: number) => Promise<void>,
): Promise<void> {
  const left = [...items.entries()];
  const goOn = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      signal.throwIfAborted();
      await play(next[1], next[0]).catch((error: unknown) => {
        left.length = 0;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: partsAtOnce }, goOn));
}
