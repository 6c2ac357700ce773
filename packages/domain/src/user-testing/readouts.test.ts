import { anyScenarioSession, scenarioSessionOf } from '@proofmark/harness/any-visits.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { caseOfVisit } from './case-of-visit.ts';
import { feedbackOfSession } from './feedback.ts';
import { metricsOf } from './population-metrics.ts';
import { usageOf } from './scenario-usage.ts';
import { pageOfTranscript } from './transcript-page.ts';
import { segmentOf, visitorNameOf } from './visitor-words.ts';

const whole = { population: 'all', truncated: false } as const;
const tool = (toolName: string, calls: number, errors: number, durationsMs: number[] = []) => ({
  toolName,
  serverId: 'srv_1',
  serverName: 'Shop',
  calls,
  errors,
  durationsMs,
});

test('metrics of nothing have no rate', () => {
  const metrics = metricsOf([], whole);
  expect(metrics).toMatchObject({ sessionCount: 0, topFailingTool: null, trend: [] });
  const rates = Object.entries(metrics).filter(([name]) =>
    /Rate$|^avg|^latency|^average/.test(name),
  );
  expect(rates).toHaveLength(8);
  for (const [name, rate] of rates) expect([name, rate]).toEqual([name, null]);
});

test('metrics divide by what they are about, and a session that goes on is in no rate', () => {
  const day = 86_400_000;
  const metrics = metricsOf(
    [
      scenarioSessionOf({
        rating: 1,
        tokensUsed: 30,
        startedAt: day + 5,
        over: {
          outcome: 'completed',
          tools: [tool('book', 3, 1, [10, 20]), tool('ask', 1, 0, [30])],
        },
      }),
      scenarioSessionOf({
        visitor: 'v2',
        over: { outcome: 'errored', tools: [tool('book', 1, 1)] },
      }),
      scenarioSessionOf({ rating: 5, over: null }),
    ],
    whole,
  );
  expect(metrics).toMatchObject({
    sessionCount: 3,
    analyzedCount: 2,
    uniqueVisitorCount: 2,
    toolCallCount: 5,
    toolErrorCount: 2,
    toolErrorRate: 0.4,
    sessionsWithToolErrors: 2,
    topFailingTool: { toolName: 'book', errorCount: 2 },
    avgToolCallsPerSession: 2.5,
    latencyP50Ms: 20,
    latencyP95Ms: 29,
    avgTokensPerSession: 30,
    tokenSampleCount: 1,
    completedCount: 1,
    completionRate: 0.5,
    ratedSessionCount: 2,
    averageRating: 3,
    negativeRate: 0.5,
  });
  expect(metrics.trend.map(({ dayStartMs, sessionCount }) => [dayStartMs, sessionCount])).toEqual([
    [0, 2],
    [day, 1],
  ]);
});

test('both populations together are the sum of each, whatever was played', () => {
  const sums = [
    ...['sessionCount', 'analyzedCount', 'uniqueVisitorCount', 'toolCallCount', 'toolErrorCount'],
    ...['sessionsWithToolErrors', 'tokenSampleCount', 'completedCount', 'ratedSessionCount'],
  ] as ('sessionCount' | 'uniqueVisitorCount')[];
  fc.assert(
    fc.property(fc.array(anyScenarioSession, { maxLength: 20 }), (sessions) => {
      const of = (population: 'real' | 'synthetic') =>
        metricsOf(
          sessions.filter((session) => session.population === population),
          { population, truncated: false },
        );
      const [all, real, synthetic] = [metricsOf(sessions, whole), of('real'), of('synthetic')];
      for (const name of sums) expect(all[name]).toBe(real[name] + synthetic[name]);
      for (const rate of [all.toolErrorRate, all.completionRate, all.negativeRate]) {
        if (rate !== null) expect(rate >= 0 && rate <= 1).toBe(true);
      }
      const days = all.trend.reduce((sum, day) => sum + day.sessionCount, 0);
      expect(days).toBe(all.sessionCount);
    }),
  );
});

test('usage counts a session once for each key, the most frequent first, and says what it read', () => {
  const usage = usageOf(
    [
      scenarioSessionOf({
        modelId: 'n',
        rating: 4,
        lastActivityAt: 5,
        over: { outcome: 'completed', tools: [tool('book', 2, 1), tool('ask', 1, 0)] },
      }),
      scenarioSessionOf({ rating: 3, lastActivityAt: 9 }),
      scenarioSessionOf({ rating: 2, language: null, over: null, lastActivityAt: 7 }),
      scenarioSessionOf({
        population: 'synthetic',
        segment: null,
        deviceKind: null,
        language: null,
        criteria: [{ criterionId: 'c', label: 'Books', kind: 'noToolErrors', passed: null }],
        lastActivityAt: 8,
      }),
    ],
    600,
  );
  expect(usage).toEqual({
    totalSessions: 600,
    modelBreakdown: [
      { key: 'm', label: 'm', count: 3 },
      { key: 'n', label: 'n', count: 1 },
    ],
    serverBreakdown: [{ key: 'srv_1', label: 'Shop', count: 1 }],
    toolBreakdown: [
      { key: 'srv_1.ask', label: 'ask', count: 1, callCount: 1, errorCount: 0 },
      { key: 'srv_1.book', label: 'book', count: 1, callCount: 2, errorCount: 1 },
    ],
    deviceBreakdown: [{ key: 'desktop', label: 'desktop', count: 3 }],
    languageBreakdown: [{ key: 'en', label: 'en', count: 2 }],
    outcomeBreakdown: [{ key: 'completed', label: 'completed', count: 3 }],
    userBreakdown: [{ segment: 'guest-new', positive: 1, neutral: 1, negative: 1, none: 0 }],
    criterionBreakdown: [
      {
        criterionId: 'c',
        label: 'Books',
        kind: 'noToolErrors',
        passCount: 0,
        failCount: 0,
        ungradedCount: 1,
      },
    ],
    scan: {
      scanned: 4,
      matched: 600,
      truncated: true,
      maxSessions: 500,
      windowStartAt: 5,
      windowEndAt: 9,
    },
  });
});

