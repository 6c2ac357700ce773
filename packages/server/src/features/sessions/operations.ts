import type { Operations } from '../../platform/operations/action.ts';
import { exportTracesOtlp } from './operations/export-traces-otlp.ts';
import { listSessions } from './operations/list-sessions.ts';

export const sessionsOperations = {
  exportTracesOtlp,
  listSessions,
} satisfies Operations<unknown>;
