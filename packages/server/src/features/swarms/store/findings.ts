import {
  type ChangedFinding,
  canonicalJson,
  cutPage,
  type FailureCategory,
  type FindingState,
  type FindingStatus,
  findingIdOf,
  type KnownFinding,
  type Page,
  type PageRequest,
  type Stage,
  type SwarmFindingEvidence,
  sessionNextAction,
} from '@proofmark/domain';
import { sha256Hex } from '../../../kernel/sha256-hex.ts';
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { readDocument } from '../../../platform/database/read-document.ts';

export interface StoredFinding {
  readonly id: string;
  readonly fingerprint: string;
  readonly dimension: string;
  readonly subject: { readonly kind: string; readonly id: string; readonly label: string };
  readonly state: FindingState;
  readonly dismissedAt: number | null;
  readonly title: string;
  readonly journeyId: string | null;
  readonly journeyIds: readonly string[];
  readonly firstFailedStage: Stage | null;
  readonly failureCategory: FailureCategory | null;
  readonly nextAction: string;
  readonly advice?: string;
  readonly evidence: SwarmFindingEvidence;
  readonly updatedAt: number;
}

export interface FindingFilter {
  readonly status?: FindingStatus | undefined;
  readonly dismissed?: boolean | undefined;
}

export async function listFindings(
  sql: Sql,
  projectId: string,
  { status, dismissed }: FindingFilter,
  { after, limit }: PageRequest,
): Promise<Page<StoredFinding>> {
  const rows = await sql<FindingRow[]>`
    select ${columns(sql)} from findings where project_id = ${projectId}
      ${status === undefined ? sql`` : sql`and status = ${status}`}
      ${dismissed === undefined ? sql`` : sql`and (dismissed_at is not null) = ${dismissed}`}
      ${after ? sql`and (updated_at, id) < (${new Date(after.order)}, ${after.id})` : sql``}
    order by updated_at desc, id desc limit ${limit + 1}`;
  return cutPage(rows.map(findingOfRow), limit, ({ id, updatedAt }) => ({ order: updatedAt, id }));
}

/**
 * Lists the findings that mining a wave may change: those the wave counted, and open ones that its
 * detectors measured but did not count. The caller must hold the findings lock of the project.
 */
export async function listKnownFindings(
  sql: Sql,
  projectId: string,
  { fired, measured }: { readonly fired: readonly string[]; readonly measured: readonly string[] },
): Promise<StoredFinding[]> {
  const rows = await sql<FindingRow[]>`
    select ${columns(sql)} from findings
    where project_id = ${projectId} and (fingerprint = any (${fired as string[]})
      or (status <> 'resolved'
        and (fingerprint = any (${measured as string[]}) or dimension = 'hallucinated_tool')))
    order by fingerprint`;
  return rows.map(findingOfRow);
}

export async function readFindingStatuses(
  sql: Sql,
  projectId: string,
  fingerprints: readonly string[],
): Promise<Map<string, FindingStatus>> {
  const rows = await sql<{ fingerprint: string; status: FindingStatus }[]>`
    select fingerprint, status from findings
    where project_id = ${projectId} and fingerprint = any (${fingerprints as string[]})`;
  return new Map(rows.map(({ fingerprint, status }) => [fingerprint, status]));
}

/** Writes only changed findings, so that mining the same wave again changes nothing. */
export async function writeFindings(
  sql: Sql,
  { organizationId, projectId }: { readonly organizationId: string; readonly projectId: string },
  known: readonly StoredFinding[],
  changes: readonly ChangedFinding[],
): Promise<void> {
  const before = new Map(known.map((one) => [one.fingerprint, one]));
  for (const { fingerprint, state, finding } of changes) {
    const was = before.get(fingerprint);
    const fields = finding === undefined ? was : fieldsFromFinding(finding, was);
    if (fields === undefined) continue;
    const now = { state, ...fields };
    if (
      was !== undefined &&
      canonicalJson(now) === canonicalJson({ state: was.state, ...fieldsOfStored(was) })
    )
      continue;
    const { subject } = fields;
    await sql`
      insert into findings ${sql({
        project_id: projectId,
        fingerprint,
        organization_id: organizationId,
        id: findingIdOf(projectId, fingerprint, (parts) => sha256Hex(canonicalJson(parts))),
        dimension: fields.dimension,
        subject_kind: subject.kind,
        subject_id: subject.id,
        subject_label: subject.label,
        status: state.status,
        occurrence_count: state.occurrenceCount,
        first_seen_at: new Date(state.firstSeenAt),
        last_seen_at: new Date(state.lastSeenAt),
        last_seen_wave_id: state.lastSeenIn,
        resolved_at: state.resolvedAt === null ? null : new Date(state.resolvedAt),
        title: fields.title,
        journey_id: fields.journeyId,
        journey_ids: JSON.stringify(fields.journeyIds),
        first_failed_stage: fields.firstFailedStage,
        failure_category: fields.failureCategory,
        // Stores only the more specific sentence, because the general one can be derived from the
        // category.
        next_action: fields.advice ?? fields.nextAction,
        evidence: JSON.stringify(fields.evidence),
      })} on conflict (project_id, fingerprint) do update set subject_label = excluded.subject_label,
        status = excluded.status, occurrence_count = excluded.occurrence_count,
        first_seen_at = excluded.first_seen_at, last_seen_at = excluded.last_seen_at,
        last_seen_wave_id = excluded.last_seen_wave_id, resolved_at = excluded.resolved_at, title = excluded.title,
        journey_id = excluded.journey_id, journey_ids = excluded.journey_ids,
        first_failed_stage = excluded.first_failed_stage, failure_category = excluded.failure_category,
        next_action = excluded.next_action, evidence = excluded.evidence, updated_at = clock_timestamp()`;
  }
}

