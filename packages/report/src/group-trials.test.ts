import {
  evaluateAssertion,
  type ScannedTrial,
  type StageReason,
  type StageState,
} from '@proofmark/domain';
import { describe, expect, it } from 'vitest';
import { chainOf, chainStoppedAt, decidedSummary, summaryOf, trial } from './example-summaries.ts';
import { numbersOf } from './group-trials.ts';
import type { RunJudges } from './judge-sentence.ts';
import { type RenderOptions, renderSummary } from './render-summary.ts';
import type { TrialCalls } from './show-call.ts';

const wrongArguments = chainStoppedAt('call', 'argumentMismatch', 'arguments');
const unmeasured: [StageState, StageReason] = ['notMeasured', 'lifecycleStopped'];
const stopped = chainOf([unmeasured], { failureCategory: 'setup' });
const stoppedWithoutCall = chainOf(
  [unmeasured, unmeasured, unmeasured, ['notApplicable', 'notAuthored'], unmeasured, unmeasured],
  { failureCategory: 'setup' },
);
const place = { baseUrl: 'http://127.0.0.1:3300', projectId: 'prj_1' };

/** Returns one trial of a case for each number. The trials are otherwise equal. */
function repeated(title: string, numbers: readonly number[], fields: Partial<ScannedTrial>) {
  return numbers.map((number) => ({
    ...trial(number, { title, caseId: title, ...fields }),
    iterationId: `itr_${title}_${number}`,
  }));
}

function upTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

function text(
  summary: Parameters<typeof renderSummary>[0],
  options: Partial<RenderOptions> = {},
): string {
  return renderSummary(summary, { format: 'text', ...options });
}

