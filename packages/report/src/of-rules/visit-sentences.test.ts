/**
 * The sentences about a scenario and about each of its conversations must not contradict each
 * other: outcomes, tool errors, durations and ratings come from the same conversations, in sums,
 * tables and days.
 */
import {
  type FeedbackOfSession,
  feedbackOfSession,
  metricsOf,
  outcomeOfSession,
  type Population,
  type SessionOfScenario,
  usageOf,
} from '@proofmark/domain';
import { scenarioSessionOf } from '@proofmark/harness/any-visits.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  callDurationWords,
  completedWords,
  conversationsSentence,
  ratedWords,
  ratingWords,
  toolErrorsWords,
  visitOutcomeWords,
} from '../index.ts';

const anyCall = fc.record({
  toolName: fc.constantFrom('search', 'book'),
  hasFailed: fc.boolean(),
  durationMs: fc.option(fc.nat(1000)),
});
const anyRating = fc.constantFrom(1, 2, 3, 4, 5);
const anyVisit = fc
  .record({
    population: fc.constantFrom('real' as const, 'synthetic' as const),
    visitor: fc.constantFrom('a', 'b', 'c'),
    day: fc.nat(3),
    isOver: fc.boolean(),
    calls: fc.array(anyCall, { maxLength: 3 }),
    lastAnswer: fc.constantFrom('Done.', 'No listed tool fits this request.'),
    authInterrupted: fc.constantFrom(false, false, true),
    scale: fc.constantFrom('stars' as const, 'thumbs' as const),
    ratings: fc.array(anyRating, { maxLength: 3 }),
  })
  .map(({ calls, scale, ...visit }) => {
    const given = visit.population === 'real' ? visit.ratings : [];
    const feedback = feedbackOfSession(
      given.map((stars, at) => ({
        scale,
        comment: null,
        updatedAt: at,
        rating: scale === 'stars' ? stars : stars > 2 ? 5 : 1,
      })),
    );
    const { lastAnswer, authInterrupted } = visit;
    const { rating } = feedback;
    const outcome = outcomeOfSession({ calls, lastAnswer, authInterrupted, rating });
    return {
      visit: { ...visit, calls },
      feedback,
      session: sessionOf(visit, calls, feedback, outcome),
    };
  });

function sessionOf(
  visit: { population: Population; visitor: string; day: number; isOver: boolean },
  calls: readonly { toolName: string; hasFailed: boolean; durationMs: number | null }[],
  feedback: FeedbackOfSession,
  outcome: NonNullable<SessionOfScenario['over']>['outcome'],
): SessionOfScenario {
  const names = [...new Set(calls.map(({ toolName }) => toolName))];
  const tools = names.map((toolName) => {
    const of = calls.filter((call) => call.toolName === toolName);
    return {
      toolName,
      serverId: 'srv_1',
      serverName: 'Shop',
      calls: of.length,
      errors: of.filter(({ hasFailed }) => hasFailed).length,
      durationsMs: of.flatMap(({ durationMs }) => durationMs ?? []),
    };
  });
  return scenarioSessionOf({
    population: visit.population,
    visitor: `${visit.population} ${visit.visitor}`,
    startedAt: visit.day * 86_400_000,
    segment: visit.population === 'real' ? 'guest-new' : null,
    rating: feedback.rating,
    ratingScale: feedback.scale,
    over: visit.isOver ? { outcome, tools } : null,
  });
}

const numbers = (text: string) =>
  [...text.replaceAll(',', '').matchAll(/\d+(?:\.\d+)?/g)].map(([one]) => Number(one));
const anyVisits = fc.array(anyVisit, { maxLength: 10 });
const anyPopulation = fc.constantFrom('real' as const, 'synthetic' as const, 'all' as const);

