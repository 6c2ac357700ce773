import { ApiError } from '@proofmark/client';

/**
 * Whether the service rejected a write because another person has changed the resource since it was
 * read.
 */
export function isStale(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.code !== 'CONFLICT') return false;
  return ['currentConfigId', 'currentName', 'currentRevision', 'currentUpdatedAt'].some((name) =>
    Object.hasOwn(error.details, name),
  );
}
