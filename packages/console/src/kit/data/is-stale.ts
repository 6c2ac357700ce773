import { ApiError } from '@proofmark/client';

/** Whether the service wrote nothing because somebody else had written since this was read. */
export function isStale(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.code !== 'CONFLICT') return false;
  return ['currentConfigId', 'currentName', 'currentRevision', 'currentUpdatedAt'].some((name) =>
    Object.hasOwn(error.details, name),
  );
}
