import { notRecordedMessage, type ScannedTrial } from '@proofmark/domain';
import { describe, expect, it } from 'vitest';
import { chainOf, chainStoppedAt, decidedSummary, trial } from './example-summaries.ts';
import { renderSummary } from './render-summary.ts';
import type { TrialCalls } from './show-call.ts';

const selection = chainStoppedAt('selection', 'missingToolCall', 'selection');

describe('a trial that did not pass', () => {
  it('shows advice alone if no failure category is known', () => {
    const refused = chainOf([['notMeasured', 'blockedByPolicy']]);
    const shown = trialsOf([trial(1, { title: 'refused', result: undefined, ...refused })]);
    expect(shown).toMatch(/Advice: .*policy/s);
    expect(shown).not.toContain('Next:');
    const setup = chainOf([['notMeasured', 'blockedByPolicy']], { failureCategory: 'setup' });
    expect(trialsOf([trial(1, { title: 'set-up', ...setup })])).toContain('Next: ');
  });

  it('shows every status of its chain', () => {
    const trials = [
      trial(1, { title: 'never stored', error: 'AssertionError: 1 is not 2' }),
      trial(2, { title: 'does not validate', stageResults: [], stageAnalyzerVersion: 1 }),
      trial(3, { title: 'of a newer analyzer', ...selection, stageAnalyzerVersion: 7 }),
      trial(4, { title: 'newer, does not validate', stageResults: [], stageAnalyzerVersion: 7 }),
      trial(5, { ...chainOf([['notMeasured', 'traceAbsent']]), title: null, caseId: 'case-1' }),
      trial(6, {
        title: 'stopped in setup',
        status: 'setup_failed',
        result: undefined,
        ...chainOf([['notMeasured', 'setupAborted']], { failureCategory: 'setup' }),
        expectedToolCalls: [{ toolName: 'refund' }],
      }),
    ];
    expect(trialsOf(trials)).toMatchInlineSnapshot(`
      "
      Trials that did not pass: 6 of 6 trials examined

      never stored, trial 1: failed
        Why: "AssertionError: 1 is not 2". No stage chain was recorded for this trial.
        Next: Read what was recorded of this trial; no failure category is known for
          it.
        Trace: /api/v1/projects/prj_1/eval-runs/run_42/iterations/itr_1/trace

      does not validate, trial 2: failed
        Why: The stored stage chain is inconsistent, so it is not shown.
        Next: Read what was recorded of this trial; no failure category is known for
          it.
        Trace: /api/v1/projects/prj_1/eval-runs/run_42/iterations/itr_2/trace

      of a newer analyzer, trial 3: failed
        ✓ connection  ✓ discovery  ✗ selection  ○ call  ○ response  ○ user value
        Why: Selection failed because some calls that the case expects were not made,
          or not in the expected order. The chain comes from version 7 of the
          analyzer, newer than version 2 known here.
        Next: Compare the tools the case expects with the tools the model called, then
          decide whether the prompt, the case or the tool list has to change.
        Trace: /api/v1/projects/prj_1/eval-runs/run_42/iterations/itr_3/trace

      newer, does not validate, trial 4: failed
        Why: The stored stage chain is inconsistent, so it is not shown. The chain
          comes from version 7 of the analyzer, newer than version 2 known here.
        Next: Read what was recorded of this trial; no failure category is known for
          it.
        Trace: /api/v1/projects/prj_1/eval-runs/run_42/iterations/itr_4/trace

      case-1, trial 5: failed
        – connection  – discovery  – selection  – call  – response  – user value
        Why: No stage was seen to break. Connection was not measured because the trial
          recorded no trace.
        Next: Read what was recorded of this trial; no failure category is known for
          it.
        Trace: none was recorded

      stopped in setup, trial 6: stopped in setup
        – connection  – discovery  – selection  – call  – response  – user value
        Why: No stage was seen to break: the trial could not be carried out as its
          case states. Connection was not measured because something that the trial
          needs was missing or was removed.
        Expected: refund
        Observed: no tool call recorded
        Next: Read the error of this trial and check the part that it names: the
          credentials, the environment, the model provider, or the address and the
          network of the server.
        Trace: /api/v1/projects/prj_1/eval-runs/run_42/iterations/itr_6/trace

      ✓ passed  ✗ failed  ○ not reached  – not measured  · not applicable

      Not shown
        The stages of 2 trials: the stored chain is inconsistent.
        The stages of 1 trial: none were recorded.

      FAILED: 1 of 1 case variant
      "
    `);
  });

  it('says the reason that was recorded where no stage tells one, once, and of no trace that there is none', () => {
    const error = 'AssertionError: 1 is not 2';
    const trials = [
      trial(1, { ...chainOf([['notMeasured', 'traceAbsent']]), error }),
      trial(2, { ...selection, error, expectedToolCalls: [{ toolName: 'refund' }] }),
    ];
    const calls = new Map([
      ['itr_2', { expectedToolCalls: [], actualToolCalls: [], hasTrace: false }],
    ]);
    const text = trialsOf(trials, calls);
    expect(text).toContain(`Why: "${error}". No stage was seen to break.`);
    expect(text.split(error)).toHaveLength(3);
    expect(text).toContain(`Observed: no tool call recorded; "${error}"`);
    expect(text.match(/Trace: .*/g)).toEqual([
      'Trace: none was recorded',
      'Trace: none was recorded',
    ]);
    expect(text).not.toMatch(/open the trace/i);
  });

  it('names no trace where its service is gone', () => {
    const summary = decidedSummary(['f'], [trial(1, { ...selection })]);
    expect(renderSummary(summary, { format: 'text' })).toContain('Trace: /api/v1/');
    expect(renderSummary(summary, { format: 'text', namesTraces: false })).not.toMatch(
      /Trace|\/api/,
    );
  });

  it('tells a test that was skipped as skipped, and not as stopped', () => {
    const skipped = trial(1, {
      status: 'skipped',
      result: undefined,
      ...chainOf([['notMeasured', 'lifecycleStopped']], { failureCategory: 'setup' }),
    });
    const text = trialsOf([skipped]).replace(/\s+/g, ' ');
    expect(text).toContain('because the test was skipped by its reporter.');
    expect(text).toContain('Advice: Enable the skipped test, or leave it out of the report.');
    expect(text).not.toMatch(/stopped/);
  });

  it.each([
    [
      'The tool "weather" answered differently than recorded at /content.',
      'diverged from its recording',
      'the replay diverged from its recording and was ended there',
    ],
    [notRecordedMessage, 'not recorded', 'nothing was recorded for this trial'],
  ])('tells a replay that was ended by its error: %s', (error, end, because) => {
    const ended = trial(1, {
      status: 'skipped',
      result: undefined,
      error,
      title: 'Rome',
      ...chainOf([['notMeasured', 'lifecycleStopped']]),
    });
    const text = trialsOf([ended]).replace(/\s+/g, ' ');
    expect(text).toContain(`Rome, trial 1: ${end}`);
    expect(text).toContain(`Why: "${error}`);
    expect(text).toContain(`was not measured because ${because}.`);
    expect(text).not.toMatch(/skipped|reporter/);
  });

  it('shows all five states, a status nobody knows and a long list of tools', () => {
    const one = trial(1, {
      status: 'resting',
      result: undefined,
      ...chainOf(
        [
          ['passed', 'observed'],
          ['notMeasured', 'noEvidenceCaptured'],
          ['notApplicable', 'notAuthored'],
          ['failed', 'protocolError'],
          ['notReached', 'earlierStageFailed'],
          ['notReached', 'earlierStageFailed'],
        ],
        { firstFailedStage: 'call', failureCategory: 'serverData' },
      ),
      actualToolCalls: Array.from({ length: 12 }, (_, index) => ({ toolName: `tool_${index}` })),
    });
    expect(trialsOf([one])).toMatchInlineSnapshot(`
      "
      Trials that did not pass: 1 of 1 trial examined

      Case 1, trial 1: status resting
        ✓ connection  – discovery  · selection  ✗ call  ○ response  ○ user value
        Why: Call failed because the call got no result.
        Observed: tool_0, tool_1, tool_2, tool_3, tool_4, tool_5, tool_6, tool_7,
          tool_8, tool_9 and 2 more
        Next: Find the failing tool call and look in the server for the reason it gave
          no usable result.
        Trace: /api/v1/projects/prj_1/eval-runs/run_42/iterations/itr_1/trace

      ✓ passed  ✗ failed  ○ not reached  – not measured  · not applicable
      "
    `);
  });

  it('cuts a long failure and says how much is missing', () => {
    const rendered = trialsOf([trial(1, { ...selection, error: 'x '.repeat(1000) })]);
    expect(rendered.replaceAll(/\s+/g, ' ')).toContain('x x … (1599 more characters)"');
  });
});

function trialsOf(
  trials: readonly ScannedTrial[],
  calls?: ReadonlyMap<string, TrialCalls>,
): string {
  const summary = decidedSummary(['f'], trials);
  const rendered = renderSummary(summary, { format: 'text', calls });
  return `\n${rendered.slice(rendered.indexOf('Trials that'))}`;
}
