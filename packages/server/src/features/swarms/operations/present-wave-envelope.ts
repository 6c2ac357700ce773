/**
 * Builds the insights of a wave (a group of journey runs) for the page of one of its runs. If they
 * cannot be built, the page omits them.
 */
import {
  buildEnvelope,
  coverageOfWave,
  type InsightsEnvelope,
  isTerminalWave,
} from '@proofmark/domain';
import { sha256Hex } from '../../../kernel/sha256-hex.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { findInsights } from '../../insights/index.ts';
import type { PartModels } from '../../models/index.ts';
import { countSessionsOfWave, findRunsOfSessions } from '../store/wave-sessions.ts';
import { findMinedResult, listRunsOfWave, scopeOfWave } from '../store/waves.ts';

export async function presentWaveEnvelope(
  sql: Sql,
  {
    projectId,
    waveId,
    runId,
  }: { readonly projectId: string; readonly waveId: string; readonly runId: string },
  { insights }: Pick<PartModels, 'insights'>,
): Promise<{ readonly insights?: InsightsEnvelope }> {
  const wave = { projectId, waveId };
  const [runs, mined, stored, counts] = await Promise.all([
    listRunsOfWave(sql, wave),
    findMinedResult(sql, wave),
    findInsights(sql, 'swarm_wave', scopeOfWave(wave)),
    countSessionsOfWave(sql, wave),
  ]);
  const unavailable =
    insights === 'off'
      ? 'insights_off'
      : !isTerminalWave(runs)
        ? 'not_terminal'
        : mined === undefined
          ? 'not_mined'
          : null;
  try {
    const envelope = buildEnvelope(
      {
        scope: { kind: 'swarm_wave', id: waveId, runId },
        projectId,
        coverage: coverageOfWave(counts),
        unavailable,
        stored,
        ...(mined && {
          candidateCount: mined.material.candidateCount,
          runHealth: { targets: [...mined.runHealth] },
        }),
      },
      sha256Hex,
    );
    return { insights: await withRunsOfSessions(sql, envelope) };
  } catch {
    return {};
  }
}

/** Adds the run id to each piece of evidence, because the path of a session contains its run. */
async function withRunsOfSessions(sql: Sql, envelope: InsightsEnvelope): Promise<InsightsEnvelope> {
  const ids = envelope.findings.flatMap(({ evidence }) =>
    evidence.flatMap(({ sessionId }) => sessionId ?? []),
  );
  if (ids.length === 0) return envelope;
  const runs = await findRunsOfSessions(sql, ids);
  const placed = (evidence: InsightsEnvelope['findings'][number]['evidence'][number]) => {
    const runId = runs.get(evidence.sessionId ?? '');
    return runId === undefined ? evidence : { ...evidence, runId };
  };
  const findings = envelope.findings.map((finding) => ({
    ...finding,
    evidence: finding.evidence.map(placed),
  }));
  return { ...envelope, findings };
}
