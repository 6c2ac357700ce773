import { notFound, type SavedPersona } from '@proofmark/domain';
import type { Sql } from '../../storage/database/database.ts';
import { readPersona } from '../../storage/swarms/personas.ts';
import { refuse } from '../action.ts';

export async function findPersona(
  sql: Sql,
  projectId: string,
  personaId: string,
  lock?: Parameters<typeof readPersona>[3],
): Promise<SavedPersona> {
  return (await readPersona(sql, projectId, personaId, lock)) ?? refuse(notFound);
}