type FindingFields = Omit<
  StoredFinding,
  'id' | 'fingerprint' | 'state' | 'dismissedAt' | 'updatedAt'
>;

function fieldsFromFinding(
  finding: NonNullable<ChangedFinding['finding']>,
  was: StoredFinding | undefined,
): FindingFields {
  const { candidate } = finding;
  return {
    dimension: candidate.detector,
    subject: {
      kind: candidate.subjectKind,
      id: candidate.subjectId,
      label: candidate.subjectLabel,
    },
    title: finding.title,
    journeyId: finding.journeyId,
    journeyIds: [...new Set([...(was?.journeyIds ?? []), ...finding.journeyIds])].sort(),
    firstFailedStage: candidate.firstFailedStage ?? null,
    failureCategory: candidate.failureCategory ?? null,
    nextAction: finding.nextAction,
    ...(finding.advice !== undefined && { advice: finding.advice }),
    evidence: finding.evidence,
  };
}

function fieldsOfStored(was: StoredFinding): FindingFields {
  const {
    id: _,
    fingerprint: __,
    state: ___,
    dismissedAt: ____,
    updatedAt: _____,
    ...fields
  } = was;
  return fields;
}

/** Dismisses or restores a finding. Repeating it changes nothing. Returns whether it exists. */
export async function setDismissed(
  sql: Sql,
  projectId: string,
  findingId: string,
  isDismissed: boolean,
): Promise<'changed' | 'unchanged' | 'notThere'> {
  const changed = await sql`
    update findings set dismissed_at = ${isDismissed ? sql`clock_timestamp()` : null}, updated_at = clock_timestamp()
    where project_id = ${projectId} and id = ${findingId} and (dismissed_at is not null) <> ${isDismissed}`;
  if (changed.count > 0) return 'changed';
  const there =
    await sql`select from findings where project_id = ${projectId} and id = ${findingId}`;
  return there.length > 0 ? 'unchanged' : 'notThere';
}

export function knownOf({
  fingerprint,
  dimension,
  state,
  journeyIds,
}: StoredFinding): KnownFinding {
  return { fingerprint, dimension, state, journeyIds };
}

interface FindingRow {
  readonly id: string;
  readonly fingerprint: string;
  readonly dimension: string;
  readonly subjectKind: string;
  readonly subjectId: string;
  readonly subjectLabel: string;
  readonly status: FindingStatus;
  readonly occurrenceCount: number;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
  readonly lastSeenWaveId: string;
  readonly resolvedAt: Date | null;
  readonly dismissedAt: Date | null;
  readonly title: string;
  readonly journeyId: string | null;
  readonly journeyIds: string;
  readonly firstFailedStage: Stage | null;
  readonly failureCategory: FailureCategory | null;
  readonly nextAction: string;
  readonly evidence: string;
  readonly updatedAt: Date;
}

function findingOfRow(row: FindingRow): StoredFinding {
  const journeyIds = readDocument(row.journeyIds);
  const nextAction = sessionNextAction(row.failureCategory ?? undefined);
  return {
    id: row.id,
    fingerprint: row.fingerprint,
    dimension: row.dimension,
    title: row.title,
    subject: { kind: row.subjectKind, id: row.subjectId, label: row.subjectLabel },
    state: {
      status: row.status,
      occurrenceCount: row.occurrenceCount,
      firstSeenAt: row.firstSeenAt.getTime(),
      lastSeenAt: row.lastSeenAt.getTime(),
      lastSeenIn: row.lastSeenWaveId,
      resolvedAt: row.resolvedAt?.getTime() ?? null,
    },
    dismissedAt: row.dismissedAt?.getTime() ?? null,
    journeyId: row.journeyId,
    journeyIds: Array.isArray(journeyIds) ? (journeyIds as string[]) : [],
    firstFailedStage: row.firstFailedStage,
    failureCategory: row.failureCategory,
    nextAction,
    ...(row.nextAction !== nextAction && { advice: row.nextAction }),
    evidence: readDocument(row.evidence) as SwarmFindingEvidence,
    updatedAt: row.updatedAt.getTime(),
  };
}

function columns(sql: Sql): Fragment {
  return sql`id, fingerprint, dimension, subject_kind, subject_id, subject_label, status, occurrence_count, first_seen_at,
    last_seen_at, last_seen_wave_id, resolved_at, dismissed_at, title, journey_id, journey_ids, first_failed_stage,
    failure_category, next_action, evidence, updated_at`;
}