test('usage and metrics count the same, whatever was played', () => {
  const sum = (rows: readonly number[]) => rows.reduce((total, row) => total + row, 0);
  fc.assert(
    fc.property(fc.array(anyScenarioSession, { maxLength: 12 }), (sessions) => {
      const usage = usageOf(sessions, sessions.length);
      const metrics = metricsOf(sessions, whole);
      const { toolBreakdown, userBreakdown } = usage;
      expect(sum(usage.outcomeBreakdown.map(({ count }) => count))).toBe(metrics.analyzedCount);
      expect(sum(toolBreakdown.map(({ callCount }) => callCount))).toBe(metrics.toolCallCount);
      expect(sum(toolBreakdown.map(({ errorCount }) => errorCount))).toBe(metrics.toolErrorCount);
      expect(sum(metrics.trend.map((day) => day.sessionCount))).toBe(sessions.length);
      const visitors = sessions.filter(({ segment }) => segment !== null);
      const allCounts = userBreakdown.flatMap(({ segment: _, ...counts }) => Object.values(counts));
      expect(sum(allCounts)).toBe(visitors.length);
      expect(metrics.uniqueVisitorCount).toBeLessThanOrEqual(sessions.length);
    }),
  );
});

test('a server is called as the newest session calls it', () => {
  const named = (serverName: string) =>
    scenarioSessionOf({
      over: { outcome: 'completed', tools: [{ ...tool('book', 1, 0), serverName }] },
    });
  expect(usageOf([named('New shop'), named('Shop')], 2).serverBreakdown).toEqual([
    { key: 'srv_1', label: 'New shop', count: 2 },
  ]);
});

test('the lowest rating speaks for a session, with its comment', () => {
  expect(feedbackOfSession([])).toEqual({
    rating: null,
    scale: null,
    comment: null,
    count: 0,
  });
  const given = [
    { rating: 5, scale: 'thumbs' as const, comment: 'good', updatedAt: 9 },
    { rating: 2, scale: null, comment: 'older', updatedAt: 1 },
    { rating: 2, scale: 'stars' as const, comment: 'slow', updatedAt: 2 },
  ];
  expect(feedbackOfSession(given)).toEqual({
    rating: 2,
    scale: 'stars',
    comment: 'slow',
    count: 3,
  });
});

test('a visitor has a name, or is a guest by a hash, and never an address', () => {
  const hash = 'beef0123';
  expect(visitorNameOf({ name: 'Ann', hash })).toBe('Ann');
  for (const name of [null, '', ' ', 'ann@example.org']) {
    expect(visitorNameOf({ name, hash })).toBe('Guest beef');
  }
  expect(segmentOf({ authType: 'signedIn', recency: 'returning' })).toBe('signedIn-returning');
});

test('a page of a transcript shows words without secrets and nothing that a tool answered', () => {
  const recorded = [
    { role: 'user', text: 'My password: hunter2hunter2 is it', createdAt: 1 },
    { role: 'tool', text: 'raw', toolName: 'search', arguments: { a: 1 } },
    { text: 'who' },
    'broken',
  ];
  expect(pageOfTranscript(recorded, { offset: 0, limit: 2 })).toEqual({
    messages: [
      { role: 'user', text: 'My password: [redacted] is it', createdAt: 1 },
      { role: 'tool', text: '', toolName: 'search' },
    ],
    nextOffset: 2,
  });
  expect(pageOfTranscript(recorded, { offset: 2, limit: 2 })).toEqual({
    messages: [
      { role: 'unknown', text: 'who' },
      { role: 'unknown', text: '' },
    ],
  });
  expect(pageOfTranscript(recorded, { offset: 9, limit: 2 })).toEqual({ messages: [] });
});

test('pages of any size, one after the other, are the whole transcript', () => {
  fc.assert(
    fc.property(fc.nat(30), fc.integer({ min: 1, max: 12 }), (count, limit) => {
      const all = Array.from({ length: count }, (_, index) => ({ role: 'user', text: `${index}` }));
      const read: unknown[] = [];
      for (let offset: number | undefined = 0; offset !== undefined; ) {
        const page: ReturnType<typeof pageOfTranscript> = pageOfTranscript(all, { offset, limit });
        read.push(...page.messages);
        offset = page.nextOffset;
      }
      expect(read).toEqual(all);
    }),
  );
});

test('a session without a word of the visitor is no case', () => {
  const visit = { scenarioName: 'Shop', visitorName: 'Guest beef', modelId: 'm' };
  expect(caseOfVisit({ ...visit, prompts: [] })).toBeUndefined();
  expect(caseOfVisit({ ...visit, prompts: ['Hi', 'Buy it'] })).toEqual({
    title: 'Shop · Guest beef',
    steps: [
      { id: 'turn-1', kind: 'prompt', prompt: 'Hi' },
      { id: 'turn-2', kind: 'prompt', prompt: 'Buy it' },
    ],
    models: [{ model: 'm' }],
  });
});

test('what looks secret does not stand in a case', () => {
  const visit = { scenarioName: 'Shop', visitorName: 'Guest beef', modelId: null };
  const made = caseOfVisit({ ...visit, prompts: ['My password: hunter2'] });
  expect(made?.steps).toMatchObject([{ prompt: 'My password: [redacted]' }]);
});