describe('trials that say the same', () => {
  const names = {
    ...wrongArguments,
    expectedToolCalls: [{ toolName: 'list_depots' }],
    actualToolCalls: [{ toolName: 'list_depots' }],
  };
  const trials = repeated('depots', upTo(10), names);
  const callsOf = (city: unknown, more: Readonly<Record<string, unknown>> = {}) => ({
    expectedToolCalls: [{ toolName: 'list_depots', arguments: { city: 'Lyon' } }],
    actualToolCalls: [{ toolName: 'list_depots', arguments: { city, ...more } }],
  });

  const onModel = (model: string | null, provider: string | null = null) => ({
    expectedToolCalls: [],
    actualToolCalls: [],
    model,
    provider,
  });

  it('of different models are no trials of one block, and the model is named', () => {
    const [one, two, three, four] = repeated('depots', upTo(4), names);
    const all = [one, two, three, four] as ScannedTrial[];
    const written = (models: readonly ReturnType<typeof onModel>[], cases = ['ffff']) => {
      const calls = new Map(all.map(({ iterationId }, at) => [iterationId, models[at] as never]));
      return text(decidedSummary(cases, all), { calls });
    };
    const [a, b] = [onModel('small', 'acme'), onModel('large', 'acme')];
    const output = written([a, a, b, b]);
    expect(output).toContain('\ndepots on small (acme), trials 1 and 2: failed\n');
    expect(output).toContain('\ndepots on large (acme), trials 3 and 4: failed\n');
    const sold = written([a, a, a, onModel('small', 'other')]);
    expect(sold).toContain('\ndepots on small (acme), trials 1 to 3: failed\n');
    expect(sold).toContain('\ndepots on small (other), trial 4: failed\n');
    expect(written([a, a, a, a])).toContain('\ndepots, trials 1 to 4: failed\n');
    const unknown = written([a, a, onModel(null), onModel(null)]);
    expect(unknown).toContain('\ndepots on small (acme), trials 1 and 2: failed\n');
    expect(unknown).toContain('\ndepots, trials 3 and 4: failed\n');
  });

  it('of several cases, stopped by one cause, name the model of each', () => {
    const refused = { result: undefined, status: 'setup_failed', error: 'Refused.', ...stopped };
    const cut = [...repeated('one', [1, 2], refused), ...repeated('two', [1], refused)];
    const models = [onModel('small'), onModel('large'), onModel('small')];
    const calls = new Map(cut.map(({ iterationId }, at) => [iterationId, models[at] as never]));
    expect(text(decidedSummary(['ss', 's'], cut), { calls })).toContain(
      'Trials: one on small (trial 1), one on large (trial 2) and two (trial 1)\n',
    );
  });

  it('are one block, with their arguments and the pages of the console', () => {
    const calls = new Map(trials.map(({ iterationId }) => [iterationId, callsOf('Paris')]));
    const written = text(decidedSummary(['ffffffffff'], trials), { calls, console: place });
    expect(written.slice(written.indexOf('Run run_42'))).toMatchInlineSnapshot(`
      "Run run_42.
      Console: http://127.0.0.1:3300/projects/prj_1/runs/run_42

      Case variants below their threshold
        case_1: 0 of 10 graded trials passed (0 %, 95 % interval 0 % to 27.8 %); 80 %
          of them must pass.

      Trials that did not pass: 10 of 10 trials examined

      depots, trials 1 to 10: failed
        ✓ connection  ✓ discovery  ✓ selection  ✗ call  ○ response  ○ user value
        Why: Call failed because the calls and their arguments are not those the case
          expects, or they break the schema of the tool.
        Expected: list_depots(city: "Lyon")
        Observed: list_depots(city: "Paris")
        Next: Compare the calls and their arguments with those the case expects and
          with the input schema of the tool.
        Trace: http://127.0.0.1:3300/projects/prj_1/runs/run_42/trials/itr_depots_1

      ✓ passed  ✗ failed  ○ not reached  – not measured  · not applicable
      "
    `);
    const markdown = renderSummary(decidedSummary(['ffffffffff'], trials), {
      format: 'markdown',
      calls,
      console: place,
    });
    expect(markdown).toContain('- **Expected:** `list_depots(city: "Lyon")`\n');
    expect(markdown).toContain('**Console:** http://127.0.0.1:3300/projects/prj_1/runs/run_42\n');
  });

  it('are told apart by their arguments, and by a number that comes again', () => {
    const calls = new Map(
      trials.map(({ iterationId }, index) => [
        iterationId,
        callsOf(index % 2 === 0 ? 'Paris' : 'Rome'),
      ]),
    );
    const written = text(decidedSummary(['f'], [...trials, ...trials.slice(0, 2)]), { calls });
    expect(written).toContain('12 of 12 trials examined');
    expect(written.match(/^depots, .*$/gm)).toEqual([
      'depots, trials 1, 3, 5, 7 and 9: failed',
      'depots, trials 2, 4, 6, 8 and 10: failed',
      'depots, trial 1: failed',
      'depots, trial 2: failed',
    ]);
  });

  it('show no secret, no long value and not every argument', () => {
    const more = { apiKey: 'sk-1234567890', b: 1, c: 2, d: 3, e: 4, f: 5 };
    const calls = new Map([['itr_depots_1', callsOf('x'.repeat(500), more)]]);
    const written = text(decidedSummary(['f'], trials.slice(0, 1)), { calls, width: 999 });
    expect(written).toContain(
      `Observed: list_depots(city: "${'x'.repeat(57)}…", apiKey: "[redacted]", b: 1, c: 2, d: 3 and 2 more)`,
    );
  });

  it('are at most twenty blocks, and the others are counted', () => {
    const many = upTo(25).flatMap((number) => repeated(`case ${number}`, [1, 2], names));
    const written = text(decidedSummary(['f'], many));
    expect(written.match(/^case \d+, /gm)).toHaveLength(20);
    expect(written).toContain('  10 more trials did not pass; the console shows them.');
  });

  it.each([
    [[3], 'trial 3'],
    [[2, 1], 'trials 1 and 2'],
    [[1, 3, 4], 'trials 1, 3 and 4'],
    [[1, 2, 3, 5, 7, 8, 9], 'trials 1 to 3, 5 and 7 to 9'],
    [[1, 3, 5, 7, 9, 11, 13], 'trials 1, 3, 5, 7, 9, 11 and others'],
  ])('are counted up: %j', (numbers, words) => {
    expect(numbersOf(numbers).join('')).toBe(words);
  });
});

