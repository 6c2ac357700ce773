/**
 * A candidate: the counts of one detector (such as `tool_errors`) for one subject (such as a tool).
 * It contains only ids and counts, so the same data gives the same candidates in the same order.
 * The counted units are the trials or sessions of a run, wave or window.
 */
import { type FailureCategory, type Stage, stages } from '../chain/vocabulary.ts';
import { type Detector, detectorWeights } from './detectors.ts';

export interface CountedUnit {
  readonly id: string;
  /** The position by age: the oldest unit has the lowest number. */
  readonly order: number;
  /**
   * The target on which the unit was played. Exemplars (units shown as examples of the problem) are
   * taken from all targets in turn.
   */
  readonly targetId: string;
  readonly firstFailedStage?: Stage | undefined;
  readonly failureCategory?: FailureCategory | undefined;
}

export interface Subject {
  readonly kind: string;
  readonly id: string;
  readonly label: string;
}

export interface Candidate {
  readonly detector: Detector;
  readonly subjectKind: string;
  readonly subjectId: string;
  readonly subjectLabel: string;
  readonly affected: number;
  readonly sliceTotal: number;
  /** Set if only some trials or sessions were read. The counts then cover only those. */
  readonly isOfRead?: true;
  readonly metric?: number;
  readonly exemplarIds: readonly string[];
  readonly contrastIds: readonly string[];
  readonly severityScore: number;
  readonly fingerprint: string;
  /**
   * The stage at which most exemplars (units shown as examples) failed; if several are equally
   * frequent, the earliest.
   */
  readonly firstFailedStage?: Stage;
  /** The failure category of most exemplars that failed at `firstFailedStage`. */
  readonly failureCategory?: FailureCategory;
}

export const candidateLimits = {
  exemplars: 5,
  contrasts: 3,
  fingerprint: 200,
  label: 200,
} as const;

/** Returns undefined if the detector fired for no unit, since a candidate needs an exemplar. */
export function makeCandidate(
  detector: Detector,
  subject: Subject,
  counted: {
    /** The units of `slice` in which the problem occurred. */
    readonly fired: readonly CountedUnit[];
    readonly slice: readonly CountedUnit[];
    readonly metric?: number;
    /** Set if more units were counted than read. */
    readonly counts?: { readonly affected: number; readonly sliceTotal: number };
  },
): Candidate | undefined {
  const { fired, slice, metric } = counted;
  const { affected, sliceTotal } = counted.counts ?? {
    affected: fired.length,
    sliceTotal: slice.length,
  };
  const exemplars = takeInTurns(fired, candidateLimits.exemplars);
  if (exemplars.length === 0) return undefined;
  const firing = new Set(fired.map(({ id }) => id));
  const contrasts = oldestFirst(slice.filter(({ id }) => !firing.has(id)));
  return {
    detector,
    subjectKind: subject.kind,
    subjectId: subject.id,
    subjectLabel: cutText(subject.label, candidateLimits.label),
    affected,
    sliceTotal,
    ...(metric !== undefined && { metric }),
    exemplarIds: exemplars.map(({ id }) => id),
    contrastIds: contrasts.slice(0, candidateLimits.contrasts).map(({ id }) => id),
    severityScore: (detectorWeights[detector] * affected) / sliceTotal,
    fingerprint: fingerprintOf(detector, subject),
    ...failureOfMost(exemplars),
  };
}

/**
 * Returns a fingerprint made of ids instead of labels, so that it stays the same when a case is
 * renamed.
 */
export function fingerprintOf(
  detector: Detector,
  { kind, id }: Pick<Subject, 'kind' | 'id'>,
): string {
  const parts = [detector, kind, id].map((part) => part.replaceAll(/[:\n\r\u2028\u2029]/g, '_'));
  return cutText(parts.join(':'), candidateLimits.fingerprint);
}

/**
 * Sorts candidates by severity, highest first; then by the number of affected units, highest first;
 * then by fingerprint.
 */
export function orderCandidates(candidates: readonly Candidate[]): Candidate[] {
  return [...candidates].sort(
    (one, other) =>
      other.severityScore - one.severityScore ||
      other.affected - one.affected ||
      (one.fingerprint < other.fingerprint ? -1 : one.fingerprint > other.fingerprint ? 1 : 0),
  );
}

export const severities = ['high', 'medium', 'low', 'info'] as const;
export type Severity = (typeof severities)[number];

export function severityOf({ severityScore }: Pick<Candidate, 'severityScore'>): Severity {
  if (severityScore >= 0.6) return 'high';
  if (severityScore >= 0.3) return 'medium';
  return severityScore >= 0.1 ? 'low' : 'info';
}

export const confidences = ['low', 'medium', 'high'] as const;
export type Confidence = (typeof confidences)[number];

/** Returns the highest confidence that the counts allow, for any narrator. */
export function confidenceOf({
  affected,
  sliceTotal,
}: Pick<Candidate, 'affected' | 'sliceTotal'>): Confidence {
  if (affected >= 3 && affected / sliceTotal >= 0.5) return 'high';
  return affected >= 2 ? 'medium' : 'low';
}

/** A surrogate pair that is cut in half becomes U+FFFD. */
export function cutText(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).toWellFormed();
}

function oldestFirst<Unit extends CountedUnit>(units: readonly Unit[]): Unit[] {
  return [...units].sort(
    (one, other) => one.order - other.order || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0),
  );
}

/** Takes the oldest unit of each target, then the second oldest of each, and so on. */
function takeInTurns(units: readonly CountedUnit[], most: number): CountedUnit[] {
  const byTarget = new Map<string, CountedUnit[]>();
  for (const unit of oldestFirst(units)) {
    const known = byTarget.get(unit.targetId);
    if (known === undefined) byTarget.set(unit.targetId, [unit]);
    else known.push(unit);
  }
  const taken: CountedUnit[] = [];
  for (let round = 0; taken.length < Math.min(most, units.length); round += 1) {
    for (const ofTarget of byTarget.values()) {
      const unit = ofTarget[round];
      if (unit !== undefined && taken.length < most) taken.push(unit);
    }
  }
  return taken;
}

function failureOfMost(
  units: readonly CountedUnit[],
): Pick<Candidate, 'firstFailedStage' | 'failureCategory'> {
  const firstFailedStage = mostFrequent(
    stages.filter((stage) => units.some((unit) => unit.firstFailedStage === stage)),
    (stage) => units.filter((unit) => unit.firstFailedStage === stage).length,
  );
  const there = units.filter((unit) => unit.firstFailedStage === firstFailedStage);
  const categories = there.flatMap((unit) => unit.failureCategory ?? []);
  const failureCategory = mostFrequent(
    categories,
    (category) => categories.filter((one) => one === category).length,
  );
  return {
    ...(firstFailedStage !== undefined && { firstFailedStage }),
    ...(failureCategory !== undefined && { failureCategory }),
  };
}

export function mostFrequent<Value>(
  values: readonly Value[],
  countOf: (value: Value) => number,
): Value | undefined {
  let most: { value: Value; count: number } | undefined;
  for (const value of values) {
    const count = countOf(value);
    if (most === undefined || count > most.count) most = { value, count };
  }
  return most?.value;
}
