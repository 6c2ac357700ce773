import { joinedTokens } from '@proofmark/domain';
import { describe, expect, test } from 'vitest';
import { flakyLines } from '../commands/suite/flaky.ts';
import { type RunComparison, runComparisonLines } from './run-comparison.ts';
import { type RunStatistics, runStatisticsLines } from './run-statistics.ts';

const terminal = { ascii: true, width: 80 };

describe('a comparison of runs', () => {
  const side = (passedTrials: number, eligibleTrials: number) =>
    ({ passedTrials, eligibleTrials }) as RunComparison['cases'][number]['base'];
  const row = (title: string, more: Partial<RunComparison['cases'][number]>) =>
    ({
      title,
      status: 'regressed',
      significance: 'outside_noise',
      p: 0.0079,
      holm: 0.0159,
      bh: 0.0159,
      base: side(5, 5),
      compare: side(0, 5),
      ...more,
    }) as RunComparison['cases'][number];
  const compared = (
    cases: RunComparison['cases'],
    changed: readonly Partial<RunComparison['surface']['changed'][number]>[] = [],
  ) =>
    ({
      baseRun: { runNumber: 3, result: 'passed' },
      compareRun: { runNumber: 4, result: 'failed' },
      cases,
      paired: {
        pairs: 2,
        clusters: 2,
        difference: -0.5,
        standardError: 0.5,
        method: 'none',
        p: null,
        level: 0.05,
        left: [],
        right: [],
        ungraded: [],
      },
      correction: {
        cases: cases.length,
        level: 0.05,
        gate: 'holm',
        list: 'benjaminiHochberg',
      },
      surface: {
        baseRunId: 'run_0',
        baseHash: 'a',
        hash: 'b',
        removed: [],
        renamed: [],
        changed,
        added: [],
        totals: { added: 0, removed: 0, renamed: 0, changed: changed.length },
      },
      tokens: { base: joinedTokens([]), compare: joinedTokens([]) },
    }) as unknown as RunComparison;

  test('names what changed of the tools, ten of them', () => {
    const changed = Array.from({ length: 12 }, (_, at) => ({
      toolName: `t${at}`,
      what: 'description',
      effect: 'words',
      failingTrials: 12 - at,
    })) as Partial<RunComparison['surface']['changed'][number]>[];
    const lines = runComparisonLines(compared([row('Weather', {})], changed), false, terminal);
    const from = lines.indexOf('Changed tools, the likeliest causes first:');
    expect(lines.slice(from, from + 2)).toEqual([
      'Changed tools, the likeliest causes first:',
      '  The description of "t0" says something else; 12 failing trials have to do with',
    ]);
    expect(lines.at(-1)).toBe('  2 more changes; `proofmark eval surface` lists them.');
  });

  test('says beside each change whether it is noise', () => {
    const cases = [
      row('Weather', {}),
      row('Same', { status: 'unchanged_passed', significance: 'within_noise' }),
      row('Once', { base: side(1, 1), compare: side(0, 1), significance: 'too_few' }),
    ];
    expect(runComparisonLines(compared(cases), false, terminal)).toEqual([
      'Worse than run 3 (paired over 2 cases, too few to compare; corrected over 3',
      '  cases): 1 of 3 cases got worse; 1 of 3 cases fails now and passed before.',
      'Before: run 3 (passed). After: run 4 (failed).',
      '  Weather: got worse; 0 of 5 passed, before 5 of 5; outside the noise at 5 % (p',
      '    = 0.016, corrected over 3 cases).',
      '  Once: fails now, passed before; 0 of 1 passed, before 1 of 1.',
      '1 of 3 cases did not change; --all lists them.',
      'A paired comparison needs 6 cases with graded trials in both runs; there are 2',
      '  (11 trials; in run 3: 11).',
      "Single cases are compared by Fisher's exact test, corrected over 3 cases by",
      '  Holm: if nothing changed, the chance that any is called better or worse is at',
      '  most 5 %.',
    ]);
    expect(runComparisonLines(compared(cases), true, terminal).join(' ')).toContain('Same: passed');
  });

  test('names no cause where every case came out as before', () => {
    const changed = [
      { toolName: 't', what: 'description', effect: 'words', failingTrials: 0 },
    ] as Partial<RunComparison['surface']['changed'][number]>[];
    const same = row('Same', { status: 'unchanged_passed', significance: 'within_noise' });
    const steady = { ...same, base: side(5, 5), compare: side(5, 5) };
    const lines = runComparisonLines(compared([steady], changed), false, terminal);
    expect(lines).toContain('Changed tools:');
    expect(lines.join(' ')).not.toContain('likeliest');
  });

  test('says so where nothing changed', () => {
    const cases = [row('Same', { status: 'unchanged_passed' })];
    const lines = runComparisonLines(compared(cases), false, terminal);
    expect(lines).toContain('Every case has the same result as before.');
  });

  test('lets no title out of its line', () => {
    const lines = runComparisonLines(compared([row('a\u001b[31m\nb', {})]), false, terminal);
    expect(lines.join('')).not.toContain('\u001b');
    expect(lines.every((line) => !line.includes('\n') && line.length <= 80)).toBe(true);
  });
});

