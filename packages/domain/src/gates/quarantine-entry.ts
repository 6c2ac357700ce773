/**
 * An entry of a quarantine: a flaky case variant that may fail without blocking the gate, for at
 * most 30 days. An entry without a model holds for all variants of its case.
 *
 * An entry is stale if it expired, its case is gone, or its variant has become steady. A stale
 * entry fails the gate until a person deletes it, so no quarantine ends unnoticed.
 */
import type { ValueProblem } from '../kernel/check-value.ts';

const dayMs = 86_400_000;
export const maxQuarantineDays = 30;
export const maxQuarantineOwnerLength = 200;
export const maxQuarantineReasonLength = 500;
/** The share of a suite's cases that may be in quarantine if its settings state no share. */
export const defaultQuarantineShare = 0.2;

export const quarantineSources = ['file', 'api'] as const;
export type QuarantineSource = (typeof quarantineSources)[number];

export const quarantineStates = ['inForce', 'expired', 'gone', 'steady'] as const;
export type QuarantineState = (typeof quarantineStates)[number];

export interface StatedQuarantine {
  readonly caseId: string;
  /** Null means all variants of the case. */
  readonly model: string | null;
  readonly owner: string;
  readonly reason: string;
  readonly expiresAt: number;
}

export interface QuarantineEntry extends StatedQuarantine {
  readonly id: string;
  readonly source: QuarantineSource;
  readonly state: QuarantineState;
  readonly daysLeft: number;
  /**
   * The ids by which decisions of runs name the case. Ids of its data rows are included if they do
   * not contain the case's id.
   */
  readonly decisionCaseIds: readonly string[];
  /** Null if the case is gone. */
  readonly title: string | null;
}

export interface KnownOfEntry {
  readonly nowMs: number;
  readonly hasCase: boolean;
  readonly isSteady: boolean;
}

export function quarantineState(
  { expiresAt }: Pick<StatedQuarantine, 'expiresAt'>,
  { nowMs, hasCase, isSteady }: KnownOfEntry,
): QuarantineState {
  if (!hasCase) return 'gone';
  if (expiresAt <= nowMs) return 'expired';
  return isSteady ? 'steady' : 'inForce';
}

/** A partial last day counts as a day. Returns 0 after the end. */
export function quarantineDaysLeft(expiresAt: number, nowMs: number): number {
  return Math.max(0, Math.ceil((expiresAt - nowMs) / dayMs));
}

export function mostQuarantined(cases: number, share = defaultQuarantineShare): number {
  // 0.29 × 100 is slightly less than 29 in floating point.
  return Math.max(1, Math.floor(cases * share + 1e-9));
}

/**
 * Returns whether the quarantine has more cases than allowed. Two entries for the same case count
 * once. Expired entries, and entries whose case is gone, do not count.
 */
export function isQuarantineOverfull(
  entries: readonly (Pick<StatedQuarantine, 'expiresAt'> & { readonly caseId: string })[],
  { most, nowMs, hasCase }: { most: number; nowMs: number; hasCase: (caseId: string) => boolean },
): boolean {
  const counted = entries.filter(({ caseId, expiresAt }) => expiresAt > nowMs && hasCase(caseId));
  return new Set(counted.map(({ caseId }) => caseId)).size > most;
}

/** Returns whether `entry` already covers the case variant of `wanted`. */
export function holdsFor(
  entry: Pick<StatedQuarantine, 'caseId' | 'model'>,
  wanted: Pick<StatedQuarantine, 'caseId' | 'model'>,
): boolean {
  return entry.caseId === wanted.caseId && (entry.model === null || entry.model === wanted.model);
}

export function quarantineProblem(
  { owner, reason, expiresAt }: Pick<StatedQuarantine, 'owner' | 'reason' | 'expiresAt'>,
  nowMs: number,
): ValueProblem | undefined {
  return (
    textProblem('owner', owner, maxQuarantineOwnerLength, 'name the person who repairs the case') ??
    textProblem('reason', reason, maxQuarantineReasonLength, 'say why the case may fail') ??
    expiryProblem(expiresAt, nowMs)
  );
}

function textProblem(field: string, text: string, longest: number, requirement: string) {
  const length = text.trim().length;
  if (length === 0) return { path: [field], message: `${field} must ${requirement}.` };
  if (length <= longest) return undefined;
  return { path: [field], message: `${field} must have at most ${longest} characters.` };
}

function expiryProblem(expiresAt: number, nowMs: number): ValueProblem | undefined {
  const path = ['expiresAt'];
  if (!Number.isSafeInteger(expiresAt)) {
    return { path, message: 'expiresAt must be an integer, in milliseconds since 1970.' };
  }
  if (expiresAt <= nowMs) return { path, message: 'expiresAt must lie in the future.' };
  if (expiresAt > nowMs + maxQuarantineDays * dayMs) {
    return { path, message: `expiresAt must be at most ${maxQuarantineDays} days from now.` };
  }
  return undefined;
}