describe('a run', () => {
  it('that was cancelled says so first and lists what it left undone once', () => {
    const cancelled = { status: 'cancelled', result: undefined, ...stopped };
    const trials = ['one', 'two', 'three'].flatMap((name) => [
      ...repeated(name, [1, 2], wrongArguments),
      ...repeated(name, upTo(20).slice(2), {
        ...cancelled,
        expectedToolCalls: [{ name }],
        ...(name === 'two' && stoppedWithoutCall),
      }),
    ]);
    const decided = decidedSummary(['ffwww', 'ffwww', 'ffwww'], trials);
    const written = text({ ...decided, runStatus: 'cancelled' });
    expect(written).toMatch(
      /^INCONCLUSIVE: the run was cancelled before its end; 6 of 15 configured trials\nwere graded\n/,
    );
    expect(written).toContain('Trials that did not pass: 60 of 60 trials examined');
    expect(written.match(/: (cancelled|failed)$/gm)).toHaveLength(4);
    expect(written).toContain(
      '54 trials: cancelled\n  Trials: one (trials 3 to 20), two (trials 3 to 20) and three (trials 3 to 20)\n',
    );
    expect(written.trimEnd().endsWith('6 of 15 configured trials\nwere graded')).toBe(true);
  });

  it('that goes on counts only what has ended', () => {
    const open = { result: undefined };
    const summary = summaryOf({ status: 'running' }, [
      trial(1, { result: 'passed' }),
      trial(2, wrongArguments),
      trial(3, { ...open, status: 'running' }),
      trial(4, { ...open, status: 'pending' }),
    ]);
    const written = text(summary);
    expect(written).toContain('\n2 trials are still to come.\n');
    expect(written).toContain('\nDid not pass so far: 1 of 2 trials examined\n');
    expect(written).not.toMatch(/Case [34]|Not shown|nothing recorded/);
  });

  it('whose server was out of reach everywhere says what to mend', () => {
    const down = {
      status: 'setup_failed',
      result: undefined,
      ...chainStoppedAt('connection', 'connectFailed', 'setup'),
    };
    const trials = [...repeated('one', upTo(3), down), ...repeated('two', upTo(3), down)];
    const next = (items: readonly ScannedTrial[]) =>
      /^Next: (.*)/m.exec(text(decidedSummary(['sss', 'sss'], items), { width: 200 }))?.[1];
    expect(next(trials)).toBe(
      'Connection failed in all 6 trials; make the server reachable and run it again.',
    );
    const written = text(decidedSummary(['sss', 'sss'], trials));
    expect(written.match(/: stopped in setup$/gm)).toHaveLength(1);
    expect(written).toContain('  Trials: one (trials 1 to 3) and two (trials 1 to 3)\n');
    expect(next([...trials, trial(9, { status: 'timed_out', result: undefined })])).toBe(
      'Find out why no trial completed, repair that and run it again.',
    );
  });

  it('whose server answered wrongly everywhere is told once, failed or not', () => {
    const refusing = { ...chainStoppedAt('discovery', 'toolsListFailed', 'setup'), error: 'No.' };
    const titles = upTo(12).map((number) => `case ${number}`);
    const trials = titles.flatMap((title) => repeated(title, [1], refusing));
    const written = text(
      decidedSummary(
        titles.map(() => 'f'),
        trials,
      ),
    );
    expect(written.match(/Discovery failed/g)).toHaveLength(1);
    expect(written).toContain('12 trials: failed\n');
    const another = repeated('other', [1], { ...refusing, error: 'Not you.' });
    const both = text(decidedSummary(['f', 'f'], [...trials, ...another]));
    expect(both.match(/Discovery failed/g)).toHaveLength(2);
  });

  it('tells the checks that its chain does not, once', () => {
    const chain = chainStoppedAt('userValue', 'predicateFailed', 'userValue', ['no total']);
    const trials = repeated('sums', [1, 2, 3], chain);
    const failing = (...rationales: string[]): TrialCalls => ({
      expectedToolCalls: [],
      actualToolCalls: [],
      scores: rationales.map((rationale, index) => ({
        scorerId: `predicate:responseContains#${index + 1}`,
        status: 'scored',
        passed: false,
        rationale,
      })),
    });
    const calls = new Map(trials.map((one) => [one.iterationId, failing('no total', 'no sum')]));
    const output = text(decidedSummary(['fff'], trials), { calls });
    expect(output.match(/Check: no (total|sum)/g)).toEqual(['Check: no total', 'Check: no sum']);
    calls.set('itr_sums_2', failing('another'));
    expect(text(decidedSummary(['fff'], trials), { calls })).toContain('sums, trials 1 and 3');
  });

  it('that asked a judge says what came of it', () => {
    const silent = { status: null, errorCode: null, threshold: null, cases: [] };
    const textWith = (goalCompletion: RunJudges['goalCompletion']) =>
      text(decidedSummary(['p']), { judges: { goalCompletion, groundedness: silent }, width: 200 });
    const scores = [0.9, 0.2, null].map((score) => ({ score, passed: (score ?? 0) > 0.7 }));
    expect(textWith({ ...silent, status: 'completed', threshold: 0.7, cases: scores })).toContain(
      'The judge of goal completion advises: 1 of 2 cases below the threshold of 70 %; for 1 other it gave no usable answer.\n',
    );
    // Groundedness was not requested, so the sentences must not mention it.
    expect(textWith({ ...silent, status: 'completed', threshold: 0.7, cases: scores })).not.toMatch(
      /groundedness/i,
    );
    expect(textWith({ ...silent, status: 'failed', errorCode: 'JUDGE_FAILED' })).toContain(
      'The judge of goal completion could not answer (JUDGE_FAILED); this says nothing about the server.\n',
    );
    expect(textWith({ ...silent, status: 'pending' })).toContain('has not answered yet.');
    expect(textWith(silent)).not.toMatch(/judge/);
  });
});

