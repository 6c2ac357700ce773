import { describe, expect, it } from 'vitest';
import { nextAction } from '../chain/next-action.ts';
import { trialAdvices } from '../chain/trial-advice.ts';
import { type Stage, stages } from '../chain/vocabulary.ts';
import { pageLimit } from '../kernel/page.ts';
import { type DiagnosticsPage, listDiagnostics, type ScannedTrial } from './diagnostics.ts';
import { tracePath } from './trace-path.ts';

const run = { projectId: 'project', runId: 'run' };
const lastPage: DiagnosticsPage = { cursorGiven: false, allTrialsRecorded: true };

describe('the items', () => {
  it('are the trials that did not pass, undecided ones too, in the order of the page', () => {
    const trials = [
      trial('t1', { status: 'completed', result: 'failed' }),
      trial('t2', { status: 'completed', result: 'passed' }),
      trial('t3', { status: 'pending' }),
      trial('t4', { status: 'cancelled', result: null }),
      trial('t5', { status: 'failed', result: 'inconclusive' }),
    ];
    const { items, scannedIterations } = listDiagnostics(run, trials, lastPage);
    expect(items.map(({ iterationId, status, result }) => [iterationId, status, result])).toEqual([
      ['t1', 'completed', 'failed'],
      ['t3', 'pending', undefined],
      ['t4', 'cancelled', undefined],
      ['t5', 'failed', undefined],
    ]);
    expect(items.map((item) => 'result' in item)).toEqual([true, false, false, false]);
    expect(scannedIterations).toBe(5);
  });

  it('carry nothing that was not recorded', () => {
    const bare = { caseId: '', testCaseId: null, title: '', error: '', status: 'pending' };
    expect(diagnose(bare)).toEqual({
      iterationId: 'trial',
      iterationNumber: 1,
      status: 'pending',
      chain: { status: 'absent' },
      evidence: { runId: 'run', iterationId: 'trial', tracePath: expect.any(String) },
      nextAction: nextAction(undefined),
    });
  });

  it.each([
    ['a-1_B', true],
    ['a'.repeat(128), true],
    ['a'.repeat(129), false],
    ['a b', false],
    ['a\n', false],
    ['', false],
    [null, false],
  ])('show the case id %o: %s', (caseId, shown) => {
    expect(diagnose({ caseId }).caseId).toBe(shown ? caseId : undefined);
  });

  it('show the row id and the title of the case when they are not empty', () => {
    expect(diagnose({ testCaseId: 'row', title: 'Books a table' })).toMatchObject({
      testCaseId: 'row',
      title: 'Books a table',
    });
  });
});

describe('what went wrong', () => {
  it.each([
    ['short', 'short'],
    ['x'.repeat(2000), 'x'.repeat(2000)],
    ['x'.repeat(2001), `${'x'.repeat(1999)}…`],
    // The text is cut before an emoji and not inside its surrogate pair.
    [`${'x'.repeat(1998)}${'😀'.repeat(9)}`, expect.stringMatching(/^x{1998}.…$/)],
  ])('is told in at most 2,000 characters', (error, expected) => {
    expect(diagnose({ error }).observed?.failure).toEqual(expected);
  });
});

describe('the tools expected and observed', () => {
  it.each<[string, unknown[], string[] | undefined]>([
    ['toolName first', [{ toolName: 'a', tool: 'b', name: 'c' }], ['a']],
    ['tool next', [{ tool: 'b', name: 'c' }], ['b']],
    ['name last', [{ toolName: null, name: 'c' }], ['c']],
    ['each name once, in order', [{ name: 'b' }, { name: 'a' }, { tool: 'b' }], ['b', 'a']],
    ['no key for no names', [{}, null, 'x', { toolName: 5 }, { name: '' }], undefined],
    ['no key for no calls', [], undefined],
  ])('are named by %s', (_title, calls, names) => {
    const toolNames = names && { toolNames: names };
    expect(diagnose({ expectedToolCalls: calls }).expected).toEqual(toolNames);
    expect(diagnose({ actualToolCalls: calls }).observed).toEqual(toolNames);
  });

  it('come with the error of the trial, which may stand alone', () => {
    expect(diagnose({ error: 'Boom' }).observed).toEqual({ failure: 'Boom' });
    expect(diagnose({ error: 'Boom', actualToolCalls: [{ name: 'a' }] }).observed).toEqual({
      toolNames: ['a'],
      failure: 'Boom',
    });
    expect(diagnose({ error: { message: 'Boom' } })).not.toHaveProperty('observed');
  });
});

