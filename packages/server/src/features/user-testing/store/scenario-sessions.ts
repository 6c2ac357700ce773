/**
 * Reads the sessions of a scenario for metrics and usage: sessions of its visitors, and sessions
 * that simulated users played on its environment.
 */
import {
  type CriterionOfSession,
  mostCountedSessions,
  outcomeOfEvidence,
  type Population,
  populations,
  type SavedScenario,
  type SessionOfScenario,
  segmentOf,
  type TokenUsage,
  tokensUsed,
  toolsOfSession,
} from '@proofmark/domain';
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { readDocument } from '../../../platform/database/read-document.ts';
import { findJourneySnapshot, readCriteria, readEvidence } from '../../swarms/index.ts';
import { isRealVisit, isSettledVisit } from './read-visits.ts';
import { readDigest, type SessionDigest } from './settled-visits.ts';

type Scenario = Pick<
  SavedScenario,
  'id' | 'projectId' | 'environmentId' | 'createdAt' | 'unpublishedAt'
>;

export interface SessionsOfScenario {
  /** The newest sessions of visitors and of simulated users, latest activity first. */
  readonly sessions: readonly SessionOfScenario[];
  /** The number of all matching sessions, including those beyond the list's limit. */
  readonly matched: number;
}

export async function countScenarioSessions(
  sql: Sql,
  scenario: Scenario,
): Promise<Readonly<Record<Population, number>>> {
  const [row] = await sql<{ real: number; synthetic: number }[]>`
    select
      (select count(*)::integer from visitor_sessions where scenario_id = ${scenario.id} and ${isRealVisit(sql)}) as real,
      (select count(*)::integer from swarm_sessions where ${isPlayedOn(sql, scenario)}) as synthetic`;
  return row ?? { real: 0, synthetic: 0 };
}

export async function readScenarioSessions(
  sql: Sql,
  scenario: Scenario,
  of: readonly Population[] = populations,
  /** The criteria of simulated users are large, so they are read only on request. */
  withCriteria = false,
): Promise<SessionsOfScenario> {
  const counts = await countScenarioSessions(sql, scenario);
  const sessions = [
    ...(of.includes('real') ? await readReal(sql, scenario.id) : []),
    ...(of.includes('synthetic') ? await readSynthetic(sql, scenario, withCriteria) : []),
  ].sort((one, other) => other.lastActivityAt - one.lastActivityAt);
  return {
    sessions,
    matched: of.reduce((sum, population) => sum + counts[population], 0),
  };
}

async function readReal(sql: Sql, scenarioId: string): Promise<SessionOfScenario[]> {
  const rows = await sql<RealRow[]>`
    select visitor_hash, started_at, last_activity_at, model_id, device_kind, language, auth_type, recency, usage,
      digest, ${isSettledVisit(sql)} as is_settled,
      given.rating, given.scale as rating_scale
    from visitor_sessions
      left join lateral (
        select rating, scale from visitor_feedback where session_id = visitor_sessions.id
        order by rating, updated_at desc limit 1) given on true
    where scenario_id = ${scenarioId} and ${isRealVisit(sql)}
    order by last_activity_at desc, id collate "C" desc limit ${mostCountedSessions}`;
  return rows.map((row) => ({
    population: 'real',
    visitor: `visitor ${row.visitorHash}`,
    segment: segmentOf(row),
    startedAt: row.startedAt.getTime(),
    lastActivityAt: row.lastActivityAt.getTime(),
    modelId: row.modelId,
    deviceKind: row.deviceKind,
    language: row.language,
    rating: row.rating,
    ratingScale: row.ratingScale,
    tokensUsed: tokensOf(row.usage),
    criteria: [],
    over: row.isSettled ? (readDigest(row.digest) ?? null) : null,
  }));
}

