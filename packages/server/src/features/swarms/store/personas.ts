/**
 * An archived persona stays stored, because runs of its journeys refer to it. It keeps its slug.
 */
import type { Page, PageRequest, SavedPersona } from '@proofmark/domain';
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { cutNewestFirst, lockOf, newestFirst, type SwarmRowLock } from './newest-first.ts';

export type PersonaContent = Omit<SavedPersona, 'projectId' | 'createdAt' | 'updatedAt'>;

export async function readPersonas(
  sql: Sql,
  projectId: string,
  page: PageRequest,
): Promise<Page<SavedPersona>> {
  const rows = await sql<SavedPersona[]>`
    select ${columns(sql)} from personas where project_id = ${projectId} ${newestFirst(sql, page)}`;
  return cutNewestFirst(rows, page);
}

export async function readPersona(
  sql: Sql,
  projectId: string,
  personaId: string,
  lock: SwarmRowLock = 'read',
): Promise<SavedPersona | undefined> {
  const [row] = await sql<SavedPersona[]>`
    select ${columns(sql)} from personas
    where project_id = ${projectId} and id = ${personaId} and archived_at is null
    ${lockOf(sql, lock)}`;
  return row;
}

/**
 * Locks the project's personas while one is created, because slugs are unique and the number of
 * personas is limited.
 */
export async function holdPersonasOfProject(
  sql: Sql,
  projectId: string,
): Promise<{ readonly live: number }> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`personas ${projectId}`}, 0))`;
  const [row] = await sql<{ live: number }[]>`
    select count(*)::int as live from personas
    where project_id = ${projectId} and archived_at is null`;
  return { live: row?.live ?? 0 };
}

/**
 * Returns the existing slugs that equal `slug` or start with `slug` and a hyphen, such as `ada-2`
 * for `ada`.
 */
export async function findTakenSlugs(
  sql: Sql,
  projectId: string,
  slug: string,
): Promise<Set<string>> {
  const rows = await sql<{ slug: string }[]>`
    select slug from personas
    where project_id = ${projectId} and (slug = ${slug} or starts_with(slug, ${`${slug}-`}))`;
  return new Set(rows.map((row) => row.slug));
}

export async function insertPersona(
  sql: Sql,
  place: { readonly organizationId: string; readonly projectId: string },
  persona: PersonaContent,
): Promise<SavedPersona> {
  const [row] = await sql<SavedPersona[]>`
    insert into personas ${sql({
      id: persona.id,
      organization_id: place.organizationId,
      project_id: place.projectId,
      slug: persona.slug,
      source: persona.source,
      seed_keywords: persona.seedKeywords as string[] | null,
      ...written(persona),
    })} returning ${columns(sql)}`;
  return row as SavedPersona;
}

/** The caller must hold the lock of the persona's row. */
export async function storePersona(sql: Sql, persona: PersonaContent): Promise<SavedPersona> {
  const [row] = await sql<SavedPersona[]>`
    update personas set ${sql(written(persona))}, updated_at = clock_timestamp()
    where id = ${persona.id} returning ${columns(sql)}`;
  return row as SavedPersona;
}

export async function markPersonaArchived(sql: Sql, personaId: string): Promise<void> {
  await sql`update personas set archived_at = clock_timestamp() where id = ${personaId}`;
}

function written(persona: PersonaContent) {
  return {
    name: persona.name,
    role: persona.role,
    notes: persona.notes,
    avatar_shape: persona.avatarShape,
    avatar_palette: persona.avatarPalette,
  };
}

function columns(sql: Sql): Fragment {
  return sql`id, project_id, slug, name, role, notes, source, seed_keywords, avatar_shape, avatar_palette,
    created_at, updated_at`;
}
