/** Asks to have explained what detectors found in a wave that is over. */
import { isTerminalWave, scopeNotReady, stepOfInsights } from '@proofmark/domain';
import { readInsightState } from '../../storage/insights/scope-insights.ts';
import { scopeOfWave } from '../../storage/swarms/waves.ts';
import { type Action, refuse } from '../action.ts';
import { beginInsights, insightsSwitchedOff } from '../insights/begin-insights.ts';
import { brake } from '../spending/brake.ts';
import { findWave } from './find-wave.ts';

export const requestWaveInsights: Action<'requestWaveInsights'> = async (
  context,
  { params, body },
) => {
  const { id: projectId, organizationId } = context.project;
  const { waveId } = params;
  const scopeId = scopeOfWave({ projectId, waveId });
  const of = { organizationId, projectId, kind: 'swarm_wave', scopeId } as const;
  const event = body.force === true ? 'askedByForce' : 'asked';
  const answer = { waveId, projectId, status: 'pending' } as const;
  const reused = { ...answer, reused: true } as const;
  const seen = await context.tenant(async (sql) => {
    const runs = await findWave(sql, projectId, waveId);
    if (context.partModels.insights === 'off') refuse(insightsSwitchedOff);
    if (!isTerminalWave(runs)) refuse(scopeNotReady('swarm_wave'));
    return readInsightState(sql, of);
  });
  if (!stepOfInsights('swarm_wave', seen.state, event).begins) return reused;
  await brake(context, 'insights');
  const audit = { action: 'wave.insightsAsked', subjectId: waveId } as const;
  const isBegun = await context.tenant((sql) => beginInsights(sql, context, of, event, audit));
  return isBegun ? answer : reused;
};