interface RealRow {
  readonly visitorHash: string;
  readonly startedAt: Date;
  readonly lastActivityAt: Date;
  readonly modelId: string | null;
  readonly deviceKind: string | null;
  readonly language: string | null;
  readonly authType: 'signedIn' | 'guest';
  readonly recency: 'new' | 'returning';
  readonly usage: string | null;
  readonly digest: string | null;
  readonly isSettled: boolean;
  readonly rating: number | null;
  readonly ratingScale: SessionOfScenario['ratingScale'];
}

async function readSynthetic(
  sql: Sql,
  scenario: Scenario,
  withCriteria: boolean,
): Promise<SessionOfScenario[]> {
  const rows = await sql<SyntheticRow[]>`
    select run_id, persona_id, started_at, last_activity_at, model_id, usage, outcome, digest, criteria, grading_status,
      case when digest is null then evidence end as evidence
    from swarm_sessions where ${isPlayedOn(sql, scenario)}
    order by last_activity_at desc, id collate "C" desc limit ${mostCountedSessions}`;
  const criteriaOf = withCriteria ? await readRubrics(sql, rows) : () => [];
  return rows.map((row) => ({
    population: 'synthetic',
    visitor: `persona ${row.personaId}`,
    segment: null,
    startedAt: row.startedAt.getTime(),
    lastActivityAt: row.lastActivityAt.getTime(),
    modelId: row.modelId,
    deviceKind: null,
    language: null,
    rating: null,
    ratingScale: null,
    tokensUsed: tokensOf(row.usage),
    criteria: criteriaOf(row),
    over: row.outcome === 'succeeded' ? digestOf(row) : null,
  }));
}

interface SyntheticRow {
  readonly runId: string;
  readonly personaId: string;
  readonly startedAt: Date;
  readonly lastActivityAt: Date;
  readonly modelId: string;
  readonly usage: string | null;
  readonly outcome: string;
  readonly digest: string | null;
  readonly criteria: string | null;
  readonly gradingStatus: 'pending' | 'completed' | 'failed' | null;
  readonly evidence: string | null;
}

/**
 * The stored summary of the session. Older sessions have none; for them it is derived from the
 * evidence, without durations.
 */
function digestOf({ digest, evidence }: SyntheticRow): SessionDigest {
  const seen = readEvidence(evidence);
  return (
    readDigest(digest) ?? {
      outcome: outcomeOfEvidence(seen, { authInterrupted: false, rating: null }),
      tools: toolsOfSession(seen),
    }
  );
}

async function readRubrics(
  sql: Sql,
  rows: readonly SyntheticRow[],
): Promise<(row: SyntheticRow) => CriterionOfSession[]> {
  const rubrics = new Map<string, Omit<CriterionOfSession, 'passed'>[]>();
  for (const runId of new Set(rows.map((row) => row.runId))) {
    const rubric = (await findJourneySnapshot(sql, runId))?.rubric ?? [];
    rubrics.set(
      runId,
      rubric.map(({ id, label, predicate }) => ({ criterionId: id, label, kind: predicate.type })),
    );
  }
  return ({ runId, gradingStatus, criteria }) => {
    const grades = gradingStatus === 'completed' ? readCriteria(criteria) : [];
    const passed = new Map(grades.map((grade) => [grade.criterionId, grade.passed]));
    return (rubrics.get(runId) ?? []).map((criterion) => ({
      ...criterion,
      passed: passed.get(criterion.criterionId) ?? null,
    }));
  };
}

/**
 * The SQL condition for sessions that were played on the scenario's environment while the scenario
 * was published.
 */
function isPlayedOn(sql: Sql, scenario: Scenario): Fragment {
  const { projectId, environmentId, createdAt, unpublishedAt } = scenario;
  return sql`project_id = ${projectId} and target_id = ${`environment:${environmentId}`} and message_count > 0
    and started_at >= ${createdAt} ${unpublishedAt === null ? sql`` : sql`and started_at < ${unpublishedAt}`}`;
}

function tokensOf(usage: string | null): number | null {
  return tokensUsed((readDocument(usage) as TokenUsage | undefined) ?? null);
}
