/**
 * A waiver lets a failing run pass its gate for a limited time. It needs a reason and an end at
 * most 30 days in the future, and can be revoked. Only a measured run that failed can be waived;
 * its verdict does not change.
 */
import { isRecord } from '../kernel/json.ts';
import type { SummaryVerdict } from './verdict-source.ts';

export const maxWaiverMs = 30 * 24 * 60 * 60 * 1000;
export const maxWaiverReasonLength = 500;

export interface WaiverProblem {
  readonly path: string;
  readonly message: string;
}

/** Returns undefined if the waiver can be granted. */
export function waiverProblem(body: unknown, nowMs: number): WaiverProblem | undefined {
  if (!isRecord(body)) {
    return { path: '', message: 'Send an object with expiresAt and reason.' };
  }
  const unknown = Object.keys(body).find((key) => key !== 'expiresAt' && key !== 'reason');
  if (unknown !== undefined) {
    return {
      path: unknown,
      message: 'This field is not part of a waiver; send expiresAt and reason.',
    };
  }
  const { expiresAt, reason } = body;
  return expiryProblem(expiresAt, nowMs) ?? reasonProblem(reason);
}

export function isInForce(
  waiver: { readonly expiresAt: number; readonly revokedAt?: number | null | undefined },
  nowMs: number,
): boolean {
  return (waiver.revokedAt ?? null) === null && waiver.expiresAt > nowMs;
}

export function mayWaive(verdict: SummaryVerdict): boolean {
  return verdict === 'failed';
}

function expiryProblem(expiresAt: unknown, nowMs: number): WaiverProblem | undefined {
  const path = 'expiresAt';
  if (typeof expiresAt !== 'number' || !Number.isSafeInteger(expiresAt)) {
    return { path, message: 'expiresAt must be an integer, in milliseconds since 1970.' };
  }
  if (expiresAt <= nowMs) return { path, message: 'expiresAt must lie in the future.' };
  if (expiresAt > nowMs + maxWaiverMs) {
    return { path, message: 'expiresAt must be at most 30 days from now.' };
  }
  return undefined;
}

function reasonProblem(reason: unknown): WaiverProblem | undefined {
  const path = 'reason';
  const length = typeof reason === 'string' ? reason.trim().length : 0;
  if (length === 0) return { path, message: 'reason must say why the run may pass its gate.' };
  if (length > maxWaiverReasonLength) {
    return { path, message: `reason must have at most ${maxWaiverReasonLength} characters.` };
  }
  return undefined;
}
