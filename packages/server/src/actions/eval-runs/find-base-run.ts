/** The run that another is compared with: the one that is named, else the last completed one of its suite before it. */
import type { Sql } from '../../storage/database/database.ts';
import { findPreviousCompletedRun } from '../../storage/eval-runs/compared-runs.ts';
import { readRun, type StoredRun } from '../../storage/eval-runs/eval-runs.ts';
import { refuse } from '../action.ts';
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
