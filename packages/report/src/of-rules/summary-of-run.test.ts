import {
  creditsOfRunUsedUp,
  creditsUsedUp,
  DecisionSummary,
  knownOfRun,
  type ReadRun,
  summaryOfRun,
} from '@proofmark/domain';
import { describe, expect, test } from 'vitest';
import { chainStoppedAt, decidedSummary, trial } from '../example-summaries.ts';
import { renderSummary } from '../render-summary.ts';

const chain = chainStoppedAt('call', 'argumentMismatch', 'arguments');
const decided = decidedSummary(['p'.repeat(40), `${'p'.repeat(5)}${'f'.repeat(5)}`]);
const run: ReadRun = {
  id: 'run_42',
  projectId: 'prj_1',
  source: 'sdk',
  status: 'completed',
  result: 'failed',
  verdictPolicyVersion: 2,
  verdictSummary: 'decision' in decided ? decided.decision : null,
  summary: { total: 4010, passed: 4005 },
  iterationCount: 4010,
};

function shown(number: number, fields: object = chain) {
  const { iterationId, ...rest } = trial(number, fields);
  return { ...rest, id: iterationId };
}

const five = [6, 7, 8, 9, 10].map((number) => shown(number, { ...chain, title: 'Refunds' }));

function text(of: ReadRun, trials: Parameters<typeof summaryOfRun>[1]) {
  const known = knownOfRun(of, trials?.isAll ?? false);
  return renderSummary(summaryOfRun(of, trials), { format: 'text', width: 200, ...known });
}

