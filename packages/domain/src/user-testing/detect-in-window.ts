import type { StageResultRow } from '../chain/vocabulary.ts';
import type { UsingUnit } from '../insights/detect-by-use.ts';
import { groupBy } from '../insights/detection.ts';
import {
  aboveOthers,
  type Detected,
  detectIn,
  look,
  type SessionDetector,
} from '../insights/session-detector.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { badRating, type SessionOutcome } from './session-outcome.ts';

export interface AnalyzedVisit extends UsingUnit {
  readonly path: PathOfVisit;
  readonly outcome: SessionOutcome;
  readonly rating: number | null;
  readonly ratedAnswers: readonly RatedAnswer[];
  readonly segment: string;
  readonly deviceKind: string | null;
  readonly toolErrors: ReadonlyMap<string, string>;
  /** The result of each stage of the session; empty if the stored results are not verified. */
  readonly stages: readonly StageResultRow[];
  readonly failedPrompt: number | undefined;
}

export interface RatedAnswer {
  readonly rating: number;
  /** The turn of the answer; undefined if the whole session was rated. */
  readonly turn: number | undefined;
  /**
   * The tools that the rated answer called; all tools of the session if the whole session was
   * rated.
   */
  readonly path: PathOfVisit;
}

export interface PathOfVisit {
  readonly id: string;
  readonly label: string;
}

export function pathOfVisit(
  tools: readonly { readonly id: string; readonly toolName: string }[],
  sha256Hex: (text: string) => string,
): PathOfVisit {
  const distinct = [...new Map(tools.map((tool) => [tool.id, tool])).values()];
  const hash = sha256Hex(canonicalJson(distinct.map(({ id }) => id)));
  return {
    id: `ph_${hash.slice(0, 16)}`,
    label: distinct.map(({ toolName }) => toolName).join(' → ') || 'no tool',
  };
}

export function detectInWindow(visits: readonly AnalyzedVisit[]): Detected<AnalyzedVisit> {
  return detectIn(visits, [...paths(visits), ...ratedPaths(visits), ...cohorts(visits)]);
}

/**
 * A path is the tools that a session called. A problem is reported for a path if it occurs in at
 * least this share of the path's sessions.
 */
const pathShare = 0.25;
/**
 * For a path with fewer sessions, one session that ends in an error is enough to report the path.
 */
const fewSessions = 4;

function paths(visits: readonly AnalyzedVisit[]): SessionDetector<AnalyzedVisit>[] {
  return [...groupBy(visits, ({ path }) => path.id).values()].flatMap((slice) => {
    const { path } = slice[0] as AnalyzedVisit;
    const subject = { kind: 'path', ...path };
    const errored = slice.filter(({ outcome }) => outcome === 'errored');
    const enough = slice.length < fewSessions ? 1 : 2;
    const isEnding = errored.length >= enough && errored.length >= pathShare * slice.length;
    return [look('terminal_error_concentration', subject, errored, slice, isEnding)];
  });
}

/**
 * A rating counts only for the tools that the rated answer called, not for other tools of the
 * session.
 */
function ratedPaths(visits: readonly AnalyzedVisit[]): SessionDetector<AnalyzedVisit>[] {
  const given = visits.flatMap((visit) => visit.ratedAnswers.map((answer) => ({ visit, answer })));
  return [...groupBy(given, ({ answer }) => answer.path.id).values()].map((of) => {
    const path = of[0]?.answer.path ?? { id: '', label: '' };
    const rated = [...groupBy(of, ({ visit }) => visit.id).values()].map((ofVisit) => {
      const bad = ofVisit.filter(({ answer }) => answer.rating <= badRating);
      const [first] = ofVisit;
      if (first === undefined) return { visit: undefined, isBad: false };
      return { visit: withFailureOf(bad, first.visit), isBad: bad.length > 0 };
    });
    const units = (wanted: (isBad: boolean) => boolean) =>
      rated.flatMap(({ visit, isBad }) => (visit !== undefined && wanted(isBad) ? [visit] : []));
    const [slice, unhappy] = [units(() => true), units((isBad) => isBad)];
    const isFelt = unhappy.length >= 1 && unhappy.length >= pathShare * slice.length;
    return look('negative_feedback', { kind: 'path', ...path }, unhappy, slice, isFelt);
  });
}

/** Removes the session's failure if none of the badly rated answers contains it. */
function withFailureOf(
  bad: readonly { readonly answer: RatedAnswer }[],
  visit: AnalyzedVisit,
): AnalyzedVisit {
  const isOfAnswer = bad.some(
    ({ answer }) => answer.turn === undefined || answer.turn === visit.failedPrompt,
  );
  if (isOfAnswer) return visit;
  return { ...visit, stages: [], firstFailedStage: undefined, failureCategory: undefined };
}

function cohorts(visits: readonly AnalyzedVisit[]): SessionDetector<AnalyzedVisit>[] {
  const bounds = { times: 1.5, atLeast: 3 };
  const struggles = (visit: AnalyzedVisit) =>
    visit.outcome === 'errored' || visit.outcome === 'unresolved' || isRatedBad(visit);
  const onDevices = visits.filter(({ deviceKind }) => deviceKind !== null);
  const segment = ({ segment: id }: AnalyzedVisit) => ({ kind: 'segment', id, label: id });
  const device = ({ deviceKind }: AnalyzedVisit) => {
    const id = deviceKind ?? '';
    return { kind: 'device', id, label: id };
  };
  return [
    ...aboveOthers('cohort_struggles', visits, segment, struggles, bounds),
    ...aboveOthers('cohort_struggles', onDevices, device, struggles, bounds),
  ];
}

function isRatedBad({ rating }: Pick<AnalyzedVisit, 'rating'>): boolean {
  return rating !== null && rating <= badRating;
}
