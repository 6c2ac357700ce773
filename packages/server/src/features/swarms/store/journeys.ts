/** Journeys. An archived journey can still be found by its id, because its runs remain readable. */
import type {
  JourneyContent,
  JourneyCriterion,
  JudgeConfig,
  Page,
  PageRequest,
  SavedJourney,
} from '@proofmark/domain';
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { readDocument, readRecord } from '../../../platform/database/read-document.ts';
import { cutNewestFirst, lockOf, newestFirst, type SwarmRowLock } from './newest-first.ts';

export async function readJourneys(
  sql: Sql,
  projectId: string,
  filter: { readonly swarmId?: string | undefined; readonly personaId?: string | undefined },
  page: PageRequest,
): Promise<Page<SavedJourney>> {
  const { swarmId, personaId } = filter;
  const rows = await sql<JourneyRow[]>`
    select ${columns(sql)} from journeys where project_id = ${projectId}
      ${swarmId === undefined ? sql`` : sql`and swarm_id = ${swarmId}`}
      ${personaId === undefined ? sql`` : sql`and persona_id = ${personaId}`}
      ${newestFirst(sql, page)}`;
  return cutNewestFirst(rows.map(readRow), page);
}

export async function readJourney(
  sql: Sql,
  projectId: string,
  journeyId: string,
  lock: SwarmRowLock = 'read',
): Promise<SavedJourney | undefined> {
  const [row] = await sql<JourneyRow[]>`
    select ${columns(sql)} from journeys
    where project_id = ${projectId} and id = ${journeyId} and archived_at is null
    ${lockOf(sql, lock)}`;
  return row && readRow(row);
}

export async function findJourneysOfPersona(
  sql: Sql,
  personaId: string,
  most: number,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from journeys where persona_id = ${personaId} and archived_at is null
    order by created_at, id limit ${most}`;
  return rows.map(({ id }) => id);
}

export async function insertJourney(
  sql: Sql,
  place: { readonly organizationId: string; readonly projectId: string },
  journey: JourneyContent,
): Promise<SavedJourney> {
  const [row] = await sql<JourneyRow[]>`
    insert into journeys ${sql({
      id: journey.id,
      organization_id: place.organizationId,
      project_id: place.projectId,
      persona_id: journey.personaId,
      ...written(journey),
    })} returning ${columns(sql)}`;
  return readRow(row as JourneyRow);
}

/** The caller must hold the lock of the journey's row. */
export async function storeJourney(sql: Sql, journey: JourneyContent): Promise<SavedJourney> {
  const [row] = await sql<JourneyRow[]>`
    update journeys set ${sql(written(journey))}, updated_at = clock_timestamp()
    where id = ${journey.id} returning ${columns(sql)}`;
  return readRow(row as JourneyRow);
}

export async function markJourneyArchived(sql: Sql, journeyId: string): Promise<void> {
  await sql`update journeys set archived_at = clock_timestamp() where id = ${journeyId}`;
}

type JourneyRow = Omit<SavedJourney, 'rubric' | 'judgeConfig' | 'allowWrites'> & {
  readonly allowWrites: string | null;
  readonly rubric: string;
  readonly judgeConfig: string | null;
};

function readRow({ rubric, judgeConfig, allowWrites, ...row }: JourneyRow): SavedJourney {
  const criteria = readDocument(rubric);
  return {
    ...row,
    rubric: Array.isArray(criteria) ? (criteria as JourneyCriterion[]) : [],
    judgeConfig: (readRecord(judgeConfig) as JudgeConfig | undefined) ?? null,
    allowWrites: readAllowed(allowWrites),
  };
}

/** Reads the list of permitted tools. A list that cannot be parsed permits no tool. */
function readAllowed(text: string | null): string[] | null {
  if (text === null) return null;
  const names = readDocument(text);
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

function written(journey: JourneyContent) {
  return {
    swarm_id: journey.swarmId,
    name: journey.name,
    goal: journey.goal,
    environment_ids: journey.environmentIds as string[],
    host_ids: journey.hostIds as string[],
    server_attachment_id: journey.serverAttachmentId,
    sessions_per_target: journey.sessionsPerTarget,
    max_turns: journey.maxTurns,
    rubric: JSON.stringify(journey.rubric),
    judge_config: journey.judgeConfig && JSON.stringify(journey.judgeConfig),
    persona_model: journey.personaModel,
    allow_writes: journey.allowWrites && JSON.stringify(journey.allowWrites),
  };
}

function columns(sql: Sql): Fragment {
  return sql`id, project_id, name, goal, persona_id, swarm_id, environment_ids, host_ids,
    server_attachment_id, sessions_per_target, max_turns, rubric, judge_config, persona_model,
    allow_writes, created_at, updated_at`;
}
