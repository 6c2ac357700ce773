import { isTerminalWave } from '@proofmark/domain';
import { findMinedResult } from '../../storage/swarms/waves.ts';
import type { Action } from '../action.ts';
import { findWave } from './find-wave.ts';

export const getWave: Action<'getWave'> = (context, { params }) =>
  context.tenant(async (sql) => {
    const { waveId } = params;
    const projectId = context.project.id;
    const runs = await findWave(sql, projectId, waveId);
    return {
      ...{ waveId, projectId, terminal: isTerminalWave(runs) },
      mined: (await findMinedResult(sql, { projectId, waveId })) !== undefined,
      runs: runs.map(({ id, journeyId, status, canceled, stale, ...counts }) => {
        const { total, succeeded, failed, rateLimited } = counts;
        const summary = { total, succeeded, failed, rateLimited };
        return { id, journeyId, status, canceled, stale, summary };
      }),
      sessionsGraded: runs.reduce((sum, { sessionsGraded }) => sum + sessionsGraded, 0),
    };
  });
