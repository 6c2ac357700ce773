import type { OutputOf } from '@proofmark/contract';
import { type DecidedMutant, mutationFindings } from '@proofmark/domain';
import { mutationNotes } from '@proofmark/report';
import type { Sql } from '../../../platform/database/database.ts';
import { listDecidedMutants, listLeftOut, type StoredMutation } from '../store/mutations.ts';

type Shown = OutputOf<'getEvalSuiteMutation'>;

export async function presentMutation(sql: Sql, mutation: StoredMutation): Promise<Shown> {
  const decided = (await listDecidedMutants(sql, [mutation.id])).get(mutation.id) ?? [];
  return presentPlayed(mutation, decided, await listLeftOut(sql, mutation.id));
}

export function presentPlayed(
  mutation: StoredMutation,
  decided: readonly DecidedMutant[],
  leftOut: Awaited<ReturnType<typeof listLeftOut>>,
): Shown {
  const { byStage, mutants } = mutationFindings(decided);
  return {
    ...presentMutationHead(mutation, decided),
    estimate: { ...mutation.estimate },
    progress: { done: decided.length, total: mutation.mutantCount },
    leftOut: leftOut.map(({ caseId, title, model, leftOut: reason }) => ({
      caseId,
      title,
      model,
      reason,
    })),
    notes: mutationNotes({ ...mutation.request, runId: mutation.request.runId ?? null }),
    byStage: [...byStage],
    mutants: mutants.map(({ killedBy, ...mutant }) => ({ ...mutant, killedBy: [...killedBy] })),
  };
}

export function presentMutationHead(
  { id, suiteId, status, request, error, createdAt, completedAt }: StoredMutation,
  decided: readonly DecidedMutant[],
): OutputOf<'listEvalSuiteMutations'>['items'][number] {
  const { seed, maxMutants, operators, model, servers, runId = null } = request;
  return {
    mutationId: id,
    suiteId,
    status,
    seed,
    maxMutants,
    model,
    servers,
    runId,
    error,
    operators: [...operators],
    score: mutationFindings(decided).score,
    createdAt: createdAt.getTime(),
    completedAt: completedAt?.getTime() ?? null,
  };
}
