import { type Candidate, orderCandidates } from './candidate.ts';
import {
  type FindingState,
  type MinedScope,
  type SeenInScope,
  stepOfFinding,
} from './finding-states.ts';

interface KnownState {
  readonly fingerprint: string;
  readonly state: FindingState;
}

interface FoundFinding {
  readonly candidate: Candidate;
}

export interface ChangedState<Found> {
  readonly fingerprint: string;
  readonly state: FindingState;
  /** The finding as this wave or window shows it; absent if a later one also showed it. */
  readonly finding?: Found;
}

export interface SteppedFindings<Found> {
  /** The findings of this wave or window, the severest first. */
  readonly found: readonly Found[];
  readonly changes: readonly ChangedState<Found>[];
}

export function stepFindings<Known extends KnownState, Found extends FoundFinding>(
  known: readonly Known[],
  findings: readonly Found[],
  scope: MinedScope,
  rules: {
    couldSee(known: Known): boolean;
    wasCounted(fingerprint: string): boolean;
    /**
     * Whether an earlier wave or window already counted everything that this one shows about the
     * problem.
     */
    isOldNews?(known: Known, found: Found): boolean;
  },
): SteppedFindings<Found> {
  const byFingerprint = new Map(findings.map((one) => [one.candidate.fingerprint, one]));
  const before = new Map(known.map((one) => [one.fingerprint, one]));
  const changes = [...new Set([...before.keys(), ...byFingerprint.keys()])].flatMap(
    (fingerprint): ChangedState<Found>[] => {
      const row = before.get(fingerprint);
      const fired = byFingerprint.get(fingerprint);
      if (row !== undefined && fired !== undefined && rules.isOldNews?.(row, fired)) return [];
      const seen: SeenInScope =
        fired !== undefined
          ? 'fires'
          : row !== undefined && rules.couldSee(row)
            ? 'quiet'
            : 'notMeasured';
      const state = stepOfFinding(row?.state, scope, seen, rules.wasCounted(fingerprint));
      const isLast = fired !== undefined && state?.lastSeenIn === scope.id;
      if (state === undefined || (state === row?.state && !isLast)) return [];
      return [{ fingerprint, state, ...(isLast && { finding: fired }) }];
    },
  );
  const order = orderCandidates(findings.map(({ candidate }) => candidate));
  return { found: order.flatMap((one) => byFingerprint.get(one.fingerprint) ?? []), changes };
}
