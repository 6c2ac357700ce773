/** A wave (a group of journey runs) exists once it contains a run. */
import { notFound } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { refuse } from '../../../platform/operations/action.ts';
import { listRunsOfWave, type RunOfWave } from '../store/waves.ts';

export async function findWave(sql: Sql, projectId: string, waveId: string): Promise<RunOfWave[]> {
  const runs = await listRunsOfWave(sql, { projectId, waveId });
  return runs.length === 0 ? refuse(notFound) : runs;
}
