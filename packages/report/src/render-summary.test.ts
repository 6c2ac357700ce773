import { DecisionSummary } from '@proofmark/domain';
import { describe, expect, it } from 'vitest';
import { chainOf, chainStoppedAt, decidedSummary, summaryOf, trial } from './example-summaries.ts';
import { type RenderOptions, renderSummary } from './render-summary.ts';

const selection = chainStoppedAt('selection', 'missingToolCall', 'selection');
const failing = trial(1, {
  title: 'Find an order by e-mail',
  ...selection,
  expectedToolCalls: [{ toolName: 'search_orders' }],
  actualToolCalls: [{ toolName: 'search_customers' }],
});
const waiver = { until: '2026-11-18', by: 'ops@example.com', reason: 'index rebuild in progress' };

function text(
  summary: Parameters<typeof renderSummary>[0],
  options: Partial<RenderOptions> = {},
): string {
  return `\n${renderSummary(summary, { format: 'text', assertsNothing: 0, ...options })}`;
}

describe('a decided run', () => {
  it('says that its trials shared their sessions, where they did', () => {
    const summary = decidedSummary(['ppp'], []);
    const notice = 'so a trial can see what another did';
    const flat = (options: Partial<RenderOptions>) => text(summary, options).replace(/\s+/g, ' ');
    expect(flat({ sharesSessions: true })).toContain(notice);
    expect(flat({ sharesSessions: true, format: 'markdown', brief: true })).toContain(notice);
    expect(flat({})).not.toContain(notice);
  });

  it('failed: verdict first, then where, whether measured, waiver, cases, trials', () => {
    const trials = [failing, trial(2, selection)];
    const summary = decidedSummary(['fff', 'ppf', 'ppp'], trials);
    expect(text(summary, { waiver, title: 'checkout smoke' })).toMatchInlineSnapshot(`
      "
      FAILED: 2 of 3 case variants; both failing trials stop at selection
      Everything was measured: 9 of 9 configured trials completed and graded, no
      grader error.
      Each case variant was decided by its own trials.
      Run run_42, "checkout smoke".
      Gate waived until 2026-11-18 by ops@example.com: "index rebuild in progress".
      The verdict stays failed.

      Case variants below their threshold
        case_1: 0 of 3 graded trials passed (0 %, 95 % interval 0 % to 56.1 %); 80 %
          of them must pass.
        case_2: 2 of 3 graded trials passed (66.7 %, 95 % interval 20.8 % to 93.9 %);
          80 % of them must pass.

      Trials that did not pass: 2 of 2 trials examined

      Find an order by e-mail, trial 1: failed
        ✓ connection  ✓ discovery  ✗ selection  ○ call  ○ response  ○ user value
        Why: Selection failed because some calls that the case expects were not made,
          or not in the expected order.
        Expected: search_orders
        Observed: search_customers
        Next: Compare the tools the case expects with the tools the model called, then
          decide whether the prompt, the case or the tool list has to change.
        Trace: /api/v1/projects/prj_1/eval-runs/run_42/iterations/itr_1/trace

      Case 2, trial 2: failed
        ✓ connection  ✓ discovery  ✗ selection  ○ call  ○ response  ○ user value
        Why: Selection failed because some calls that the case expects were not made,
          or not in the expected order.
        Next: Compare the tools the case expects with the tools the model called, then
          decide whether the prompt, the case or the tool list has to change.
        Trace: /api/v1/projects/prj_1/eval-runs/run_42/iterations/itr_2/trace

      ✓ passed  ✗ failed  ○ not reached  – not measured  · not applicable
      "
    `);
  });

  it('has a short line for a case variant that passed; an interval only where it was repeated', () => {
    const summary = decidedSummary(['p', 'ppp', 'f'], []);
    const lines = text(summary, { listsPassed: true }).split('\n');
    const of = (name: string) => lines.find((line) => line.includes(name))?.trim();
    expect(of('case_1')).toBe('✓ 1/1 case_1');
    expect(of('case_2')).toBe('✓ 3/3 case_2, 95 % interval 43.9 % to 100 %');
    expect(of('case_3')).toBe('case_3: 0 of 1 graded trial passed.');
    expect(text(summary, { listsPassed: true, ascii: true })).toContain('P 1/1 case_1');
  });

  it('failed, as Markdown', () => {
    const summary = decidedSummary(['fff', 'ppp'], [failing], {}, 'lexical-1');
    expect(
      `\n${renderSummary(summary, { format: 'markdown', assertsNothing: 0, waiver, title: 'checkout' })}`,
    ).toMatchInlineSnapshot(`
      "
      ### FAILED: 1 of 2 case variants; the only failing trial stops at selection

      Everything was measured: 6 of 6 configured trials completed and graded, no grader error.

      Each case variant was decided by its own trials.

      Run \`run_42\`, \`checkout\`.

      > Gate waived until \`2026-11-18\` by \`ops@example.com\`: \`index rebuild in progress\`. The verdict stays failed.

      #### Case variants below their threshold

      - \`case_1\` on \`lexical-1\` (\`local\`): 0 of 3 graded trials passed (0 %, 95 % interval 0 % to 56.1 %); 80 % of them must pass.

      #### Trials that did not pass: 1 of 1 trial examined

      ##### \`Find an order by e-mail\`, trial 1: failed

      - **Stages:** ✓ connection, ✓ discovery, ✗ selection, ○ call, ○ response, ○ user value
      - **Why:** Selection failed because some calls that the case expects were not made, or not in the expected order.
      - **Expected:** \`search_orders\`
      - **Observed:** \`search_customers\`
      - **Next:** Compare the tools the case expects with the tools the model called, then decide whether the prompt, the case or the tool list has to change.
      - **Trace:** \`/api/v1/projects/prj_1/eval-runs/run_42/iterations/itr_1/trace\`

      Signs: ✓ passed, ✗ failed, ○ not reached, – not measured, · not applicable
      "
    `);
  });

  it('failed at several stages, on a page that is not the whole run, in ASCII and narrow', () => {
    const trials = [
      trial(1, { ...chainStoppedAt('userValue', 'predicateFailed', 'userValue', ['no total']) }),
      trial(2, {
        ...chainStoppedAt('response', 'toolError', 'serverData'),
        error: 'payment – timeout',
      }),
    ];
    const summary = decidedSummary(['ff', 'pp'], trials, { nextCursor: 'next' });
    expect(text(summary, { ascii: true, width: 60 })).toMatchInlineSnapshot(`
      "
      FAILED: 1 of 2 case variants
      Where trials stop, on this page: 1 failing trial at response
      and 1 failing trial at user value.
      Everything was measured: 4 of 4 configured trials completed
      and graded, no grader error.
      Each case variant was decided by its own trials.
      Run run_42.

      Case variants below their threshold
        case_1: 0 of 2 graded trials passed (0 %, 95 % interval
          0 % to 65.8 %); 80 % of them must pass.

      Trials that did not pass: 2 of 2 trials examined on this
      page

      Case 1, trial 1: failed
        P connection  P discovery  P selection  P call  P response
        F user value
        Why: User value failed because a check of the case failed.
        Check: no total
        Next: Compare the failed check with the calls and the
          answer of the trial, and decide which of them is wrong.
        Trace:
          /api/v1/projects/prj_1/eval-runs/run_42/iterations/itr_1/trace

      Case 2, trial 2: failed
        P connection  P discovery  P selection  P call  F response
        . user value
        Why: Response failed because the tool answered with an
          error, or with a result that breaks its own schema.
        Observed: "payment - timeout"
        Next: Find the failing tool call and look in the server
          for the reason it gave no usable result.
        Trace:
          /api/v1/projects/prj_1/eval-runs/run_42/iterations/itr_2/trace

      P passed  F failed  . not reached  ? not measured
      - not applicable

      Not shown
        More trials follow on the next page.
      "
    `);
  });

  it('passed', () => {
    const passed = trial(1, { result: 'passed' });
    expect(text(decidedSummary(['pp', 'p'], [passed]))).toMatchInlineSnapshot(`
      "
      PASSED: both case variants
      Everything was measured: 3 of 3 configured trials completed and graded, no
      grader error.
      Each case variant was decided by its own trials.
      Run run_42.

      Every trial passed: 1 trial examined
      "
    `);
  });

  it('passed with a failing trial in it', () => {
    expect(text(decidedSummary(['ppppf'], [failing]))).toContain(
      'PASSED: the only case variant\nWhere trials stop: 1 failing trial at selection.\nEach case variant met its threshold all the same.',
    );
  });

  it('speaks of an only trial in the singular', () => {
    const inOneLine = (cases: string[]) => text(decidedSummary(cases, [])).replace(/\s+/g, ' ');
    const summary = inOneLine(['t']);
    expect(summary).toContain('the only configured trial was not graded');
    expect(summary).toContain('The only configured trial could not be graded.');
    expect(inOneLine(['pt'])).toContain('1 of 2 configured trials was graded');
  });

  it('inconclusive: why, in numbers, and what to do', () => {
    const timedOut = trial(4, {
      status: 'timed_out',
      result: undefined,
      ...chainOf([['notMeasured', 'lifecycleStopped']], { failureCategory: 'setup' }),
    });
    expect(text(decidedSummary(['ppptt', 'ss'], [timedOut]))).toMatchInlineSnapshot(`
      "
      INCONCLUSIVE: too little was measured to decide; 3 of 7 configured trials were
      graded
      Only 3 of 7 attempted trials (42.9 %) completed; at least 80 % have to.
      1 of 2 case variants had no graded trial.
      Not everything was measured: 7 of 7 configured trials attempted, 3 graded; 2
      trials timed out and 2 trials stopped in setup.
      Of 2 case variants, 1 met the threshold, 0 did not, 1 had no graded trial.
      The run does not say whether the server works.
      Each case variant was decided by its own trials.
      Run run_42.
      Next: Look at the trials that did not complete, then run it again.

      Trials that did not pass: 1 of 1 trial examined

      Case 4, trial 4: timed out
        – connection  – discovery  – selection  – call  – response  – user value
        Why: No stage was seen to break: the trial could not be carried out as its
          case states. Connection was not measured because the trial was stopped
          before it ended.
        Advice: Find the step that was running when the time ran out, and make it
          faster or raise its time limit.
        Next: Read the error of this trial and check the part that it names: the
          credentials, the environment, the model provider, or the address and the
          network of the server.
        Trace: /api/v1/projects/prj_1/eval-runs/run_42/iterations/itr_4/trace

      ✓ passed  ✗ failed  ○ not reached  – not measured  · not applicable
      "
    `);
  });

  it.each(['tttt', 'wwww', 'eepp', 'ssss', 'pttt'])(
    'inconclusive never sounds like a failure, whatever kept it from a verdict: %s',
    (trials) => {
      const rendered = text(decidedSummary([trials]));
      expect(rendered).toMatch(/^\nINCONCLUSIVE: /);
      expect(rendered).toContain('\nNext: ');
      expect(rendered).not.toMatch(/fail|✗/i);
    },
  );

  it.each([
    [['pppc'], 'Run it again to the end, or state in the suite how many'],
    [['pppp', 'cc'], 'Run it again to the end. '],
  ])('fewer graded trials are enough only where each case variant has some: %j', (cases, next) => {
    expect(text(decidedSummary(cases)).replace(/\s+/g, ' ')).toContain(`Next: ${next}`);
  });

  it.each([
    [
      {},
      'the credits of the day',
      'Ask the operator to raise creditsPerDay, or run it again tomorrow',
    ],
    [{ maxCredits: 5 }, 'its maxCredits of 5 credits', 'Launch it again with a greater'],
  ])('a run that credits stopped says so first, and what helps: %j', (limit, subject, next) => {
    const stopped = { status: 'cancelled', stopReason: 'credits', ...limit } as const;
    const { decision } = decidedSummary(['pppc']) as { decision?: unknown };
    const run = { ...stopped, verdictPolicyVersion: 2, verdictSummary: decision };
    const rendered = text(summaryOf(run)).replace(/\s+/g, ' ');
    const opening = ` INCONCLUSIVE: ${subject} were used up before its end; 3 of 4 configured`;
    expect(rendered.slice(0, opening.length)).toBe(opening);
    expect(rendered).toContain(`Next: ${next}`);
    expect(DecisionSummary.safeParse(summaryOf(run)).success).toBe(true);
    expect(text(summaryOf(stopped)).replace(/\s+/g, ' ')).toContain(`(${subject}`);
  });

  it('inconclusive because of the grader', () => {
    const ungraded = trial(9, {
      result: undefined,
      ...chainOf(
        [
          ['passed', 'observed'],
          ['passed', 'observed'],
          ['passed', 'observed'],
          ['passed', 'observed'],
          ['passed', 'observed'],
          ['notMeasured', 'evaluatorError'],
        ],
        { failureCategory: 'evaluator' },
      ),
    });
    expect(text(decidedSummary(['ppppppppee'], [ungraded]))).toMatchInlineSnapshot(`
      "
      INCONCLUSIVE: too little was measured to decide; 8 of 10 configured trials were
      graded
      The grader broke on 2 of 10 attempted trials (20 %); at most 10 % are allowed.
      Not everything was measured: 10 of 10 configured trials attempted, 8 graded; 2
      trials without a grade because the grader broke.
      Of 1 case variant, 1 met the threshold, 0 did not, 0 had no graded trial.
      The run does not say whether the server works.
      Each case variant was decided by its own trials.
      Run run_42.
      Next: Repair the grader, then run it again.

      Trials that did not pass: 1 of 1 trial examined

      Case 9, trial 9: completed without a result
        ✓ connection  ✓ discovery  ✓ selection  ✓ call  ✓ response  – user value
        Why: No stage was seen to break: the grader itself broke, so this trial says
          nothing about the server. User value was not measured because the grader
          itself broke.
        Next: Repair the grader that the error names, then rerun the trials that were
          not graded; this trial says nothing about the server.
        Trace: /api/v1/projects/prj_1/eval-runs/run_42/iterations/itr_9/trace

      ✓ passed  ✗ failed  ○ not reached  – not measured  · not applicable
      "
    `);
  });
});

