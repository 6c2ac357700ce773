import { compareWaves as compare } from '@proofmark/domain';
import { listComparedSessions } from '../../storage/swarms/compared-sessions.ts';
import type { Action } from '../action.ts';
import { findWave } from './find-wave.ts';

export const compareWaves: Action<'compareWaves'> = (context, { params, query }) =>
  context.tenant(async (sql) => {
    const projectId = context.project.id;
    const { waveId } = params;
    const { baseWaveId } = query;
    await findWave(sql, projectId, waveId);
    await findWave(sql, projectId, baseWaveId);
    const base = await listComparedSessions(sql, { projectId, waveId: baseWaveId });
    const current = await listComparedSessions(sql, { projectId, waveId });
    const { rows, notComparable } = compare(base, current);
    return { waveId, baseWaveId, rows: [...rows], notComparable: [...notComparable] };
  });
