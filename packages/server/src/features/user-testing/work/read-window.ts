/**
 * Runs the detectors over a window. All sessions are read once, a few at a time. The sessions that
 * a candidate (a counted problem) refers to are then read again.
 */
import {
  type AnalyzedVisit,
  type Candidate,
  type DetectedMaterial,
  evidenceOfRun,
  forgetInAnswer,
  forgetInMaterial,
  materialLimits,
  type NamedUnit,
  type NarrationAnswer,
} from '@proofmark/domain';
import type { Database, Sql } from '../../../platform/database/database.ts';
import { type Detected, type GenerationOfInsights, readSurface } from '../../insights/index.ts';
import { readVisitsToAnalyze } from '../store/window-visits.ts';
import { findWindow, holdVisits } from '../store/windows.ts';

/** The number of sessions that are read in one transaction. */
const readTogether = 16;

/** The ids must be ordered oldest first. */
export async function readVisits(
  database: Database,
  organizationId: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<AnalyzedVisit[]> {
  const orderOf = new Map(ids.map((id, order) => [id, order]));
  const visits: AnalyzedVisit[] = [];
  for (let from = 0; from < ids.length; from += readTogether) {
    signal.throwIfAborted();
    const some = ids.slice(from, from + readTogether);
    const read = await database.tenant([organizationId], (sql) => readVisitsToAnalyze(sql, some));
    for (const { id, analyze } of read) visits.push(analyze(orderOf.get(id) ?? 0));
  }
  return visits.sort((one, other) => one.order - other.order);
}

/**
 * A stored window never changes, so its candidates are returned as stored. Only the sessions that
 * these candidates refer to are read.
 */
export async function detectInScenarioWindow(
  database: Database,
  { organizationId, scopeId }: Pick<GenerationOfInsights, 'organizationId' | 'scopeId'>,
): Promise<Detected> {
  const window = await database.tenant([organizationId], (sql) =>
    findWindow(sql, undefined, scopeId),
  );
  if (window === undefined) throw new Error('The stored findings of the window cannot be read.');
  const { coverage, candidateCount, candidates } = window.result;
  const gathered = [];
  for (const candidate of candidates.slice(0, materialLimits.candidates)) {
    const named = await readNamed(database, organizationId, candidate);
    gathered.push(evidenceOfRun(candidate, (id) => named.get(id), 'sessionId'));
  }
  return {
    material: { coverage, candidateCount, candidates: gathered.map(({ kept }) => kept) },
    shown: gathered.map(({ shown }) => shown),
  };
}

async function readNamed(
  database: Database,
  organizationId: string,
  candidate: Candidate,
): Promise<Map<string, NamedUnit>> {
  const ids = [...candidate.exemplarIds, ...candidate.contrastIds];
  return database.tenant([organizationId], async (sql) => {
    const named = new Map<string, NamedUnit>();
    for (const { recorded, analyze } of await readVisitsToAnalyze(sql, ids, 'withMessages')) {
      const visit = analyze(0);
      const { toolSurfaceHash, messages } = recorded;
      const surface =
        toolSurfaceHash === null
          ? undefined
          : await readSurface(sql, organizationId, toolSurfaceHash);
      const trial = {
        id: visit.id,
        failedPrompt: promptOf(candidate, visit),
        tools: visit.tools,
        toolSurfaceHash,
        failure: visit.toolErrors.get(candidate.subjectId) ?? '',
        failedByJudge: false,
        failedTool: visit.tools.find(({ errors }) => errors > 0)?.toolName,
      };
      named.set(visit.id, { trial, messages, surface });
    }
    return named;
  });
}

/**
 * Returns the index of the turn to quote: the turn with the low rating for `negative_feedback`,
 * else the turn that failed.
 */
function promptOf(
  { detector, subjectId }: Candidate,
  { ratedAnswers, failedPrompt }: AnalyzedVisit,
): number | undefined {
  if (detector !== 'negative_feedback') return failedPrompt;
  const answers = ratedAnswers.filter(({ path }) => path.id === subjectId);
  return [...answers].sort((one, other) => one.rating - other.rating)[0]?.turn;
}

/**
 * Sessions may be erased during the model call; they are removed from the narrator's answer. The
 * remaining sessions are locked against erasure until the transaction ends.
 */
export async function answerWithoutForgotten(
  sql: Sql,
  answer: NarrationAnswer,
): Promise<NarrationAnswer> {
  const { findings, sampledSessionIds } = answer.discovery;
  const named = findings.flatMap(({ evidenceSessionIds }) => evidenceSessionIds);
  return forgetInAnswer(answer, await goneOf(sql, [...named, ...sampledSessionIds]));
}

/**
 * Sessions may be erased while the material is read; they are removed from it. The remaining
 * sessions are locked against erasure until the transaction ends.
 */
export async function withoutForgotten(
  sql: Sql,
  material: DetectedMaterial,
): Promise<DetectedMaterial> {
  const ids = material.candidates.flatMap(({ candidate }) => [
    ...candidate.exemplarIds,
    ...candidate.contrastIds,
  ]);
  return forgetInMaterial(material, await goneOf(sql, ids));
}

async function goneOf(sql: Sql, ids: readonly string[]): Promise<Set<string>> {
  const there = await holdVisits(sql, ids);
  return new Set(ids.filter((id) => !there.has(id)));
}