describe('a trial', () => {
  it('that should have called nothing says so', () => {
    const loud = trial(1, {
      ...chainStoppedAt('selection', 'unexpectedToolCall', 'selection'),
      actualToolCalls: [{ toolName: 'order_book' }],
    });
    expect(text(decidedSummary(['f'], [loud]))).toContain(
      '  Expected: no tool call\n  Observed: order_book\n',
    );
  });

  it('says a check without doubled quotation marks, and counts in words', () => {
    const engines = { patterns: undefined as never, schemas: undefined as never };
    const called = (toolName: string) => ({ toolName, arguments: {} });
    const transcript = { toolCalls: [called('quote'), called('ship'), called('ship')] } as never;
    const reasons = [
      ...['quote', 'ship', 'weigh'].map((toolName) => ({ type: 'toolNeverCalled', toolName })),
      { type: 'toolCalledWith', toolName: 'quote', args: { args: { to: 'Lyon' } } },
    ].map((assertion) => evaluateAssertion(assertion, { transcript, ...engines }).reason);
    expect(reasons).toEqual([
      '"quote" was called once.',
      '"ship" was called 2 times.',
      '"weigh" was never called.',
      '"quote" was called once, never with matching arguments; at least 1 such call is required. Arguments seen: {}.',
    ]);
    const checked = chainStoppedAt(
      'userValue',
      'predicateFailed',
      'userValue',
      reasons.slice(0, 1),
    );
    expect(text(decidedSummary(['f'], [trial(1, checked)]))).toContain(
      '  Check: "quote" was called once.\n',
    );
  });
});
