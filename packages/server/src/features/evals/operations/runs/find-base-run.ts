/**
 * Finds the base run of a comparison: the requested run, or else the suite's last completed run
 * before this one.
 */
import type { Sql } from '../../../../platform/database/database.ts';
import { refuse } from '../../../../platform/operations/action.ts';
import { findPreviousCompletedRun } from '../../store/compared-runs.ts';
import { readRun, type StoredRun } from '../../store/eval-runs.ts';
import { noBaseRun } from './no-base-run.ts';

export async function findBaseRun(
  sql: Sql,
  projectId: string,
  run: StoredRun,
  baseRunId: string | undefined,
): Promise<StoredRun> {
  const id = baseRunId ?? (await findPreviousCompletedRun(sql, run));
  const base = id === undefined ? undefined : await readRun(sql, projectId, id);
  if (base !== undefined && base.suiteId === run.suiteId) return base;
  return refuse(noBaseRun(baseRunId));
}
