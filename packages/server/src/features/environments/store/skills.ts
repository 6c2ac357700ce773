/**
 * Skills are named instruction texts. Every saved text is a version that never changes. The version
 * with the highest number is the latest.
 */
import { cutPage, type Page, type PageRequest, type ResolvableSkill } from '@proofmark/domain';
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { nameColumns } from '../../../platform/database/name-columns.ts';

export interface SkillVersion {
  readonly id: string;
  readonly number: number;
  readonly contentHash: string;
  readonly createdAt: Date;
}

export interface StoredSkill {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly description: string | null;
  readonly latest: SkillVersion;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface StoredSkillDetail extends StoredSkill {
  readonly content: string;
  readonly versions: readonly SkillVersion[];
}

export async function readSkill(
  sql: Sql,
  projectId: string,
  skillId: string,
): Promise<StoredSkillDetail | undefined> {
  const [row] = await sql<(SkillRow & { content: string })[]>`
    ${selected(sql, sql`, latest.content`)}
    where skills.project_id = ${projectId} and skills.id = ${skillId}`;
  if (row === undefined) return undefined;
  const versions = await sql<SkillVersion[]>`
    select id, number, content_hash, created_at from skill_versions
    where skill_id = ${skillId} order by number`;
  return { ...readRow(row), content: row.content, versions };
}

/** Returns whether the skill exists. Deleting a skill and adding a version both need this lock. */
export async function lockStoredSkill(
  sql: Sql,
  projectId: string,
  skillId: string,
): Promise<boolean> {
  const rows = await sql`
    select from skills where project_id = ${projectId} and id = ${skillId} for update`;
  return rows.length > 0;
}

export async function readSkills(
  sql: Sql,
  projectId: string,
  page: PageRequest,
): Promise<Page<StoredSkill>> {
  const rows = await sql<SkillRow[]>`
    ${selected(sql)} where skills.project_id = ${projectId}
      ${page.after ? sql`and (skills.created_at, skills.id) > (${new Date(page.after.order)}, ${page.after.id})` : sql``}
    order by skills.created_at, skills.id limit ${page.limit + 1}`;
  return cutPage(rows.map(readRow), page.limit, (row) => ({
    order: row.createdAt.getTime(),
    id: row.id,
  }));
}

/**
 * Lists all skills of the project (default) or those with the given ids, each with its latest
 * version.
 */
export async function listResolvableSkills(
  sql: Sql,
  projectId: string,
  skillIds?: readonly string[],
): Promise<ResolvableSkill[]> {
  return sql<ResolvableSkill[]>`
    select skills.id, skills.name, latest.id as latest_version_id, latest.content_hash
    ${withLatest(sql)} where skills.project_id = ${projectId}
      ${skillIds === undefined ? sql`` : sql`and skills.id = any (${skillIds as string[]})`}`;
}

/**
 * Returns which of the ids exist in the project. Their skills cannot be deleted before the
 * transaction ends.
 */
export async function holdSkills(
  sql: Sql,
  projectId: string,
  skillIds: readonly string[],
): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select id from skills where project_id = ${projectId} and id = any (${skillIds as string[]})
    order by id for key share`;
  return new Set(rows.map(({ id }) => id));
}

export async function insertSkill(
  sql: Sql,
  organizationId: string,
  skill: Pick<StoredSkill, 'id' | 'projectId' | 'name' | 'description'>,
): Promise<'nameTaken' | 'inserted'> {
  const inserted = await sql`
    insert into skills ${sql({
      id: skill.id,
      organization_id: organizationId,
      project_id: skill.projectId,
      ...nameColumns(skill.name),
      description: skill.description,
    })} on conflict do nothing`;
  return inserted.count === 0 ? 'nameTaken' : 'inserted';
}

/** The caller must hold the skill's lock, or have just created the skill. */
export async function insertSkillVersion(
  sql: Sql,
  organizationId: string,
  skillId: string,
  version: Omit<SkillVersion, 'createdAt'> & { readonly content: string },
): Promise<void> {
  await sql`
    insert into skill_versions ${sql({
      id: version.id,
      organization_id: organizationId,
      skill_id: skillId,
      number: version.number,
      content: version.content,
      content_hash: version.contentHash,
    })}`;
  if (version.number > 1)
    await sql`update skills set updated_at = clock_timestamp() where id = ${skillId}`;
}

export async function removeSkill(sql: Sql, skillId: string): Promise<void> {
  await sql`delete from skills where id = ${skillId}`;
}

type SkillRow = Omit<StoredSkill, 'latest'> & {
  readonly versionId: string;
  readonly versionNumber: number;
  readonly versionContentHash: string;
  readonly versionCreatedAt: Date;
};

function readRow(row: SkillRow): StoredSkill {
  return {
    id: row.id,
    projectId: row.projectId,
    name: row.name,
    description: row.description,
    latest: {
      id: row.versionId,
      number: row.versionNumber,
      contentHash: row.versionContentHash,
      createdAt: row.versionCreatedAt,
    },
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

function selected(sql: Sql, more: Fragment = sql``): Fragment {
  return sql`
    select skills.id, skills.project_id, skills.name, skills.description, skills.created_at,
      skills.updated_at, latest.id as version_id, latest.number as version_number,
      latest.content_hash as version_content_hash, latest.created_at as version_created_at ${more}
    ${withLatest(sql)}`;
}

function withLatest(sql: Sql): Fragment {
  return sql`
    from skills
    join lateral (
      select * from skill_versions where skill_id = skills.id order by number desc limit 1
    ) latest on true`;
}

export async function findSkillTexts(
  sql: Sql,
  projectId: string,
  versionIds: readonly string[],
): Promise<Map<string, string>> {
  if (versionIds.length === 0) return new Map();
  const rows = await sql<{ id: string; content: string }[]>`
    select skill_versions.id, skill_versions.content from skill_versions
      join skills on skills.id = skill_versions.skill_id
    where skills.project_id = ${projectId} and skill_versions.id = any (${versionIds as string[]})`;
  return new Map(rows.map(({ id, content }) => [id, content]));
}
