import {
  type ChangedScenarioFinding,
  canonicalJson,
  type FailureCategory,
  type FindingState,
  type FindingStatus,
  findingIdOf,
  type KnownScenarioFinding,
  nextAction,
  type ScenarioFindingEvidence,
  type Stage,
} from '@proofmark/domain';
import { sha256Hex } from '../../../kernel/sha256-hex.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { readDocument } from '../../../platform/database/read-document.ts';
import type { PlaceOfScenario } from './windows.ts';

export interface StoredScenarioFinding {
  readonly id: string;
  readonly fingerprint: string;
  readonly detector: string;
  readonly subjectKind: string;
  readonly subjectId: string;
  readonly subjectLabel: string;
  readonly state: FindingState;
  readonly dismissedAt: number | null;
  readonly title: string;
  readonly firstFailedStage: Stage | null;
  readonly failureCategory: FailureCategory | null;
  readonly nextAction: string;
  readonly advice?: string;
  readonly evidence: ScenarioFindingEvidence;
  readonly countedSessionIds: readonly string[];
  readonly updatedAt: number;
}

export async function listScenarioFindings(
  sql: Sql,
  scenarioId: string,
): Promise<StoredScenarioFinding[]> {
  const rows = await sql<FindingRow[]>`
    select id, fingerprint, detector, subject_kind, subject_id, subject_label, status, occurrence_count, first_seen_at,
      last_seen_at, last_seen_window_id, resolved_at, dismissed_at, title, first_failed_stage, failure_category,
      next_action, evidence, counted_session_ids, updated_at
    from scenario_findings where scenario_id = ${scenarioId} order by updated_at desc, id desc`;
  return rows.map(findingOf);
}

export function knownScenarioFinding(finding: StoredScenarioFinding): KnownScenarioFinding {
  const { fingerprint, detector, state, countedSessionIds } = finding;
  return { fingerprint, detector, state, countedSessionIds: new Set(countedSessionIds) };
}

/** Writes the changed findings. The caller must hold the lock of the scenario's windows. */
export async function writeScenarioFindings(
  sql: Sql,
  { organizationId, projectId, scenarioId }: PlaceOfScenario,
  changes: readonly ChangedScenarioFinding[],
  /** The ids of all sessions in the mined window. */
  sessionIds: readonly string[],
): Promise<void> {
  for (const { fingerprint, state, finding } of changes) {
    if (finding === undefined) {
      await sql`
        update scenario_findings set status = ${state.status}, updated_at = clock_timestamp(),
          resolved_at = ${state.resolvedAt === null ? null : new Date(state.resolvedAt)}
        where scenario_id = ${scenarioId} and fingerprint = ${fingerprint}`;
      continue;
    }
    const { candidate } = finding;
    await sql`
      insert into scenario_findings ${sql({
        scenario_id: scenarioId,
        fingerprint,
        organization_id: organizationId,
        project_id: projectId,
        id: findingIdOf(scenarioId, fingerprint, (parts) => sha256Hex(canonicalJson(parts))),
        detector: candidate.detector,
        subject_kind: candidate.subjectKind,
        subject_id: candidate.subjectId,
        subject_label: candidate.subjectLabel,
        status: state.status,
        occurrence_count: state.occurrenceCount,
        first_seen_at: new Date(state.firstSeenAt),
        last_seen_at: new Date(state.lastSeenAt),
        last_seen_window_id: state.lastSeenIn,
        resolved_at: state.resolvedAt === null ? null : new Date(state.resolvedAt),
        title: finding.title,
        first_failed_stage: candidate.firstFailedStage ?? null,
        failure_category: candidate.failureCategory ?? null,
        // `advice` is the more specific sentence. The general `nextAction` need not be stored,
        // because the category determines it.
        next_action: finding.advice ?? finding.nextAction,
        evidence: JSON.stringify(finding.evidence),
        counted_session_ids: JSON.stringify(sessionIds),
      })} on conflict (scenario_id, fingerprint) do update set subject_label = excluded.subject_label,
        status = excluded.status, occurrence_count = excluded.occurrence_count,
        first_seen_at = excluded.first_seen_at, last_seen_at = excluded.last_seen_at,
        last_seen_window_id = excluded.last_seen_window_id, resolved_at = excluded.resolved_at,
        title = excluded.title, first_failed_stage = excluded.first_failed_stage,
        failure_category = excluded.failure_category, next_action = excluded.next_action,
        evidence = excluded.evidence, counted_session_ids = excluded.counted_session_ids,
        updated_at = clock_timestamp()`;
  }
}

/** Dismisses or restores a finding. Dismissing a dismissed finding changes nothing. */
export async function setScenarioFindingDismissed(
  sql: Sql,
  scenarioId: string,
  findingId: string,
  isDismissed: boolean,
): Promise<'changed' | 'unchanged' | 'notThere'> {
  const changed = await sql`
    update scenario_findings
    set dismissed_at = ${isDismissed ? sql`clock_timestamp()` : null}, updated_at = clock_timestamp()
    where scenario_id = ${scenarioId} and id = ${findingId} and (dismissed_at is not null) <> ${isDismissed}`;
  if (changed.count > 0) return 'changed';
  const there = await sql`
    select from scenario_findings where scenario_id = ${scenarioId} and id = ${findingId}`;
  return there.length > 0 ? 'unchanged' : 'notThere';
}

interface FindingRow
  extends Omit<
    StoredScenarioFinding,
    'state' | 'dismissedAt' | 'evidence' | 'countedSessionIds' | 'updatedAt'
  > {
  readonly status: FindingStatus;
  readonly occurrenceCount: number;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
  readonly lastSeenWindowId: string;
  readonly resolvedAt: Date | null;
  readonly dismissedAt: Date | null;
  readonly evidence: string;
  readonly countedSessionIds: string;
  readonly updatedAt: Date;
}

function findingOf(row: FindingRow): StoredScenarioFinding {
  const { status, occurrenceCount, firstSeenAt, lastSeenAt, lastSeenWindowId, ...rest } = row;
  const { resolvedAt, dismissedAt, evidence, countedSessionIds, updatedAt, ...fields } = rest;
  const held = readDocument(countedSessionIds);
  const next = nextAction(fields.failureCategory ?? undefined);
  return {
    ...fields,
    nextAction: next,
    ...(fields.nextAction !== next && { advice: fields.nextAction }),
    state: {
      status,
      occurrenceCount,
      lastSeenIn: lastSeenWindowId,
      firstSeenAt: firstSeenAt.getTime(),
      lastSeenAt: lastSeenAt.getTime(),
      resolvedAt: resolvedAt?.getTime() ?? null,
    },
    dismissedAt: dismissedAt?.getTime() ?? null,
    evidence: readDocument(evidence) as ScenarioFindingEvidence,
    countedSessionIds: Array.isArray(held) ? (held as string[]) : [],
    updatedAt: updatedAt.getTime(),
  };
}
