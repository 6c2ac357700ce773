import type { OutputOf } from '@proofmark/contract';
import { type DecidedMutant, mutationFindings } from '@proofmark/domain';
import type { Sql } from '../../storage/database/database.ts';
import {
  listDecidedMutants,
  listLeftOut,
  type StoredMutation,
} from '../../storage/eval-suites/mutations.ts';

type Shown = OutputOf<'getEvalSuiteMutation'>;

export async function presentMutation(sql: Sql, mutation: StoredMutation): Promise<Shown> {
  const decided = (await listDecidedMutants(sql, [mutation.id])).get(mutation.id) ?? [];
  const leftOut = await listLeftOut(sql, mutation.id);
  const { byStage, mutants } = mutationFindings(decided);
  return {
    ...presentMutationHead(mutation, decided),
    estimate: { ...mutation.estimate },
    progress: { done: decided.length, total: mutation.mutantCount },
    leftOut: leftOut.map(({ caseId, title, model, leftOut: reason }) => ({
      ...{ caseId, title, model, reason },
    })),
    byStage: [...byStage],
    mutants: mutants.map(({ killedBy, ...mutant }) => ({ ...mutant, killedBy: [...killedBy] })),
  };
}

export function presentMutationHead(
  { id, suiteId, status, request, error, createdAt, completedAt }: StoredMutation,
  decided: readonly DecidedMutant[],
): OutputOf<'listEvalSuiteMutations'>['items'][number] {
  const { seed, maxMutants, operators, model, servers } = request;
  return {
    ...{ mutationId: id, suiteId, status, seed, maxMutants, model, servers, error },
    operators: [...operators],
    score: mutationFindings(decided).score,
    createdAt: createdAt.getTime(),
    completedAt: completedAt?.getTime() ?? null,
  };
}
