/** The caller must hold the launch lock of the organization. */
import type { IdKind } from '@proofmark/domain';
import { type AuditActor, insertAuditLine } from '../../../platform/accounts/store/audit-log.ts';
import type { Database, Sql } from '../../../platform/database/database.ts';
import { refuse } from '../../../platform/operations/action.ts';
import { type PinnedServer, pinServers } from '../../servers/index.ts';
import { insertJourneyRun, type JourneyRunToWrite } from '../store/journey-runs.ts';
import { insertJourneySnapshot } from '../store/journey-snapshots.ts';
import { addSessionsWork } from '../store/journey-work.ts';
import type { PreparedJourneyRun } from './prepare-journey-run.ts';

interface JourneyRunPlace {
  readonly database: Pick<Database, 'vault'>;
  readonly project: { readonly organizationId: string; readonly id: string };
  newId(kind: IdKind): string;
  stdioAddressOf(serverId: string): PinnedServer['stdio'] | undefined;
}

type StatedRun = Pick<
  JourneyRunToWrite,
  'source' | 'isSample' | 'idempotencyKey' | 'requestHash' | 'requestedBy'
> & {
  /** The id of the wave that the run joins (default: a new wave). */
  readonly waveId: string | undefined;
  readonly actor: AuditActor;
};

export async function writeJourneyRun(
  sql: Sql,
  place: JourneyRunPlace,
  { snapshot, providers }: PreparedJourneyRun,
  { waveId, actor, ...stated }: StatedRun,
): Promise<{ readonly id: string; readonly waveId: string }> {
  const { vault } = place.database;
  const { organizationId, id: projectId } = place.project;
  const serverIds = snapshot.targets.flatMap(({ servers }) => servers.map(({ id }) => id));
  const servers = await pinServers(
    ...([sql, vault, projectId, [...new Set(serverIds)]] as const),
    (serverId) => place.stdioAddressOf(serverId),
  );
  if (servers === undefined) return refuse(serverDeleted);
  const run = {
    id: place.newId('journeyRun'),
    organizationId,
    projectId,
    waveId: waveId ?? place.newId('wave'),
  };
  await insertJourneyRun(sql, { ...run, ...stated, snapshot });
  await insertJourneySnapshot(sql, vault, run, snapshot, { servers, providers });
  await addSessionsWork(sql, { ...run, runId: run.id }, snapshot);
  await insertAuditLine(sql, {
    ...actor,
    organizationId,
    projectId,
    action: 'journeyRun.launched',
    subjectId: run.id,
    details: { sourceId: snapshot.journey.id },
  });
  return { id: run.id, waveId: run.waveId };
}

const serverDeleted = {
  code: 'CONFLICT',
  message: 'A server was deleted while the run was launched; launch it again.',
  details: { reason: 'SERVER_NOT_FOUND' },
} as const;
