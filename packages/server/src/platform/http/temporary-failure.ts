/**
 * Temporary failures of this installation: the same request may succeed later. The answer is 503
 * with the time after which to retry. The failed request may nevertheless have written its data.
 */
import { NotDoneInTime, type Refusal } from '@proofmark/domain';
import { isDatabaseAway } from '../database/database-away.ts';
import { isDiskFull } from '../database/disk-full.ts';
import type { Answer } from './request-exchange.ts';

const retryAfterSeconds = 5;

export function temporaryFailure(error: unknown): Refusal | undefined {
  if (isDiskFull(error)) return diskFull;
  if (isDatabaseAway(error)) return databaseAway;
  return error instanceof NotDoneInTime ? notInTime : undefined;
}

export function temporaryRefusal(reason: string, message: string): Refusal {
  return { code: 'INTERNAL_ERROR', message, details: { reason, retryAfterSeconds } };
}

export function asTemporary(answer: Answer): Answer {
  const headers = { ...answer.headers, 'retry-after': String(retryAfterSeconds) };
  return { ...answer, status: 503, headers };
}

const diskFull = temporaryRefusal(
  'DISK_FULL',
  'The disk of the database is full, so writes are rejected; reading works. Try again when the operator has freed space.',
);

const databaseAway = temporaryRefusal(
  'DATABASE_AWAY',
  'The database of this installation does not answer; try again in a moment.',
);

const notInTime = temporaryRefusal(
  'NOT_IN_TIME',
  'The service did not finish this in time; try again in a moment.',
);
