/**
 * Counts problems in a wave's sessions that were played to their end. Sessions that ended early are
 * ignored, since no server is to blame for them.
 */
import { toolSubject, usesByTool } from '../insights/detect-by-use.ts';
import { type Detection, groupBy } from '../insights/detection.ts';
import {
  aboveOthers,
  type Detected,
  detectIn,
  look,
  type SessionDetector,
} from '../insights/session-detector.ts';
import { toolIdOf } from '../insights/tool-uses.ts';
import type { AnalyzedSession } from './analyzed-session.ts';

export type SessionDetection = Detection<AnalyzedSession>;
type LookedAt = SessionDetector<AnalyzedSession>;

export function detectInWave(sessions: readonly AnalyzedSession[]): Detected<AnalyzedSession> {
  const played = sessions.filter(({ wasPlayed }) => wasPlayed);
  return detectIn(played, [
    ...criteria(played),
    ...journeys(played),
    ...targets(played),
    ...personas(played),
    ...recoveredErrors(played),
  ]);
}

function criteria(played: readonly AnalyzedSession[]): LookedAt[] {
  const graded = played.flatMap((session) =>
    session.criteria.map((grade) => ({ session, grade, id: criterionSubjectId(session, grade) })),
  );
  return [...groupBy(graded, ({ id }) => id)].map(([id, of]) => {
    const [first] = of;
    const label = first === undefined ? id : criterionSubjectLabel(first.session, first.grade);
    const fired = of.filter(({ grade }) => !grade.passed).map(({ session }) => session);
    const slice = of.map(({ session }) => session);
    return look('criterion_fail', { kind: 'criterion', id, label }, fired, slice, true);
  });
}

export function criterionSubjectId(
  { journey }: Pick<AnalyzedSession, 'journey'>,
  { criterionId }: { readonly criterionId: string },
): string {
  return `${journey.id}.${criterionId}`;
}

/**
 * Returns the criterion's label with the journey's name, since criteria of several journeys often
 * share a label.
 */
function criterionSubjectLabel(
  { journey }: Pick<AnalyzedSession, 'journey'>,
  { label }: { readonly label: string },
): string {
  return `${label} (${journey.name})`;
}

/** The largest score above the threshold at which a pass still counts as marginal. */
const marginOfPass = 0.05;
/** A tolerance, since differences of decimal scores are not exact. */
const rounding = 1e-9;

function journeys(played: readonly AnalyzedSession[]): LookedAt[] {
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

function targets(played: readonly AnalyzedSession[]): LookedAt[] {
  const hasErrors = ({ tools }: AnalyzedSession) => tools.some(({ errors }) => errors > 0);
  const traced = played.filter(({ hasTrace }) => hasTrace);
  const subjectOf = ({ target }: AnalyzedSession) => target;
  const lost = new Set(played.flatMap(({ hasTrace, target }) => (hasTrace ? [] : target.id)));
  // A session without a trace may have had errors that are not known. So if any trace is missing, a
  // target without the problem is not counted as free of it.
  return aboveOthers('target_failures', traced, subjectOf, hasErrors, { times: 2 }).filter(
    ({ fires }) => fires || lost.size === 0,
  );
}

function personas(played: readonly AnalyzedSession[]): LookedAt[] {
  const graded = played.filter(({ result }) => result !== null);
  const subjectOf = ({ persona }: AnalyzedSession) => ({
    kind: 'persona',
    id: persona.id,
    label: persona.name,
  });
  const hasFailed = ({ result }: AnalyzedSession) => result === 'failed';
  return aboveOthers('persona_struggles', graded, subjectOf, hasFailed, { times: 1.5 });
}

function recoveredErrors(played: readonly AnalyzedSession[]): LookedAt[] {
  return [...usesByTool(played)].map(([id, uses]) => {
    const slice = uses.map(({ unit }) => unit);
    const fired = uses.flatMap(({ unit, use }) =>
      unit.result === 'passed' && unit.recovered.includes(toolIdOf(use)) ? unit : [],
    );
    return look('error_recovered_pass', toolSubject(id, uses), fired, slice, true);
  });
}
