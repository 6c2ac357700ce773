/**
 * The part of session detectors that swarm waves and user-testing windows share. It distinguishes
 * subjects for which a detector fired from subjects for which it could have fired.
 */
import { type CountedUnit, fingerprintOf, type Subject } from './candidate.ts';
import {
  costlyModels,
  hallucinatedTools,
  measuredModels,
  measuredTools,
  omittedTools,
  slowTools,
  toolErrors,
  type UsingUnit,
  usesByTool,
} from './detect-by-use.ts';
import { type Detection, groupBy } from './detection.ts';
import type { Detector } from './detectors.ts';
import { fewest } from './outliers.ts';

/** `fires` is true if enough units are affected to report the problem. */
export interface SessionDetector<Unit extends CountedUnit> {
  readonly detection: Detection<Unit>;
  readonly fires: boolean;
}

export interface Detected<Unit extends CountedUnit> {
  readonly detections: readonly Detection<Unit>[];
  /** The fingerprints of all detectable problems, including those that were not detected. */
  readonly measured: ReadonlySet<string>;
  /** The fingerprints of detected problems beyond the maximum number to report. */
  readonly omitted: ReadonlySet<string>;
}

export function detectIn<Unit extends UsingUnit>(
  played: readonly Unit[],
  looked: readonly SessionDetector<Unit>[],
): Detected<Unit> {
  const detections = [
    ...looked.filter(({ fires }) => fires).map(({ detection }) => detection),
    ...toolErrors(played),
    ...hallucinatedTools(played),
    ...slowTools(played),
    ...costlyModels(played),
  ].filter(({ fired }) => fired.length > 0);
  const measured = [
    ...looked.map(({ detection: { detector, subject } }) => fingerprintOf(detector, subject)),
    ...toolsAndModels(played),
    // A detected problem counts as detectable, too.
    ...detections.map(({ detector, subject }) => fingerprintOf(detector, subject)),
  ];
  const omitted = omittedTools(played).map((tool) => fingerprintOf('hallucinated_tool', tool));
  return { detections, measured: new Set(measured), omitted: new Set(omitted) };
}

function toolsAndModels(played: readonly UsingUnit[]): string[] {
  const hasBoth = ({ own, rest }: { readonly own: unknown[]; readonly rest: unknown[] }) =>
    own.length >= fewest && rest.length >= fewest;
  const tool = (detector: Detector) => (id: string) =>
    fingerprintOf(detector, { kind: 'tool', id });
  return [
    ...[...usesByTool(played).keys()].map(tool('tool_errors')),
    ...measuredTools(played)
      .filter(hasBoth)
      .map(({ id }) => tool('latency_outlier')(id)),
    ...measuredModels(played)
      .filter(hasBoth)
      .map(({ model }) => fingerprintOf('token_outlier', { kind: 'model', id: model })),
  ];
}

/**
 * Fires for a subject if the event happened in at least half of its units, and at least `times` as
 * often as in all other units.
 */
export function aboveOthers<Unit extends CountedUnit>(
  detector: Detector,
  units: readonly Unit[],
  subjectOf: (unit: Unit) => Subject,
  happened: (unit: Unit) => boolean,
  { times, atLeast = 1 }: { readonly times: number; readonly atLeast?: number },
): SessionDetector<Unit>[] {
  const groups = groupBy(units, (one) => JSON.stringify([subjectOf(one).kind, subjectOf(one).id]));
  if (groups.size < 2) return [];
  const share = (of: readonly Unit[]) => of.filter(happened).length / of.length;
  const large = [...groups.values()].filter(({ length }) => length >= atLeast);
  return large.map((slice) => {
    const own = new Set(slice);
    const rest = units.filter((unit) => !own.has(unit));
    const fires = share(slice) >= 0.5 && share(slice) >= times * share(rest);
    const subject = subjectOf(slice[0] as Unit);
    return look(detector, subject, slice.filter(happened), slice, fires);
  });
}

export function look<Unit extends CountedUnit>(
  detector: Detector,
  subject: Subject,
  fired: readonly Unit[],
  slice: readonly Unit[],
  fires: boolean,
  metric?: number,
): SessionDetector<Unit> {
  const detection = { detector, subject, fired, slice, ...(metric !== undefined && { metric }) };
  return { detection, fires };
}
