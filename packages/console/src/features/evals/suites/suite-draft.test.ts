import { whyPatternNeverRuns } from '@proofmark/server/patterns';
import { parseSuiteFile, writeSuiteFile } from '@proofmark/server/suite-files';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { problemsByName } from './case-draft.ts';
import { suiteHead } from './case-file.ts';
import { chartPoints, markSentence, rateSentence } from './history-words.ts';
import { suiteContent, suiteEdit, suiteProblems, suiteWith, unsavedSuite } from './suite-draft.ts';

const files = { parseSuiteFile, writeSuiteFile };
const server = { id: 'srv_1', name: 'Shop' };
const suite = unsavedSuite({
  projectId: 'prj_1',
  name: 'Orders',
  mode: 'agentWorkflow',
  model: 'proofmark/lexical-1',
  servers: [server],
});

describe('the settings of a suite', () => {
  const before = suiteContent(suite);

  test('are sent where they were changed, and cleared by null', () => {
    expect(suiteEdit(before, before)).toEqual({});
    const after = {
      ...before,
      name: 'Desk',
      settings: { ...Object(before['settings']), minimumAccuracy: 80 },
      schedule: { enabled: true, intervalMinutes: 60 },
    };
    expect(suiteEdit(before, after)).toEqual({
      suite: { name: 'Desk', settings: { minimumAccuracy: 80 } },
      schedule: { enabled: true, intervalMinutes: 60 },
    });
    expect(suiteEdit(after, { ...after, settings: before['settings'] })).toEqual({
      suite: { settings: { minimumAccuracy: null } },
    });
  });

  test('show an empty list of tools that may write, which is another policy than none', () => {
    const drafted = { ...suite, settings: { ...suite.settings, allowWrites: [] } };
    const content = suiteContent(drafted);
    expect(content['settings']).toMatchObject({ allowWrites: [] });
    expect(suiteEdit(content, before)).toEqual({ suite: { settings: { allowWrites: null } } });
  });

  test('of a judge are cleared one by one', () => {
    const settings = { ...Object(before['settings']), judge: { enabled: true, model: 'm' } };
    const judged = { ...before, settings };
    const without = { ...before, settings: { ...settings, judge: { enabled: true } } };
    expect(suiteEdit(judged, without)).toEqual({ suite: { settings: { judge: { model: null } } } });
    expect(suiteEdit(without, judged)).toEqual({ suite: { settings: { judge: { model: 'm' } } } });
  });

  test('are wrong as the service would say it', () => {
    expect(suiteProblems(before, true, whyPatternNeverRuns)).toEqual([]);
    const wrong = {
      ...before,
      name: undefined,
      executionConfig: {},
      settings: { minimumAccuracy: 180 },
      schedule: { enabled: true, intervalMinutes: 1 },
    };
    expect(Object.keys(problemsByName(suiteProblems(wrong, true, whyPatternNeverRuns)))).toEqual([
      ...['executionConfig.model', 'name', 'settings.minimumAccuracy', 'schedule.intervalMinutes'],
    ]);
    const checks = [{ type: 'responseMatches', pattern: '(' }];
    expect(
      problemsByName(suiteProblems({ ...before, settings: { checks } }, true, whyPatternNeverRuns)),
    ).toEqual({
      'settings.checks.0.pattern': expect.stringContaining('cannot be run'),
    });
    expect(
      suiteProblems({ ...before, executionConfig: undefined }, false, whyPatternNeverRuns),
    ).toEqual([]);
  });

  test('stand in the head of its file, as the form has them', () => {
    const value = {
      ...before,
      name: 'Desk',
      settings: { verdictPolicyDefaults: { repetitions: 4 } },
    };
    const text = suiteHead(files, suiteWith(suite, value, [server]));
    expect(text).toContain('name: Desk');
    expect(text).toContain('repetitions: 4');
    expect(
      parseSuiteFile(
        `${text}cases:\n  - { id: a, title: A, steps: [{ kind: prompt, prompt: Hi }] }\n`,
      ),
    ).toMatchObject({ file: { suite: { id: 'new-suite', name: 'Desk' } } });
  });
});

describe('the last runs', () => {
  const run = (passed: number, failed: number, interval: unknown = null) =>
    ({ runId: `run_${passed}`, runNumber: 3, createdAt: 1, passed, failed, interval }) as never;

  test('are told with unit, population and interval', () => {
    expect(rateSentence(run(3, 1, { confidence: 0.95, lower: 0.3, upper: 0.95 }))).toBe(
      'Run 3: 75 % passed (3 of 4 trials; 95 % interval 30 % to 95 %).',
    );
    const mark = { runId: 'run_1', mark: 'mixed', passed: 2, failed: 1, notGraded: 0 } as const;
    expect(markSentence(mark, 7)).toBe(
      'Run 7: some passed, some failed, 2 of 3 graded trials passed.',
    );
    expect(markSentence({ ...mark, mark: 'notMeasured', passed: 0, failed: 0 }, undefined)).toBe(
      'Run ?: not measured.',
    );
  });

  test('are drawn from left to right, inside, each point inside its interval', () => {
    const one = fc.record({ passed: fc.nat(20), failed: fc.nat(20) }).map(({ passed, failed }) => {
      const rate = passed + failed === 0 ? 0 : passed / (passed + failed);
      return run(passed, failed, { confidence: 0.95, lower: rate / 2, upper: (1 + rate) / 2 });
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 12 }), (runs) => {
        const points = chartPoints(runs, 360, 96);
        for (const [at, { x, y, top, bottom }] of points.entries()) {
          expect(x).toBeGreaterThan(points[at - 1]?.x ?? 0);
          expect(x).toBeLessThan(360);
          expect(top).toBeGreaterThanOrEqual(0);
          expect(top).toBeLessThanOrEqual(y);
          expect(bottom).toBeGreaterThanOrEqual(y);
          expect(bottom).toBeLessThanOrEqual(96);
        }
      }),
    );
  });
});
