/**
 * The metrics of a scenario, computed by counting. A rate that would divide by zero is null.
 * Unfinished sessions are left out of all rates.
 */
import { percentile95 } from '../gates/measures.ts';
import { mostFrequent } from '../insights/candidate.ts';
import { groupBy } from '../insights/detection.ts';
import { medianOf } from '../insights/outliers.ts';
import type { Population, SessionOfScenario } from './scenario-session.ts';
import { badRating } from './session-outcome.ts';

export interface MetricsOfScenario {
  readonly population: Population | 'all';
  readonly sessionCount: number;
  readonly analyzedCount: number;
  /** Whether there are more sessions than were counted; the newest are counted. */
  readonly truncated: boolean;
  readonly uniqueVisitorCount: number;
  readonly toolCallCount: number;
  readonly toolErrorCount: number;
  readonly toolErrorRate: number | null;
  readonly sessionsWithToolErrors: number;
  readonly topFailingTool: { readonly toolName: string; readonly errorCount: number } | null;
  readonly avgToolCallsPerSession: number | null;
  readonly latencyP50Ms: number | null;
  readonly latencyP95Ms: number | null;
  readonly avgTokensPerSession: number | null;
  readonly tokenSampleCount: number;
  readonly completedCount: number;
  readonly completionRate: number | null;
  readonly ratedSessionCount: number;
  readonly averageRating: number | null;
  readonly negativeRate: number | null;
  /** The ratings by scale. A rating whose scale was not recorded counts as stars. */
  readonly ratedByStars: { readonly sessionCount: number; readonly averageRating: number | null };
  readonly ratedByThumbs: { readonly sessionCount: number; readonly helpfulCount: number };
  readonly trend: readonly DayOfMetrics[];
}

export interface DayOfMetrics {
  readonly dayStartMs: number;
  readonly sessionCount: number;
  readonly analyzedCount: number;
  readonly toolCallCount: number;
  readonly toolErrorCount: number;
  readonly completedCount: number;
}

export function metricsOf(
  sessions: readonly SessionOfScenario[],
  { population, truncated }: Pick<MetricsOfScenario, 'population' | 'truncated'>,
): MetricsOfScenario {
  const counts = countsOf(sessions);
  const tools = sessions.flatMap(({ over }) => over?.tools ?? []);
  const durations = tools.flatMap(({ durationsMs }) => durationsMs);
  const tokens = sessions.flatMap(({ tokensUsed }) => tokensUsed ?? []);
  const ratings = sessions.flatMap(({ rating }) => rating ?? []);
  const p95 = percentile95(durations);
  return {
    population,
    truncated,
    ...counts,
    uniqueVisitorCount: new Set(sessions.map(({ visitor }) => visitor)).size,
    toolErrorRate: rate(counts.toolErrorCount, counts.toolCallCount),
    sessionsWithToolErrors: sessions.filter(({ over }) =>
      over?.tools.some(({ errors }) => errors > 0),
    ).length,
    topFailingTool: topFailingTool(tools),
    avgToolCallsPerSession: rate(counts.toolCallCount, counts.analyzedCount),
    latencyP50Ms: durations.length === 0 ? null : Math.round(medianOf(durations)),
    latencyP95Ms: p95 === undefined ? null : Math.round(p95),
    avgTokensPerSession: rate(sum(tokens), tokens.length),
    tokenSampleCount: tokens.length,
    completionRate: rate(counts.completedCount, counts.analyzedCount),
    ratedSessionCount: ratings.length,
    averageRating: rate(sum(ratings), ratings.length),
    negativeRate: rate(ratings.filter((one) => one <= badRating).length, ratings.length),
    ...ratingsByScale(sessions),
    trend: trendOf(sessions),
  };
}

function ratingsByScale(
  sessions: readonly SessionOfScenario[],
): Pick<MetricsOfScenario, 'ratedByStars' | 'ratedByThumbs'> {
  const rated = (isWanted: (scale: SessionOfScenario['ratingScale']) => boolean) =>
    sessions.flatMap(({ rating, ratingScale }) => (isWanted(ratingScale) ? (rating ?? []) : []));
  const stars = rated((scale) => scale !== 'thumbs');
  const thumbs = rated((scale) => scale === 'thumbs');
  return {
    ratedByStars: { sessionCount: stars.length, averageRating: rate(sum(stars), stars.length) },
    ratedByThumbs: {
      sessionCount: thumbs.length,
      helpfulCount: thumbs.filter((one) => one > badRating).length,
    },
  };
}

function countsOf(sessions: readonly SessionOfScenario[]): Omit<DayOfMetrics, 'dayStartMs'> {
  const over = sessions.flatMap((session) => session.over ?? []);
  const tools = over.flatMap((one) => one.tools);
  return {
    sessionCount: sessions.length,
    analyzedCount: over.length,
    toolCallCount: sum(tools.map(({ calls }) => calls)),
    toolErrorCount: sum(tools.map(({ errors }) => errors)),
    completedCount: over.filter(({ outcome }) => outcome === 'completed').length,
  };
}

const dayMs = 24 * 60 * 60 * 1000;

/** Returns the metrics of each day on which a session began, oldest day first. */
function trendOf(sessions: readonly SessionOfScenario[]): DayOfMetrics[] {
  const startOf = ({ startedAt }: SessionOfScenario) => Math.floor(startedAt / dayMs) * dayMs;
  return [...groupBy(sessions, (session) => String(startOf(session))).values()]
    .map((of) => ({ dayStartMs: startOf(of[0] as SessionOfScenario), ...countsOf(of) }))
    .sort((one, other) => one.dayStartMs - other.dayStartMs);
}

function topFailingTool(
  tools: readonly { readonly toolName: string; readonly errors: number }[],
): MetricsOfScenario['topFailingTool'] {
  const byName = groupBy(
    tools.filter(({ errors }) => errors > 0),
    ({ toolName }) => toolName,
  );
  const errorsOf = (name: string) => sum((byName.get(name) ?? []).map(({ errors }) => errors));
  const toolName = mostFrequent([...byName.keys()].sort(), errorsOf);
  return toolName === undefined ? null : { toolName, errorCount: errorsOf(toolName) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function rate(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
