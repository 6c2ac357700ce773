/** Detects problems in the ended visitor sessions of a window. */
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
  readonly segment: string;
  readonly deviceKind: string | null;
  /** The first error of each failed tool, by tool id. */
  readonly toolErrors: ReadonlyMap<string, string>;
  /** The stages of the session's chain; empty if the chain is not verified. */
  readonly stages: readonly StageResultRow[];
  /** The turn in which the session failed, if it is known. */
  readonly failedPrompt: number | undefined;
}

/** The distinct tools of a session, in the order of their first calls. */
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
  return detectIn(visits, [...paths(visits), ...cohorts(visits)]);
}

/** The share of a path's sessions in which a problem must occur before the problem is reported. */
const pathShare = 0.25;
/** With fewer sessions than this, a single one that ends in an error is enough to report a path. */
const fewSessions = 4;

function paths(visits: readonly AnalyzedVisit[]): SessionDetector<AnalyzedVisit>[] {
  return [...groupBy(visits, ({ path }) => path.id).values()].flatMap((slice) => {
    const { path } = slice[0] as AnalyzedVisit;
    const subject = { kind: 'path', ...path };
    const rated = slice.filter(({ rating }) => rating !== null);
    const unhappy = rated.filter(isRatedBad);
    const errored = slice.filter(({ outcome }) => outcome === 'errored');
    const enough = slice.length < fewSessions ? 1 : 2;
    const isFelt = unhappy.length >= 1 && unhappy.length >= pathShare * rated.length;
    const isEnding = errored.length >= enough && errored.length >= pathShare * slice.length;
    return [
      ...(rated.length > 0 ? [look('negative_feedback', subject, unhappy, rated, isFelt)] : []),
      look('terminal_error_concentration', subject, errored, slice, isEnding),
    ];
  });
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
