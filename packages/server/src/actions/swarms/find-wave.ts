/** The wave of the path, which is there as soon as a run is in it. */
import { notFound } from '@proofmark/domain';
import type { Sql } from '../../storage/database/database.ts';
import { listRunsOfWave, type RunOfWave } from '../../storage/swarms/waves.ts';
import { refuse } from '../action.ts';

export async function findWave(sql: Sql, projectId: string, waveId: string): Promise<RunOfWave[]> {
  const runs = await listRunsOfWave(sql, { projectId, waveId });
  return runs.length === 0 ? refuse(notFound) : runs;
}
