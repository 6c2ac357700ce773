import type { JourneySnapshot, SavedProvider } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { readRecord } from '../../../platform/database/read-document.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import { pinnedProvidersField } from '../../evals/index.ts';
import { type PinnedServer, pinnedServersField, readPinned } from '../../servers/index.ts';

interface RunIds {
  readonly id: string;
  readonly organizationId: string;
}

export async function insertJourneySnapshot(
  sql: Sql,
  vault: Vault,
  run: RunIds,
  snapshot: JourneySnapshot,
  pinned: {
    readonly servers: readonly PinnedServer[];
    readonly providers: readonly SavedProvider[];
  },
): Promise<void> {
  await sql`
    insert into journey_run_snapshots (run_id, organization_id, snapshot, sealed_servers, sealed_providers)
    values (${run.id}, ${run.organizationId}, ${JSON.stringify(snapshot)},
      ${vault.seal(JSON.stringify(pinned.servers), pinnedServersField(run))},
      ${vault.seal(JSON.stringify(pinned.providers), pinnedProvidersField(run))})`;
}

/** Returns undefined if the run has no readable snapshot. */
export async function findJourneySnapshot(
  sql: Sql,
  runId: string,
): Promise<JourneySnapshot | undefined> {
  const [row] = await sql<{ snapshot: string }[]>`
    select snapshot from journey_run_snapshots where run_id = ${runId}`;
  const snapshot = row && readRecord(row.snapshot);
  const isKnown = snapshot?.['snapshotVersion'] === 1 && Array.isArray(snapshot['targets']);
  return isKnown ? (snapshot as unknown as JourneySnapshot) : undefined;
}

/**
 * Decrypts the copies of servers and providers that were stored at the launch. They are empty after
 * the run has ended.
 */
export async function openJourneyPins(
  sql: Sql,
  vault: Vault,
  run: RunIds,
): Promise<{
  readonly servers: readonly PinnedServer[];
  readonly providers: readonly SavedProvider[];
}> {
  const [row] = await sql<{ sealedServers: Buffer | null; sealedProviders: Buffer | null }[]>`
    select sealed_servers, sealed_providers from journey_run_snapshots where run_id = ${run.id}`;
  const { sealedServers = null, sealedProviders = null } = row ?? {};
  return {
    servers:
      sealedServers === null ? [] : readPinned(vault.open(sealedServers, pinnedServersField(run))),
    providers:
      sealedProviders === null
        ? []
        : JSON.parse(vault.open(sealedProviders, pinnedProvidersField(run))),
  };
}

export async function dropJourneyPins(sql: Sql, runId: string): Promise<void> {
  await sql`
    update journey_run_snapshots set sealed_servers = null, sealed_providers = null where run_id = ${runId}`;
}
