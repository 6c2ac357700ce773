import { compareWaves as compare, isTerminalWave } from '@proofmark/domain';
import type { Action } from '../../../platform/operations/action.ts';
import { listComparedSessions } from '../store/compared-sessions.ts';
import { findWave } from './find-wave.ts';

export const compareWaves: Action<'compareWaves'> = (context, { params, query }) =>
  context.tenant(async (sql) => {
    const projectId = context.project.id;
    const { waveId } = params;
    const { baseWaveId } = query;
    // The state of both waves (groups of journey runs) is read before their sessions. If a wave has
    // ended by then, all its sessions are graded.
    const terminal = {
      current: isTerminalWave(await findWave(sql, projectId, waveId)),
      base: isTerminalWave(await findWave(sql, projectId, baseWaveId)),
    };
    const base = await listComparedSessions(sql, { projectId, waveId: baseWaveId });
    const current = await listComparedSessions(sql, { projectId, waveId });
    const { rows, notComparable } = compare(base.sessions, current.sessions);
    return {
      waveId,
      baseWaveId,
      terminal,
      rows: [...rows],
      notComparable: [...notComparable],
      ...((base.truncated || current.truncated) && { truncated: true as const }),
    };
  });