describe('the evidence', () => {
  it('is read from the first failed stage alone, each item once', () => {
    const stageResults = chain('call', { promptIndexes: [0, 1, 0], spanIds: ['s2', 's2', 's1'] });
    const stored = { stageResults, firstFailedStage: 'call', failureCategory: 'arguments' };
    const { evidence, nextAction: action } = diagnose({ ...stored, stageAnalyzerVersion: 1 });
    expect(evidence).toEqual({
      runId: 'run',
      iterationId: 'trial',
      stage: 'call',
      spanIds: ['s2', 's1'],
      promptIndexes: [0, 1],
      tracePath: '/projects/project/eval-runs/run/iterations/trial/trace',
    });
    expect(action).toBe(nextAction('arguments'));
  });

  it('carries the reasons of the checks, and no empty list', () => {
    const predicateReasons = ['The answer has no date.', 'The answer has no date.'];
    const stageResults = chain('userValue', { predicateReasons, spanIds: [], promptIndexes: [] });
    const stored = { stageResults, firstFailedStage: 'userValue', stageAnalyzerVersion: 1 };
    const { evidence } = diagnose(stored);
    expect(evidence).toMatchObject({ stage: 'userValue', reasons: ['The answer has no date.'] });
    expect(evidence).not.toHaveProperty('spanIds');
    expect(evidence).not.toHaveProperty('promptIndexes');
  });

  it.each<[string, Partial<ScannedTrial>, string]>([
    ['nothing stored', {}, 'absent'],
    ['a version alone', { stageAnalyzerVersion: 1 }, 'absent'],
    [
      'a claim that does not fit',
      { stageResults: chain('call'), firstFailedStage: 'response', stageAnalyzerVersion: 1 },
      'unverified',
    ],
    [
      'a null claim',
      { stageResults: chain(undefined), firstFailedStage: null, stageAnalyzerVersion: 1 },
      'unverified',
    ],
    [
      'no failed stage',
      { stageResults: chain(undefined), failureCategory: 'evaluator', stageAnalyzerVersion: 1 },
      'verified',
    ],
  ])('has no stage with %s', (_title, stored, status) => {
    const item = diagnose(stored);
    expect(item.chain.status).toBe(status);
    expect(Object.keys(item.evidence)).toEqual(['runId', 'iterationId', 'tracePath']);
  });

  it('names one next action for a category, whatever the cause, and the advice of the cause beside it', () => {
    const rows = (reason: string) =>
      chain(undefined).map((row) => ({ ...row, state: 'notMeasured', reason }));
    const stored = { failureCategory: 'setup', stageAnalyzerVersion: 1 };
    const items = [
      { stageResults: rows('lifecycleStopped'), status: 'timed_out' },
      { stageResults: rows('lifecycleStopped'), status: 'skipped' },
      { stageResults: rows('lifecycleStopped'), status: 'cancelled' },
      { stageResults: rows('providerError'), status: 'failed' },
    ].map((one) => diagnose({ ...stored, ...one }));
    expect(new Set(items.map(({ nextAction }) => nextAction))).toEqual(
      new Set([nextAction('setup')]),
    );
    expect(new Set(items.map(({ advice }) => advice)).size).toBe(4);
    for (const { advice } of items) expect(trialAdvices).toContain(advice);
    const unknown = diagnose({ ...stored, stageResults: rows('setupAborted') });
    expect(unknown.chain.status).toBe('verified');
    expect(unknown).not.toHaveProperty('advice');
  });

  it('of a failure without a stage still says what to do about its category', () => {
    const stored = { failureCategory: 'evaluator', stageAnalyzerVersion: 1 };
    const item = diagnose({ ...stored, stageResults: chain(undefined) });
    expect(item.nextAction).toBe(nextAction('evaluator'));
    const withheld = diagnose({ ...stored, stageResults: [] });
    expect(withheld.nextAction).toBe(nextAction(undefined));
  });

  it('points at the trace with every id encoded', () => {
    expect(tracePath('a/b', 'c?d', 'e f#%')).toBe(
      '/projects/a%2Fb/eval-runs/c%3Fd/iterations/e%20f%23%25/trace',
    );
    expect(tracePath('\ud800', 'r', 'i')).toContain('%EF%BF%BD');
  });
});