test('the outcome of a conversation says of its tools what their calls did', () => {
  fc.assert(
    fc.property(anyVisit, ({ visit: { calls, isOver }, session }) => {
      if (!isOver || session.over === null) return;
      const words = visitOutcomeWords[session.over.outcome];
      const failed = calls.filter(({ hasFailed }) => hasFailed).length;
      if (words.includes('without a tool error')) expect(failed).toBe(0);
      if (words.includes('after a tool error') || words.includes('on a tool error')) {
        expect(failed).toBeGreaterThan(0);
      }
      if (words.includes('no tool answered')) expect(calls).toEqual([]);
    }),
  );
});

test('the sentences about a scenario, its tables and its days count the same conversations', () => {
  fc.assert(
    fc.property(anyVisits, anyPopulation, (visits, population) => {
      const all = visits.map(({ session }) => session);
      const of = population === 'all' ? all : all.filter((one) => one.population === population);
      const metrics = metricsOf(of, { population, truncated: false });
      const usage = usageOf(of, of.length);
      const over = of.flatMap((session) => session.over ?? []);
      const sentence = conversationsSentence(metrics);
      expect(sentence).not.toMatch(/\b1 \w+s\b/);
      expect(numbers(sentence).at(0)).toBe(of.length);
      expect(numbers(sentence).at(-1)).toBe(over.length);
      const outcomes = new Map(usage.outcomeBreakdown.map(({ key, count }) => [key, count]));
      expect([...outcomes.values()].reduce((sum, one) => sum + one, 0)).toBe(over.length);
      const completed = completedWords(metrics);
      expect(completed.startsWith('none')).toBe(over.length === 0);
      if (over.length > 0) expect(numbers(completed)[0]).toBe(outcomes.get('completed') ?? 0);

      const errors = toolErrorsWords(metrics);
      const calls = usage.toolBreakdown.reduce((sum, { callCount }) => sum + callCount, 0);
      const failed = usage.toolBreakdown.reduce((sum, { errorCount }) => sum + errorCount, 0);
      expect(errors === 'no call yet').toBe(calls === 0);
      expect(callDurationWords(metrics) === 'no call yet').toBe(calls === 0);
      expect(metrics.topFailingTool === null).toBe(failed === 0);
      if (failed > 0) expect(numbers(errors).slice(0, 2)).toEqual([failed, calls]);
      const broken = of.filter(({ over: one }) => one?.tools.some((tool) => tool.errors > 0));
      if (failed > 0) expect(numbers(errors)[2]).toBe(broken.length);
      const without = outcomes.get('completed') ?? 0;
      expect(without + metrics.sessionsWithToolErrors).toBeLessThanOrEqual(over.length);

      const days = (name: 'sessionCount' | 'analyzedCount' | 'completedCount' | 'toolErrorCount') =>
        metrics.trend.reduce((sum, day) => sum + day[name], 0);
      expect([days('sessionCount'), days('analyzedCount')]).toEqual([of.length, over.length]);
      expect([days('completedCount'), days('toolErrorCount')]).toEqual([without, failed]);
    }),
  );
});

test('the ratings of the conversations, their sum and the table of visitors agree', () => {
  fc.assert(
    fc.property(anyVisits, (visits) => {
      const of = visits.filter(({ session }) => session.population === 'real');
      const sessions = of.map(({ session }) => session);
      const metrics = metricsOf(sessions, { population: 'real', truncated: false });
      const words = of.map(({ feedback }) => ratingWords(feedback));
      const amount = (pattern: RegExp) => words.filter((one) => pattern.test(one)).length;
      const [users] = usageOf(sessions, sessions.length).userBreakdown;
      const rated = ratedWords(metrics);
      expect(amount(/^not rated$/)).toBe(users?.none ?? 0);
      expect(rated === 'none yet').toBe(words.every((one) => one === 'not rated'));
      expect(Number(/on average, in (\d+)/.exec(rated)?.[1] ?? 0)).toBe(amount(/ of 5/));
      const [helpful = 0, thumbs = 0] = numbers(/helpful in .+$/.exec(rated)?.[0] ?? '');
      expect([helpful, thumbs]).toEqual([amount(/^helpful/), amount(/helpful/)]);
      const bad = amount(/^not helpful|^[12] of 5/);
      expect(users?.negative ?? 0).toBe(bad);
    }),
  );
});
