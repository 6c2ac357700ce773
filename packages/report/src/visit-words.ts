import {
  count,
  type FeedbackOfSession,
  grouped,
  type MetricsOfScenario,
  percent,
  type SessionOutcome,
} from '@proofmark/domain';

/** Lists, findings and numbers all use this rule. */
export const overSentence =
  'A conversation is over when it has ended, or after ten minutes without a message.';

export const visitOutcomeWords: Readonly<Record<SessionOutcome, string>> = {
  completed: 'completed without a tool error',
  partial: 'completed after a tool error',
  errored: 'ended on a tool error',
  unresolved: 'no tool helped',
  unclear: 'unclear: no tool answered',
};

/** Examples: "2 of 5", "not helpful", "1 of 5, the lowest of 3 ratings". */
export function ratingWords({ rating, scale, count: ratings }: Omit<FeedbackOfSession, 'comment'>) {
  if (rating === null) return 'not rated';
  const thumb = rating > 2 ? 'helpful' : 'not helpful';
  const given = scale === 'thumbs' ? thumb : `${rating} of 5`;
  return ratings > 1 ? `${given}, the lowest of ${grouped(ratings)} ratings` : given;
}

/** Example: "4 conversations of 2 visitors, 3 of them over." */
export function conversationsSentence({
  population,
  sessionCount,
  uniqueVisitorCount,
  analyzedCount,
}: Pick<
  MetricsOfScenario,
  'population' | 'sessionCount' | 'uniqueVisitorCount' | 'analyzedCount'
>): string {
  const who = {
    real: count(uniqueVisitorCount, 'visitor'),
    synthetic: count(uniqueVisitorCount, 'persona'),
    all:
      uniqueVisitorCount === 1
        ? '1 visitor or persona'
        : `${grouped(uniqueVisitorCount)} visitors and personas`,
  }[population];
  const are = population === 'synthetic' ? 'played to their end' : 'over';
  return `${count(sessionCount, 'conversation')} of ${who}, ${grouped(analyzedCount)} of them ${are}.`;
}

/** Example: "2 of 3 that are over, 66.7 %". */
export function completedWords({
  population,
  completedCount,
  analyzedCount,
}: Pick<MetricsOfScenario, 'population' | 'completedCount' | 'analyzedCount'>): string {
  const are = population === 'synthetic' ? 'were played to their end' : 'are over';
  if (analyzedCount === 0) return population === 'synthetic' ? `none ${are}` : 'none is over yet';
  const share = percent(completedCount / analyzedCount);
  return `${grouped(completedCount)} of ${grouped(analyzedCount)} that ${are}, ${share}`;
}

/** Examples: "none in 3 calls", "2 of 5 calls, in 1 conversation". */
export function toolErrorsWords({
  toolCallCount,
  toolErrorCount,
  sessionsWithToolErrors,
}: Pick<MetricsOfScenario, 'toolCallCount' | 'toolErrorCount' | 'sessionsWithToolErrors'>): string {
  if (toolCallCount === 0) return 'no call yet';
  if (toolErrorCount === 0) return `none in ${count(toolCallCount, 'call')}`;
  return `${grouped(toolErrorCount)} of ${count(toolCallCount, 'call')}, in ${count(sessionsWithToolErrors, 'conversation')}`;
}

/** A call without a recorded end has no duration. */
export function callDurationWords({
  toolCallCount,
  latencyP50Ms,
  latencyP95Ms,
}: Pick<MetricsOfScenario, 'toolCallCount' | 'latencyP50Ms' | 'latencyP95Ms'>): string {
  if (latencyP50Ms === null) return toolCallCount === 0 ? 'no call yet' : 'not recorded';
  return `${grouped(latencyP50Ms)} ms median, ${grouped(latencyP95Ms ?? latencyP50Ms)} ms p95`;
}

/** Reports each scale separately. Thumbs have no average, because nobody gave a number. */
export function ratedWords({
  ratedByStars,
  ratedByThumbs,
}: Pick<MetricsOfScenario, 'ratedByStars' | 'ratedByThumbs'>): string {
  const { averageRating, sessionCount } = ratedByStars;
  const stars =
    averageRating === null
      ? []
      : [`${averageRating.toFixed(1)} of 5 on average, in ${count(sessionCount, 'conversation')}`];
  const thumbs =
    ratedByThumbs.sessionCount === 0
      ? []
      : [
          `helpful in ${grouped(ratedByThumbs.helpfulCount)} of ${count(ratedByThumbs.sessionCount, 'conversation')}`,
        ];
  return [...stars, ...thumbs].join('; ') || 'none yet';
}

/** Example: "1 of 2 rated conversations". */
export function visitFindingFigures(finding: {
  readonly detector: string;
  readonly evidence: { readonly affected: number; readonly sliceTotal: number };
}): string {
  const { affected, sliceTotal } = finding.evidence;
  const of = (unit: string, rest = '') =>
    `${grouped(affected)} of ${count(sliceTotal, unit)}${rest}`;
  switch (finding.detector) {
    case 'negative_feedback':
      return of('conversation', ' with a rating of these calls');
    case 'terminal_error_concentration':
      return of('conversation', ' with these calls');
    case 'tool_errors':
    case 'latency_outlier':
      return of('conversation', ' with calls of it');
    default:
      return of('conversation');
  }
}