describe('a page', () => {
  it.each<[boolean, string | undefined, boolean, boolean]>([
    [false, undefined, true, true],
    [false, 'next', true, false],
    [false, undefined, false, false],
    [true, undefined, true, false],
    [true, 'next', true, false],
    [true, undefined, false, false],
    [true, 'next', false, false],
    [false, 'next', false, false],
  ])(
    'with cursor %s, next %s and all recorded %s is complete: %s',
    (cursorGiven, nextCursor, allTrialsRecorded, complete) => {
      const page = { cursorGiven, nextCursor, allTrialsRecorded };
      const diagnostics = listDiagnostics(run, [trial('t1', { status: 'running' })], page);
      expect(diagnostics).toMatchObject({ complete, scannedIterations: 1 });
      expect(diagnostics.nextCursor).toBe(nextCursor);
      expect('nextCursor' in diagnostics).toBe(nextCursor !== undefined);
    },
  );

  it('says that it looked when nothing failed', () => {
    const diagnostics = listDiagnostics(run, [trial('t1', { result: 'passed' })], lastPage);
    expect(diagnostics).toEqual({ items: [], complete: true, scannedIterations: 1 });
  });

  it.each([
    ['0', { limit: 1 }],
    ['-5', { limit: 1 }],
    ['201', { limit: 200 }],
    [undefined, { limit: 50 }],
    ['ten', { problem: expect.any(String) }],
    ['1.5', { problem: expect.any(String) }],
    ['', { problem: expect.any(String) }],
  ])('asked for with limit %o reads %o', (text, expected) => {
    expect(pageLimit(text, 50)).toEqual(expected);
  });
});

function trial(iterationId: string, fields: Partial<ScannedTrial> = {}): ScannedTrial {
  return {
    iterationId,
    iterationNumber: 1,
    status: 'completed',
    expectedToolCalls: [],
    actualToolCalls: [],
    ...fields,
  };
}

function diagnose(fields: Partial<ScannedTrial>) {
  const [item] = listDiagnostics(run, [trial('trial', fields)], lastPage).items;
  if (item === undefined) throw new Error('The trial is not listed.');
  return item;
}

function chain(failed: Stage | undefined, evidence?: object) {
  const position = failed === undefined ? stages.length : stages.indexOf(failed);
  return stages.map((stage, index) => {
    if (index < position) {
      const own = { spanIds: [`own-${stage}`], promptIndexes: [7], predicateReasons: ['Held.'] };
      return { stage, state: 'passed', reason: 'observed', evidence: own };
    }
    if (index > position) return { stage, state: 'notReached', reason: 'earlierStageFailed' };
    const reason = stage === 'call' ? 'argumentMismatch' : 'predicateFailed';
    return { stage, state: 'failed', reason, ...(evidence && { evidence }) };
  });
}