describe('a run with a percent threshold', () => {
  it.each([
    [{ total: 10, passed: 7, failed: 3 }, 'FAILED: 3 of 10 trials failed'],
    [{ failed: 1 }, 'FAILED: 1 trial failed'],
    [{ total: 10 }, 'FAILED: the run recorded no count of the trials that failed'],
    [undefined, 'FAILED: the run recorded no count of the trials that failed'],
  ])('counts trials, and only those it recorded: %o', (legacySummary, sentence) => {
    const run = { status: 'completed', result: 'failed', ...(legacySummary && { legacySummary }) };
    expect(renderSummary(summaryOf(run), { format: 'text' })).toMatch(`${sentence}\n`);
  });

  it('passed', () => {
    const run = {
      status: 'completed',
      result: 'passed',
      legacySummary: { total: 1234, passed: 1200 },
    };
    expect(text(summaryOf(run))).toMatchInlineSnapshot(`
      "
      PASSED: 1,200 of 1,234 trials passed
      Decided by one percentage over all trials; whether everything was measured was
      not recorded.
      Run run_42.

      No trial was examined
      "
    `);
  });
});

describe('a run without a verdict', () => {
  it('says why and what to do next, and blames nobody', () => {
    const rendered = [
      { status: 'running' },
      { status: 'resting' },
      { status: 'failed' },
      { status: 'completed' },
      { status: 'completed', verdictPolicyVersion: 2, integrityError: 'A trial has no verdict.' },
    ].map((run) => text(summaryOf(run)));
    expect(rendered.join('')).not.toMatch(/fail|✗/i);
    expect(rendered.join('-----')).toMatchInlineSnapshot(`
      "
      NOT ESTABLISHED: the run has not ended (still running)
      The run does not say whether the server works.
      Run run_42.
      Next: Wait for the run to end, then read it again.

      No trial has ended so far
      -----
      NOT ESTABLISHED: the run has not ended (status resting)
      The run does not say whether the server works.
      Run run_42.
      Next: Wait for the run to end, then read it again.

      No trial has ended so far
      -----
      NOT ESTABLISHED: the run stopped before it had a verdict (broke off)
      The run does not say whether the server works.
      Run run_42.
      Next: Start the run again and let it end by itself.

      No trial was examined
      -----
      NOT ESTABLISHED: the run completed and recorded no result (completed)
      The run does not say whether the server works.
      Run run_42.
      Next: Start the run again, or send its results again.

      No trial was examined
      -----
      NOT ESTABLISHED: the decision of the run cannot be read (completed)
      What was recorded: "A trial has no verdict."
      The run does not say whether the server works.
      Run run_42.
      Next: Start the run again; a stored decision is never repaired.

      No trial was examined
      "
    `);
  });
});

it('a cancelled trial has one thing to do next', () => {
  const chain = chainOf([['notMeasured', 'lifecycleStopped']], { failureCategory: 'setup' });
  const summary = decidedSummary(
    ['c'],
    [trial(1, { status: 'cancelled', result: null, ...chain })],
  );
  const text = renderSummary(summary, { format: 'text' });
  expect(text).toContain('Advice: Run the trial again; it was stopped before it ended.');
  expect(text).not.toContain('credentials');
});
