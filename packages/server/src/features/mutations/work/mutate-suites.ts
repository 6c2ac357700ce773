/**
 * Plays a mutation: first the unchanged suite (the base), then the mutants, which depend only on
 * the base and the seed. Every part is written when it is done, if the lease is still valid. So the
 * next worker continues after the last part.
 */
import { setMaxListeners } from 'node:events';
import { Refused } from '@proofmark/domain';
import { isLastAttempt } from '../../../platform/work/attempt-limit.ts';
import { LeaseLost } from '../../../platform/work/lease-keeper.ts';
import {
  isPassing,
  retryWhileDatabaseIsAway,
} from '../../../platform/work/retry-while-database-is-away.ts';
import { type ClaimedWork, completeWork } from '../../../platform/work/store/leased-work.ts';
import type { WorkAttempt, WorkKind } from '../../../platform/work/work-kind.ts';
import type { RunDependencies } from '../../evals/index.ts';
import {
  endMutation,
  listParts,
  lockMutation,
  type MutationToDo,
  markMutating,
  openMutation,
  type PartKind,
  type StoredPart,
  writePart,
} from '../store/mutations.ts';
import { openToMutate } from './open-mutation.ts';
import {
  type BaseEvidence,
  type KeptVariant,
  mutantsOf,
  playBase,
  tryMutant,
  variantsOf,
} from './try-mutants.ts';

const partsAtOnce = 4;

export function mutationsKind(dependencies: RunDependencies, atOnce: number): WorkKind {
  return { atOnce, run: (work, attempt) => mutate(dependencies, work, attempt) };
}

async function mutate(
  dependencies: RunDependencies,
  work: ClaimedWork,
  attempt: WorkAttempt,
): Promise<'completed' | 'left'> {
  if (attempt.stopping.aborted) return 'left';
  const { database, log } = dependencies;
  const todo = await database.tenant([work.organizationId], (sql) =>
    openMutation(sql, database.vault, work.groupId),
  );
  let error: string | null = null;
  try {
    // If the mutation was cancelled meanwhile, there is nothing left to do.
    const isDone = todo === undefined || (await playParts(dependencies, todo, attempt));
    if (!isDone) return 'left';
  } catch (thrown) {
    const isOver = attempt.signal.aborted || thrown instanceof LeaseLost || isPassing(thrown);
    if (isOver || (!isLastAttempt(work) && !isRefused(thrown))) throw thrown;
    log.error({ err: thrown, mutationId: work.groupId }, 'Proofmark could not mutate a suite');
    error = isRefused(thrown)
      ? String((thrown as Error).message)
      : 'Proofmark could not try all mutants; request the mutation again.';
  }
  await retryWhileDatabaseIsAway(() => end(dependencies, work, error), attempt.signal);
  return 'completed';
}

/**
 * Returns whether the error is a refusal, for example for a lack of credits. A retry would not help
 * then.
 */
function isRefused(error: unknown): boolean {
  return error instanceof Refused || (error instanceof Error && error.cause instanceof Refused);
}

async function end(
  { database }: RunDependencies,
  work: ClaimedWork,
  error: string | null,
): Promise<void> {
  await database.tenant([work.organizationId], async (sql) => {
    await lockMutation(sql, work.groupId);
    // A worker that has lost its lease must not end the mutation.
    if ((await completeWork(sql, work)) !== 'last') return;
    await endMutation(sql, work.groupId, error === null ? 'completed' : 'failed', error);
  });
}

async function playParts(
  dependencies: RunDependencies,
  todo: MutationToDo,
  attempt: WorkAttempt,
): Promise<boolean> {
  const { database } = dependencies;
  const { signal, held } = attempt;
  setMaxListeners(0, signal);
  const tenant = [todo.organizationId];
  const writeHeld = async (write: (sql: Parameters<typeof writePart>[0]) => Promise<boolean>) => {
    const isTaken = await retryWhileDatabaseIsAway(() => database.tenant(tenant, write), signal);
    if (!isTaken) throw new LeaseLost('Another worker took over this mutation test.');
  };
  const read = (kind: PartKind) => database.tenant(tenant, (sql) => listParts(sql, todo.id, kind));
  const keep = (kind: PartKind, part: StoredPart) =>
    writeHeld((sql) => writePart(sql, held, { kind, ...part }));
  await writeHeld((sql) => markMutating(sql, held, todo.mutantCount));
  const open = await openToMutate(dependencies, todo);
  try {
    const variants = variantsOf(todo.plan);
    const isBaseDone = await each(
      variants,
      await read('base'),
      attempt,
      async (variant, number) => {
        const { outcome, evidence } = await playBase(open, variant, signal);
        await keep('base', { number, outcome, evidence });
      },
    );
    if (!isBaseDone) return false;
    const kept = (await read('base')).flatMap(({ number, evidence }): KeptVariant[] => {
      const variant = variants[number];
      if (variant === undefined || evidence === undefined) return [];
      return [{ ...variant, evidence: evidence as BaseEvidence }];
    });
    const mutants = mutantsOf(todo.request, kept);
    await writeHeld((sql) => markMutating(sql, held, mutants.length));
    return await each(mutants, await read('mutant'), attempt, async (mutant, number) => {
      const outcome = await tryMutant(open, mutant, kept, signal);
      await keep('mutant', { number, outcome, evidence: undefined });
    });
  } finally {
    await open.close();
  }
}

/**
 * Plays the items without a stored part, a few at a time. Returns whether all items have a part
 * afterwards.
 */
async function each<Item>(
  items: readonly Item[],
  done: readonly StoredPart[],
  { stopping, mayBegin, signal }: WorkAttempt,
  play: (item: Item, number: number) => Promise<void>,
): Promise<boolean> {
  const known = new Set(done.map(({ number }) => number));
  const left = [...items.entries()].filter(([number]) => !known.has(number));
  let isLeft = false;
  const failed: unknown[] = [];
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one loop that stops at a failure, at the end of its time and at the end of the list.
  const goOn = async () => {
    while (failed.length === 0) {
      if (left.length > 0 && (stopping.aborted || !mayBegin())) isLeft = true;
      const next = isLeft ? undefined : left.shift();
      if (next === undefined) return;
      try {
        signal.throwIfAborted();
        await play(next[1], next[0]);
      } catch (error) {
        failed.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: partsAtOnce }, goOn));
  if (failed.length > 0) throw failed[0];
  return !isLeft;
}
