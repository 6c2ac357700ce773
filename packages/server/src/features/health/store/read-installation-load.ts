import type { Database } from '../../../platform/database/database.ts';
import { listBeats, type WorkerBeat } from './worker-beats.ts';

export interface WorkLoad {
  readonly kind: string;
  readonly waiting: number;
  readonly leased: number;
  /**
   * The amount of leased work whose worker fell silent and that no other worker has taken over yet.
   */
  readonly silent: number;
  readonly longestWaitSeconds: number;
}

export interface InstallationLoad {
  readonly databaseVersion: string;
  /** The size of the database; null if the service's database role may not read it. */
  readonly databaseBytes: number | null;
  readonly launchedRuns: number;
  readonly reportedRuns: number;
  readonly work: readonly WorkLoad[];
  readonly workers: readonly WorkerBeat[];
}

export async function readInstallationLoad({
  sql,
}: Pick<Database, 'sql'>): Promise<InstallationLoad> {
  const [[server], [runs], work, workers] = await Promise.all([
    sql<{ version: string; bytes: string | null }[]>`
      select current_setting('server_version') as version,
        case when has_database_privilege(current_database(), 'connect')
          then pg_database_size(current_database())::text end as bytes`,
    sql<{ launched: number; reported: number }[]>`select launched, reported from open_runs()`,
    sql<WorkLoad[]>`select kind, waiting, leased, silent, longest_wait_seconds from work_load()`,
    listBeats(sql),
  ]);
  const bytes = server?.bytes ?? null;
  return {
    databaseVersion: server?.version ?? '',
    databaseBytes: bytes === null ? null : Number(bytes),
    launchedRuns: runs?.launched ?? 0,
    reportedRuns: runs?.reported ?? 0,
    work,
    workers,
  };
}
