/**
 * Runs the detectors over a wave. All played sessions are read once, a few at a time. The sessions
 * that a candidate (a counted problem) refers to are then read again.
 */
import {
  type AnalyzedSession,
  analyzeSession,
  type Candidate,
  candidatesOf,
  coverageOfWave,
  detectInWave,
  evidenceOfRun,
  type InsightCoverage,
  materialLimits,
  type NamedUnit,
  orderCandidates,
  reasonOf,
} from '@proofmark/domain';
import type { Database } from '../../../platform/database/database.ts';
import { type Detected, type GenerationOfInsights, readSurface } from '../../insights/index.ts';
import {
  countSessionsOfWave,
  listPlayedSessions,
  readSessionsToAnalyze,
  readSnapshotsOfWave,
} from '../store/wave-sessions.ts';
import { type PlaceOfWave, waveOfScope } from '../store/waves.ts';

/** The number of traces in memory at the same time. A trace may be megabytes. */
const readTogether = 16;

export interface SessionsOfWave {
  readonly sessions: readonly AnalyzedSession[];
  readonly coverage: InsightCoverage;
}

export async function readSessionsOfWave(
  database: Database,
  wave: PlaceOfWave,
  signal: AbortSignal,
): Promise<SessionsOfWave> {
  const tenant = [wave.organizationId];
  const { ids, coverage, snapshots } = await database.tenant(tenant, async (sql) => ({
    ids: await listPlayedSessions(sql, wave),
    coverage: coverageOfWave(await countSessionsOfWave(sql, wave)),
    snapshots: await readSnapshotsOfWave(sql, wave),
  }));
  const orderOf = new Map(ids.map((id, order) => [id, order]));
  const sessions: AnalyzedSession[] = [];
  for (let from = 0; from < ids.length; from += readTogether) {
    signal.throwIfAborted();
    const some = ids.slice(from, from + readTogether);
    const read = await database.tenant(tenant, (sql) => readSessionsToAnalyze(sql, some));
    for (const { messages: _, toolSurfaceHash: __, ...session } of read) {
      const snapshot = snapshots.get(session.runId);
      if (snapshot === undefined) continue;
      const order = orderOf.get(session.id) ?? 0;
      sessions.push(analyzeSession({ ...session, snapshot, order }));
    }
  }
  return { sessions: sessions.sort((one, other) => one.order - other.order), coverage };
}

export async function detectInSwarmWave(
  database: Database,
  { organizationId, scopeId }: Pick<GenerationOfInsights, 'organizationId' | 'scopeId'>,
  signal: AbortSignal,
): Promise<Detected> {
  const read = await readSessionsOfWave(
    database,
    { organizationId, ...waveOfScope(scopeId) },
    signal,
  );
  return gatherOfWave(database, organizationId, read);
}

export async function gatherOfWave(
  database: Database,
  organizationId: string,
  { sessions, coverage }: SessionsOfWave,
): Promise<Detected> {
  const candidates = orderCandidates(candidatesOf(detectInWave(sessions).detections));
  const byId = new Map(sessions.map((session) => [session.id, session]));
  const gathered = [];
  for (const candidate of candidates.slice(0, materialLimits.candidates)) {
    const named = await readNamed(database, organizationId, candidate, byId);
    gathered.push(evidenceOfRun(candidate, (id) => named.get(id), 'sessionId'));
  }
  return {
    material: {
      coverage,
      candidateCount: candidates.length,
      candidates: gathered.map(({ kept }) => kept),
    },
    shown: gathered.map(({ shown }) => shown),
  };
}

async function readNamed(
  database: Database,
  organizationId: string,
  candidate: Candidate,
  byId: ReadonlyMap<string, AnalyzedSession>,
): Promise<Map<string, NamedUnit>> {
  const ids = [...candidate.exemplarIds, ...candidate.contrastIds];
  const subject = { id: candidate.subjectId, label: candidate.subjectLabel };
  return database.tenant([organizationId], async (sql) => {
    const named = new Map<string, NamedUnit>();
    for (const { id, messages, toolSurfaceHash } of await readSessionsToAnalyze(sql, ids)) {
      const session = byId.get(id);
      if (session === undefined) continue;
      const surface =
        toolSurfaceHash === null
          ? undefined
          : await readSurface(sql, organizationId, toolSurfaceHash);
      const trial = {
        id,
        failedPrompt: session.failedPrompt,
        tools: session.tools,
        toolSurfaceHash,
        failure: reasonOf({ detector: candidate.detector, subject }, session),
        failedByJudge: false,
        failedTool: session.tools.find(({ errors }) => errors > 0)?.toolName,
      };
      named.set(id, { trial, messages, surface });
    }
    return named;
  });
}
