/**
 * What detectors find in a wave, by counting sessions that were played to their end. What a provider, a set-up, a policy,
 * the clock, a cancel or we ourselves ended stands in no slice and fires nothing, so nothing is put down to a server for
 * it.
 */
import { fingerprintOf, type Subject } from '../insights/candidate.ts';
import {
  costlyModels,
  hallucinatedTools,
  measuredModels,
  measuredTools,
  slowTools,
  toolErrors,
  toolSubject,
  usesByTool,
} from '../insights/detect-by-use.ts';
import { type Detection, groupBy } from '../insights/detection.ts';
import type { Detector } from '../insights/detectors.ts';
import { fewest } from '../insights/outliers.ts';
import { toolIdOf } from '../insights/tool-uses.ts';
import type { AnalyzedSession } from './analyzed-session.ts';

export type SessionDetection = Detection<AnalyzedSession>;

/** Of what one detector looks at: where it fired, and whether it could have. */
interface Looked {
  readonly detection: SessionDetection;
  readonly fires: boolean;
}

export interface DetectedInWave {
  readonly detections: readonly SessionDetection[];
  /** The fingerprints that this wave could have seen, whether it did or not. */
  readonly measured: ReadonlySet<string>;
}

export function detectInWave(sessions: readonly AnalyzedSession[]): DetectedInWave {
  const played = sessions.filter(({ wasPlayed }) => wasPlayed);
  const looked = [
    ...criteria(played),
    ...journeys(played),
    ...targets(played),
    ...personas(played),
    ...recoveredErrors(played),
  ];
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
    // Whoever fires was measured.
    ...detections.map(({ detector, subject }) => fingerprintOf(detector, subject)),
  ];
  return { detections, measured: new Set(measured) };
}

function toolsAndModels(played: readonly AnalyzedSession[]): string[] {
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

function criteria(played: readonly AnalyzedSession[]): Looked[] {
  const graded = played.flatMap((session) =>
    session.criteria.map((grade) => ({ session, grade, id: criterionSubjectId(session, grade) })),
  );
  return [...groupBy(graded, ({ id }) => id)].map(([id, of]) => {
    const label = of[0]?.grade.label ?? id;
    const fired = of.filter(({ grade }) => !grade.passed).map(({ session }) => session);
    const slice = of.map(({ session }) => session);
    return look('criterion_fail', { kind: 'criterion', id, label }, fired, slice, true);
  });
}

/** A criterion of a journey keeps its id whatever it is called. */
export function criterionSubjectId(
  { journey }: Pick<AnalyzedSession, 'journey'>,
  { criterionId }: { readonly criterionId: string },
): string {
  return `${journey.id}.${criterionId}`;
}

/** Above the threshold by no more than so much, a pass is marginal. */
const marginOfPass = 0.05;
/** Scores are decimal fractions and their differences are not exact. */
const rounding = 1e-9;

function journeys(played: readonly AnalyzedSession[]): Looked[] {
  return [...groupBy(played, ({ journey }) => journey.id).values()].flatMap((slice) => {
    const [first] = slice as [AnalyzedSession];
    const subject = { kind: 'journey', id: first.journey.id, label: first.journey.name };
    const offered = slice.filter(({ toolsOffered }) => toolsOffered > 0);
    const silent = offered.filter(({ callCount }) => callCount === 0);
    const capped = slice.filter(({ endedAtCap }) => endedAtCap);
    const judged = slice.filter((session) => session.judged !== null);
    const marginal = judged.filter(({ judged }) => isMarginal(judged));
    const cap = Math.max(...slice.map(({ maxTurns }) => maxTurns));
    const isHalf = (fired: readonly unknown[], of: readonly unknown[]) =>
      fired.length * 2 >= of.length;
    return [
      look('no_tools_used', subject, silent, offered, isHalf(silent, offered)),
      look('turn_cap_grind', subject, capped, slice, isHalf(capped, slice), cap),
      look('marginal_pass', subject, marginal, judged, true),
    ].filter(({ detection }) => detection.slice.length > 0);
  });
}

function isMarginal(judged: AnalyzedSession['judged']): boolean {
  if (judged === null) return false;
  const above = judged.score - judged.threshold;
  return above >= 0 && above <= marginOfPass + rounding;
}

function targets(played: readonly AnalyzedSession[]): Looked[] {
  const hasErrors = ({ tools }: AnalyzedSession) => tools.some(({ errors }) => errors > 0);
  return standOut('target_failures', played, ({ target }) => target, hasErrors, 2);
}

function personas(played: readonly AnalyzedSession[]): Looked[] {
  const graded = played.filter(({ result }) => result !== null);
  const subjectOf = ({ persona }: AnalyzedSession) => ({
    ...{ kind: 'persona', id: persona.id, label: persona.name },
  });
  const hasFailed = ({ result }: AnalyzedSession) => result === 'failed';
  return standOut('persona_struggles', graded, subjectOf, hasFailed, 1.5);
}

/** One of several, in which it happens at least half the time, and so many times as often as in all others. */
function standOut(
  detector: Detector,
  sessions: readonly AnalyzedSession[],
  subjectOf: (session: AnalyzedSession) => Subject,
  happened: (session: AnalyzedSession) => boolean,
  times: number,
): Looked[] {
  const groups = groupBy(sessions, (one) =>
    JSON.stringify([subjectOf(one).kind, subjectOf(one).id]),
  );
  if (groups.size < 2) return [];
  const share = (of: readonly AnalyzedSession[]) => of.filter(happened).length / of.length;
  return [...groups.values()].map((slice) => {
    const own = new Set(slice);
    const rest = sessions.filter((session) => !own.has(session));
    const fires = share(slice) >= 0.5 && share(slice) >= times * share(rest);
    const subject = subjectOf(slice[0] as AnalyzedSession);
    return look(detector, subject, slice.filter(happened), slice, fires);
  });
}

function recoveredErrors(played: readonly AnalyzedSession[]): Looked[] {
  return [...usesByTool(played)].map(([id, uses]) => {
    const slice = uses.map(({ unit }) => unit);
    const fired = uses.flatMap(({ unit, use }) =>
      unit.result === 'passed' && unit.recovered.includes(toolIdOf(use)) ? unit : [],
    );
    return look('error_recovered_pass', toolSubject(id, uses), fired, slice, true);
  });
}

function look(
  detector: Detector,
  subject: Subject,
  fired: readonly AnalyzedSession[],
  slice: readonly AnalyzedSession[],
  fires: boolean,
  metric?: number,
): Looked {
  const detection = { detector, subject, fired, slice, ...(metric !== undefined && { metric }) };
  return { detection, fires };
}