describe('the summary of a run and its trials that did not pass', () => {
  test('is one that may be published, and says the whole run', () => {
    const summary = summaryOfRun(run, { items: five, isAll: true });
    expect(DecisionSummary.safeParse(summary).error).toBeUndefined();
    expect(summary).toMatchObject({
      verdict: 'failed',
      counts: { total: 2, failed: 1 },
      diagnostics: { complete: true, scannedIterations: 4010 },
    });
    const rendered = text(run, { items: five, isAll: true });
    expect(rendered).toContain('FAILED: 1 of 2 case variants; all 5 failing trials stop at call');
    expect(rendered).toContain('Trials that did not pass: 5 of 4,010 trials examined\n');
    expect(rendered).toContain('Refunds, trials 6 to 10: failed');
    expect(rendered).not.toContain('Not shown');
  });

  test('says how many more there are where not all were read', () => {
    const many = { ...run, summary: { total: 4010, passed: 3900 } };
    const rendered = text(many, { items: five, isAll: false });
    expect(rendered).toContain(
      'Trials that did not pass: 110 of 4,010 trials examined, the first 5',
    );
    expect(rendered).toContain('105 more trials did not pass; the console shows them.');
    expect(rendered).toContain('Where trials stop, among those read: 5 failing trials at call.');
    expect(rendered).not.toContain('page');
    const uncounted = text({ ...run, summary: null }, { items: five, isAll: false });
    expect(uncounted).toContain('Trials that did not pass: at least 5 of 4,010 trials examined');
    expect(uncounted).toContain('More trials did not pass; the console shows them.');
  });

  test('says that every trial passed where none did not, and where none was asked for nothing', () => {
    const passed = { ...run, summary: { total: 4010, passed: 4010 } };
    expect(text(passed, { items: [], isAll: true })).toContain('Every trial passed: 4,010 trials');
    expect(summaryOfRun(passed).diagnostics).toEqual({
      items: [],
      complete: false,
      scannedIterations: 0,
    });
  });

  test('says whose credits stopped it, by what its trials say', () => {
    const stopped: ReadRun = {
      ...run,
      status: 'cancelled',
      result: null,
      verdictSummary: null,
      stopReason: 'credits',
      maxCredits: 2.5,
    };
    const ofRun = { items: [shown(6, { error: creditsOfRunUsedUp })], isAll: true };
    expect(text(stopped, ofRun)).toContain('its maxCredits of 2.5 credits were used up');
    expect(text(stopped, ofRun)).toContain('Launch it again with a greater maxCredits');
    const ofDay = { items: [shown(6, { error: creditsUsedUp })], isAll: true };
    expect(text(stopped, ofDay)).toContain('the credits of the day were used up');
    expect(text({ ...run, maxCredits: 2.5 }, { items: five, isAll: true })).not.toContain(
      'credits',
    );
  });

  test('counts what has ended while the run goes on', () => {
    const live = { ...run, status: 'running', summary: null, iterationCount: 900 };
    expect(text(live, { items: five, isAll: true })).toContain(
      'Did not pass so far: 5 of 900 trials examined\n',
    );
    expect(text(live, { items: [], isAll: true })).toContain(
      'Every trial passed so far: 900 trials',
    );
    expect(text(live, { items: five, isAll: false })).toContain(
      'Did not pass so far: at least 5 of 900 trials examined, the first 5 read',
    );
  });

  test('says how many are still to come, and is not complete before the end', () => {
    const live = {
      ...run,
      source: 'api',
      status: 'running',
      summary: null,
      verdictSummary: null,
      iterationCount: 10,
      expectedIterations: 1000,
    };
    const none = { items: [], isAll: true };
    expect(summaryOfRun(live, none).diagnostics).toMatchObject({
      complete: false,
      scannedIterations: 10,
    });
    const rendered = text(live, none);
    expect(rendered).toContain('\n990 trials are still to come.');
    expect(rendered).toContain('Every trial passed so far: 10 trials examined');
    const last = text({ ...live, iterationCount: 999 }, none);
    expect(last).toContain('\n1 trial is still to come.');
    for (const iterationCount of [1000, 1001]) {
      expect(text({ ...live, iterationCount }, none)).not.toContain('to come');
    }
    expect(text({ ...live, expectedIterations: null }, none)).not.toContain('to come');
    const ended = { ...live, status: 'cancelled' };
    expect(text(ended, none)).not.toContain('to come');
    expect(summaryOfRun(ended, none).diagnostics.complete).toBe(true);
  });

  test('says what the run knows of its cases and sessions', () => {
    const known = { ...run, assertsNothing: { caseVariants: 1 }, sessions: 'run' };
    const rendered = text(known, { items: five, isAll: true });
    expect(rendered).toContain('Not everything was measured: 1 of 2 case variants asserts nothing');
    expect(rendered).toContain('Trials shared one session with each server');
    expect(text({ ...run, sessions: 'trial' }, { items: five, isAll: true })).not.toMatch(/shared/);
  });

  test('tells apart that nobody counted what asserts nothing, and that nothing does', () => {
    const all = { items: five, isAll: true };
    expect(text(run, all)).toContain('The checks of the cases were not reported.');
    expect(text({ ...run, source: 'api' }, all)).toContain(
      'The checks of the cases were not recorded.',
    );
    const counted = text({ ...run, source: 'api', assertsNothing: { caseVariants: 0 } }, all);
    expect(counted).toContain('Everything was measured: 50 of 50 configured trials');
  });

  test('keeps why nothing was decided, and a chain that does not hold together', () => {
    const undecided = { reason: 'verdictSummaryUnavailable', detail: 'A trial is lost.' } as const;
    const summary = summaryOfRun(
      { ...run, verdictSummary: null, undecided },
      { items: [{ ...shown(1, {}), stageResultsUnverified: true }], isAll: true },
    );
    expect(summary).toMatchObject({
      verdict: 'notEstablished',
      undecided,
      diagnostics: { items: [{ chain: { status: 'unverified' } }] },
    });
  });

  test('of a run that was stopped counts no fewer trials than it lists', () => {
    const stopped = { ...run, status: 'cancelled', summary: null, iterationCount: 2 };
    const { diagnostics } = summaryOfRun(stopped, { items: five, isAll: true });
    expect(diagnostics.scannedIterations).toBe(5);
  });
});
