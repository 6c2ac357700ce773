import {
  type InsightState,
  isTerminalWave,
  scopeNotReady,
  stepOfInsights,
} from '@proofmark/domain';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { brake } from '../../../platform/spending/brake.ts';
import type { EvalsParts } from '../../evals/index.ts';
import {
  beginInsights,
  insightsSwitchedOff,
  readInsightState,
  toldStatus,
} from '../../insights/index.ts';
import { scopeOfWave } from '../store/waves.ts';
import { findWave } from './find-wave.ts';

export const requestWaveInsights: Action<'requestWaveInsights', EvalsParts> = async (
  context,
  { params, body },
) => {
  const { id: projectId, organizationId } = context.project;
  const { waveId } = params;
  const scopeId = scopeOfWave({ projectId, waveId });
  const of = { organizationId, projectId, kind: 'swarm_wave', scopeId } as const;
  const event = body.force === true ? 'askedByForce' : 'asked';
  const answer = { waveId, projectId, status: 'pending', insightsStatus: 'pending' } as const;
  const reused = (state: InsightState) =>
    ({ ...answer, reused: true, insightsStatus: toldStatus(state) }) as const;
  const seen = await context.tenant(async (sql) => {
    const runs = await findWave(sql, projectId, waveId);
    if (context.partModels.insights === 'off') refuse(insightsSwitchedOff);
    if (!isTerminalWave(runs)) refuse(notReady);
    return readInsightState(sql, of);
  });
  if (!stepOfInsights('swarm_wave', seen.state, event).begins) return reused(seen.state);
  await brake(context, 'insights');
  const audit = { action: 'wave.insightsAsked', subjectId: waveId } as const;
  const stood = await context.tenant((sql) =>
    beginInsights(sql, context, of, event, audit, async () => {
      // The wave is checked again, because another run may have been launched into it since the
      // first check.
      if (!isTerminalWave(await findWave(sql, projectId, waveId))) refuse(notReady);
    }),
  );
  return stood === undefined ? answer : reused(stood);
};

const notReady = scopeNotReady('swarm_wave');
