import { notFound, type SavedPersona } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { refuse } from '../../../platform/operations/action.ts';
import { readPersona } from '../store/personas.ts';

export async function findPersona(
  sql: Sql,
  projectId: string,
  personaId: string,
  lock?: Parameters<typeof readPersona>[3],
): Promise<SavedPersona> {
  return (await readPersona(sql, projectId, personaId, lock)) ?? refuse(notFound);
}
