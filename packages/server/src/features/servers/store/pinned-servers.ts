/**
 * The servers of a run in their state at the launch. They are sealed together, because headers and
 * addresses may contain secrets. OAuth grants are not stored here but read when they are used, so
 * that a revoked grant is never used again.
 */
import type { SavedServer } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import { pinnedServersField } from './sealed-fields.ts';
import { findServerToCall, type Headers } from './servers.ts';

export interface PinnedServer {
  readonly server: CallableServer;
  readonly headers: Headers;
  /** The start command from the operator's file; only for stdio servers. */
  readonly stdio?: {
    readonly command: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly cwd?: string;
  };
}

export type CallableServer = Pick<
  SavedServer,
  | 'id'
  | 'organizationId'
  | 'projectId'
  | 'url'
  | 'timeoutMs'
  | 'maxMessageMiB'
  | 'clientCapabilities'
  | 'useOAuth'
  | 'updatedAt'
>;

interface RunIds {
  readonly id: string;
  readonly organizationId: string;
}

/** Returns undefined if one of the servers no longer exists. */
export async function pinServers(
  sql: Sql,
  vault: Vault,
  projectId: string,
  serverIds: readonly string[],
  stdioOf: (serverId: string) => PinnedServer['stdio'] | undefined,
): Promise<PinnedServer[] | undefined> {
  const found = await Promise.all(
    serverIds.map((id) => findServerToCall(sql, vault, projectId, id)),
  );
  const pinned: PinnedServer[] = [];
  for (const one of found) {
    if (one === undefined) return undefined;
    const { id, organizationId, url, timeoutMs, maxMessageMiB } = one.server;
    const { clientCapabilities, useOAuth, updatedAt } = one.server;
    const stdio = url === null ? stdioOf(id) : undefined;
    pinned.push({
      server: {
        id,
        organizationId,
        projectId,
        url,
        timeoutMs,
        maxMessageMiB,
        clientCapabilities,
        useOAuth,
        updatedAt,
      },
      headers: one.headers,
      ...(stdio && { stdio: startOf(stdio) }),
    });
  }
  return pinned;
}

function startOf({ command, args, env, cwd }: NonNullable<PinnedServer['stdio']>) {
  return { command, args, env, ...(cwd !== undefined && { cwd }) };
}

export function sealPinned(vault: Vault, run: RunIds, pinned: readonly PinnedServer[]): Buffer {
  return vault.seal(JSON.stringify(pinned), pinnedServersField(run));
}

/**
 * Returns the pinned servers, or undefined for a run that was launched before servers were pinned.
 */
export async function openPinned(
  sql: Sql,
  vault: Vault,
  run: RunIds,
): Promise<readonly PinnedServer[] | undefined> {
  const [row] = await sql<{ sealedServers: Buffer | null }[]>`
    select sealed_servers from eval_run_plans where run_id = ${run.id}`;
  const sealed = row?.sealedServers ?? null;
  if (sealed === null) return undefined;
  return readPinned(vault.open(sealed, pinnedServersField(run)));
}

export function readPinned(text: string): PinnedServer[] {
  const read = JSON.parse(text) as PinnedServer[];
  return read.map((one) => ({
    ...one,
    server: {
      ...one.server,
      // Runs that were launched before this setting existed do not contain it.
      maxMessageMiB: one.server.maxMessageMiB ?? null,
      updatedAt: new Date(one.server.updatedAt),
    },
  }));
}
