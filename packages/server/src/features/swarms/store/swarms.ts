import type { Page, PageRequest, SavedSwarm } from '@proofmark/domain';
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { cutNewestFirst, lockOf, newestFirst, type SwarmRowLock } from './newest-first.ts';

export type SwarmContent = Omit<SavedSwarm, 'projectId' | 'createdAt' | 'updatedAt'>;

export async function readSwarms(
  sql: Sql,
  projectId: string,
  page: PageRequest,
): Promise<Page<SavedSwarm>> {
  const rows = await sql<SavedSwarm[]>`
    select ${columns(sql)} from swarms where project_id = ${projectId} ${newestFirst(sql, page)}`;
  return cutNewestFirst(rows, page);
}

export async function readSwarm(
  sql: Sql,
  projectId: string,
  swarmId: string,
  lock: SwarmRowLock = 'read',
): Promise<SavedSwarm | undefined> {
  const [row] = await sql<SavedSwarm[]>`
    select ${columns(sql)} from swarms
    where project_id = ${projectId} and id = ${swarmId} and archived_at is null
    ${lockOf(sql, lock)}`;
  return row;
}

export async function insertSwarm(
  sql: Sql,
  place: { readonly organizationId: string; readonly projectId: string },
  swarm: SwarmContent,
): Promise<SavedSwarm> {
  const [row] = await sql<SavedSwarm[]>`
    insert into swarms ${sql({
      id: swarm.id,
      organization_id: place.organizationId,
      project_id: place.projectId,
      ...written(swarm),
    })} returning ${columns(sql)}`;
  return row as SavedSwarm;
}

/** The caller must hold the lock of the swarm's row. */
export async function storeSwarm(sql: Sql, swarm: SwarmContent): Promise<SavedSwarm> {
  const [row] = await sql<SavedSwarm[]>`
    update swarms set ${sql(written(swarm))}, updated_at = clock_timestamp()
    where id = ${swarm.id} returning ${columns(sql)}`;
  return row as SavedSwarm;
}

export async function markSwarmArchived(sql: Sql, swarmId: string): Promise<void> {
  await sql`update swarms set archived_at = clock_timestamp() where id = ${swarmId}`;
}

function written(swarm: SwarmContent) {
  return {
    name: swarm.name,
    description: swarm.description,
    environment_ids: swarm.environmentIds as string[],
    sessions_per_target: swarm.sessionsPerTarget,
    max_turns: swarm.maxTurns,
  };
}

function columns(sql: Sql): Fragment {
  return sql`id, project_id, name, description, environment_ids, sessions_per_target, max_turns,
    created_at, updated_at`;
}