describe('the statistics of a run', () => {
  const statisticsWith = (more: Partial<RunStatistics> = {}): RunStatistics => ({
    runId: 'run_1',
    unit: 'caseVariant',
    k: 3,
    toolSurface: { state: 'one', hash: 'h' },
    omittedRuns: 0,
    cases: [
      {
        caseId: 'weather',
        testCaseId: 'cas_1',
        title: 'Weather',
        model: 'local/one',
        provider: 'local',
        trials: 5,
        eligibleTrials: 5,
        passedTrials: 4,
        passThreshold: 0.5,
        largestK: 5,
        passHatK: 0.4,
        passRateInterval: { confidence: 0.95, method: 'anyTime', lower: 0.412, upper: 0.991 },
        history: {
          runs: 2,
          trials: 10,
          passed: 9,
          interval: { confidence: 0.95, method: 'anyTime', lower: 0.412, upper: 0.991 },
          threshold: { rate: 0.5, e: 12.4, side: 'open', since: null },
          stability: 'undetermined',
          steady: false,
        },
        flakiness: {
          runs: 2,
          eligibleTrials: 10,
          passedTrials: 9,
          mixedRuns: 1,
          flips: 0,
          stability: 'mixed',
        },
      },
    ],
    ...more,
  });

  test('are sentences of at most 80 columns', () => {
    expect(runStatisticsLines(statisticsWith(), terminal)).toEqual([
      'Weather on local/one',
      '  4 of 5 graded trials passed.',
      '  History: 9 of 10 graded trials passed over 2 runs with the same content, model',
      '    and tools; 95 % any-time interval 41.2 % to 99.1 %, valid at every look.',
      '  It is still open whether it reaches the required 50 % (e-value 12; 20 decides',
      '    at 5 %). The command proofmark eval plan SUITE --drop 0.1 shows how many',
      '    trials a decision needs.',
      '  Chance that 3 trials all pass: 40 %.',
      '  Mixed: 9 of 10 graded trials passed over 2 runs with the same tools; 1 run had',
      '    both results.',
    ]);
  });

  test.each([
    [1, '1 older run is left out.'],
    [1200, '1,200 older runs are left out.'],
  ])('say that %i runs are not in the histories', (omittedRuns, words) => {
    const lines = runStatisticsLines(statisticsWith({ omittedRuns }), terminal);
    expect(lines.slice(-2).join(' ').replaceAll(/\s+/g, ' ')).toBe(
      `The histories of a suite have at most 50,000 results of case variants, so ${words}`,
    );
    const none = { cases: [], suggestion: null, omittedRuns };
    const row = { testCaseId: 'cas_1', caseId: 'weather', title: 'Weather', model: null };
    const counts = { steady: false, runs: 2, trials: 2, passed: 1, quarantined: false };
    const cases = [{ ...row, state: 'undetermined' as const, ...counts }];
    const flaky = flakyLines({ ...none, cases }, terminal)
      .join(' ')
      .replaceAll(/\s+/g, ' ');
    expect(flaky).toContain(words);
  });

  test.each([
    ['several', 'The tools changed during the run'],
    ['unknown', 'The tools that the trials were offered are not known'],
  ] as const)('say why flakiness is not told: %s', (state, words) => {
    const cases = statisticsWith().cases.map((row) => ({ ...row, flakiness: null }));
    const lines = runStatisticsLines(
      statisticsWith({ toolSurface: { state }, k: null, cases }),
      terminal,
    );
    expect(lines.join(' ')).toContain(words);
    expect(lines.join(' ')).not.toMatch(/Mixed|Chance/);
  });
});
