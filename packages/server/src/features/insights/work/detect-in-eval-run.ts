import {
  type AnalyzedTrial,
  analyzeTrial,
  type Candidate,
  coverageOfRun,
  type DetectedMaterial,
  detectInRun,
  evidenceOfRun,
  type InsightCoverage,
  materialLimits,
  type NamedTrial,
  type ShownCandidate,
} from '@proofmark/domain';
import type { Database } from '../../../platform/database/database.ts';
import {
  countTrialsToAnalyze,
  countVariants,
  listOrdinalsToAnalyze,
  readSurface,
  readTrialsToAnalyze,
} from '../store/analyzed-trials.ts';
import type { GenerationOfInsights } from '../store/insights-work.ts';
import { recordWorkBeat } from '../store/scope-insights.ts';

/** The number of traces that are read at the same time; a trace may be megabytes long. */
const readTogether = 16;

export interface Detected {
  readonly material: DetectedMaterial;
  /** The most severe candidates, in the form that a model may see. */
  readonly shown: readonly ShownCandidate[];
}

export async function detectInEvalRun(
  database: Database,
  of: GenerationOfInsights,
  signal: AbortSignal,
): Promise<Detected> {
  const { organizationId, scopeId: runId } = of;
  const tenant = [organizationId];
  const { ordinals, coverage, byVariant } = await database.tenant(tenant, async (sql) => {
    const { total, graded } = await countTrialsToAnalyze(sql, runId);
    return {
      ordinals: await listOrdinalsToAnalyze(sql, runId),
      coverage: coverageOfRun(total, graded),
      byVariant: await countVariants(sql, runId),
    };
  });
  const trials: AnalyzedTrial[] = [];
  for (let from = 0; from < ordinals.length; from += readTogether) {
    signal.throwIfAborted();
    const some = ordinals.slice(from, from + readTogether);
    const read = await database.tenant(tenant, async (sql) => {
      await recordWorkBeat(sql, of);
      return readTrialsToAnalyze(sql, runId, some);
    });
    trials.push(...read.map(analyzeTrial));
  }
  const candidates = detectInRun(trials, { trials: coverage.total, byVariant });
  return gather(database, organizationId, runId, candidates, trials, coverage);
}

async function gather(
  database: Database,
  organizationId: string,
  runId: string,
  candidates: readonly Candidate[],
  trials: readonly AnalyzedTrial[],
  coverage: InsightCoverage,
): Promise<Detected> {
  const byId = new Map(trials.map((trial) => [trial.id, trial]));
  const surfaces = new Map<string, NamedTrial['surface']>();
  const gathered = [];
  for (const candidate of candidates.slice(0, materialLimits.candidates)) {
    const ids = [...candidate.exemplarIds, ...candidate.contrastIds];
    const named = ids.flatMap((id) => byId.get(id) ?? []);
    const found = await database.tenant([organizationId], async (sql) => {
      const ordinals = named.map(({ order }) => order);
      const read = await readTrialsToAnalyze(sql, runId, ordinals);
      for (const { toolSurfaceHash: hash } of named) {
        if (hash === null || surfaces.has(hash)) continue;
        surfaces.set(hash, await readSurface(sql, organizationId, hash));
      }
      return new Map(read.map(({ id, messages }) => [id, messages]));
    });
    gathered.push(
      evidenceOfRun(candidate, (id) => {
        const trial = byId.get(id);
        if (trial === undefined) return undefined;
        const surface = surfaces.get(trial.toolSurfaceHash ?? '');
        return { trial, messages: found.get(id) ?? [], surface };
      }),
    );
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
