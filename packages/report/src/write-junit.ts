/**
 * Writes a run's decision as JUnit XML for CI systems. Each case variant is a test case:
 * - a failure if it is below its threshold;
 * - an error if it has no graded trial;
 * - skipped if all its trials were skipped or if it failed in quarantine.
 * A stale quarantine entry fails the gate, so it is an additional failure. A run whose verdict the
 * cases do not determine is an additional test case: it has no verdict, was cancelled, or was
 * decided by one threshold over all trials.
 */
import {
  cleanText,
  count,
  type DecisionSummary,
  type Sentence,
  stageWords,
  wentAsRecorded,
} from '@proofmark/domain';
import { aboutRun, nextForRun } from './about-run.ts';
import { runPage } from './console-page.ts';
import { endedTrials } from './ended-trials.ts';
import { escapeMarkup } from './escape-markup.ts';
import { groupTrials } from './group-trials.ts';
import { leftOutSentences } from './left-out-sentence.ts';
import { planSentences, plansOf } from './plan-words.ts';
import { staleSentence, whyQuarantined } from './quarantine-words.ts';
import { refusedSentences } from './refused-sentence.ts';
import type { RenderOptions } from './render-summary.ts';
import { replaySentences } from './replay-sentence.ts';
import {
  measuredOfCase,
  type ReportCase,
  reportCases,
  type TimedTrial,
  thresholdOfCase,
  timesOfCases,
  whyUnmeasured,
} from './report-cases.ts';
import { candidateSentences } from './surface-words.ts';
import type { ChangedPin } from './test-headline.ts';
import { verdictSentence } from './verdict-sentence.ts';
import { plainSentence } from './write-text.ts';

export interface JunitOptions
  extends Omit<RenderOptions, 'format' | 'ascii' | 'width' | 'brief' | 'listsPassed'> {
  readonly suiteName?: string | undefined;
  readonly runNumber?: number | undefined;
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | null | undefined;
  readonly passed?: readonly TimedTrial[] | undefined;
}

interface TestCase {
  readonly name: string;
  readonly outcome: 'passed' | 'failure' | 'error' | 'skipped';
  readonly type: string;
  readonly message: string;
  readonly lines: readonly string[];
  /** The sum of the trials' durations; 0 if none is known. */
  readonly durationMs: number;
}

const shownGroups = 20;

export interface JunitRun {
  readonly summary: DecisionSummary;
  readonly options: JunitOptions;
}

export function renderJunit(summary: DecisionSummary, options: JunitOptions = {}): string {
  return renderJunitOfAll([{ summary, options }]);
}

/**
 * Writes several runs as one report. Servers that differ from their pins form an additional test
 * suite.
 */
export function renderJunitOfAll(
  runs: readonly JunitRun[],
  changedPins: readonly ChangedPin[] = [],
): string {
  const suites = [...runs.map(testSuiteOf), ...suiteOfPins(changedPins)];
  const sum = (of: 'tests' | 'failures' | 'errors') =>
    suites.reduce((all, { counts }) => all + counts[of], 0);
  const counts = { tests: sum('tests'), failures: sum('failures'), errors: sum('errors') };
  const times = suites.flatMap(({ durationMs }) => durationMs ?? []);
  const time = times.length === 0 ? {} : { time: seconds(times.reduce((all, one) => all + one)) };
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'proofmark', ...counts, ...time })}>`,
    ...suites.flatMap(({ lines }) => lines),
    '</testsuites>',
  ].join('\n')}\n`;
}

function testSuiteOf({ summary, options }: JunitRun) {
  const times = timesOfCases(summary, options.passed ?? [], options.caseTitles);
  const cases = reportCases(summary, options).map((one) =>
    caseTest(one, options, times.get(one.row) ?? 0),
  );
  const tests = [...cases, ...runTests(summary, options), ...staleTests(options)];
  const className = cleanText(options.suiteName ?? 'proofmark', false);
  const counts = {
    tests: tests.length,
    failures: amount(tests, 'failure'),
    errors: amount(tests, 'error'),
  };
  const durationMs = durationOfRun(options);
  const time = durationMs === undefined ? {} : { time: seconds(durationMs) };
  // Jenkins' schema for reports allows `skipped` on `testsuite` but not on `testsuites`.
  const ofSuite = { ...counts, skipped: amount(tests, 'skipped'), ...time };
  const { runNumber, startedAt } = options;
  const run = runNumber === undefined ? summary.runId : `run ${runNumber}`;
  const named = { name: `${className}, ${run}` };
  // Some readers infer from the timestamp that test titles do not contain suite names, so one is
  // always written.
  const timestamp = new Date(startedAt ?? 0).toISOString().slice(0, 19);
  const lines = [
    `  <testsuite${attributes({ ...named, ...ofSuite, timestamp })}>`,
    '    <properties>',
    ...propertiesOf(summary, options).map(
      ([name, value]) => `      <property${attributes({ name, value })}/>`,
    ),
    '    </properties>',
    ...tests.flatMap((test) => testLines(test, className)),
    '  </testsuite>',
  ];
  return { counts, durationMs, lines };
}

function suiteOfPins(changed: readonly ChangedPin[]): ReturnType<typeof testSuiteOf>[] {
  if (changed.length === 0) return [];
  const tests = changed.map(({ serverName, message }): TestCase => {
    const name = `${cleanText(serverName, false)} is as pinned`;
    return { name, outcome: 'failure', type: 'pin', message, lines: [], durationMs: 0 };
  });
  const counts = { tests: tests.length, failures: tests.length, errors: 0 };
  const lines = [
    `  <testsuite${attributes({ name: 'pins', ...counts, skipped: 0 })}>`,
    ...tests.flatMap((test) => testLines(test, 'pins')),
    '  </testsuite>',
  ];
  return [{ counts, durationMs: undefined, lines }];
}

function caseTest(one: ReportCase, options: JunitOptions, passedMs: number): TestCase {
  const { row, outcome } = one;
  const name = plain(one.name);
  const lines = trialLines(one.trials, options);
  const at = stageOf(one);
  const durationMs = passedMs + durationOf(one.trials, options);
  switch (outcome) {
    case 'passed':
      return { name, outcome: 'passed', type: '', message: '', lines, durationMs };
    case 'failed': {
      const excuse = whyQuarantined(options.quarantine, row);
      if (excuse !== undefined) {
        return { name, outcome: 'skipped', type: '', message: plain(excuse), lines, durationMs };
      }
      const where = at === undefined ? '' : `, stopped at ${stageWords[at]}`;
      const message = `${measuredOfCase(one)}; ${thresholdOfCase(row)}${where}`;
      return { name, outcome: 'failure', type: at ?? 'belowThreshold', message, lines, durationMs };
    }
    case 'notMeasured': {
      const message = whyUnmeasured(row);
      return { name, outcome: 'error', type: at ?? outcome, message, lines, durationMs };
    }
    case 'skipped':
      return { name, outcome, type: '', message: whyUnmeasured(row), lines, durationMs };
  }
}

function staleTests({ quarantine }: JunitOptions): TestCase[] {
  return (quarantine?.stale ?? []).map((entry) => ({
    name: `the quarantine of ${cleanText(entry.caseId, false)} is in force`,
    outcome: 'failure',
    type: 'quarantine',
    message: plain(staleSentence(entry, quarantine)),
    lines: [],
    durationMs: 0,
  }));
}

function durationOf(trials: ReportCase['trials'], { calls }: JunitOptions): number {
  return trials.reduce(
    (sum, { iterationId }) => sum + (calls?.get(iterationId)?.durationMs ?? 0),
    0,
  );
}

function runTests(summary: DecisionSummary, options: JunitOptions): TestCase[] {
  const message = plain(verdictSentence(summary));
  const next = nextForRun(summary);
  const lines = [
    ...aboutRun(summary, options).map(plain),
    ...(next === undefined ? [] : [`Next: ${plain(next)}`]),
  ];
  const whole =
    summary.verdictSource === 'policyV2' ? [] : trialLines(endedTrials(summary), options);
  const isOpen =
    summary.verdict === 'inconclusive' ||
    summary.verdict === 'notEstablished' ||
    !wentAsRecorded(summary.replay);
  if (isOpen || summary.runStatus !== 'completed') {
    const name = 'the run has a verdict';
    const failureFields = { message, lines: [...lines, ...whole], durationMs: 0 };
    return [{ name, outcome: 'error', type: 'notMeasured', ...failureFields }];
  }
  if (summary.verdictSource !== 'legacy') return [];
  const outcome = summary.verdict === 'failed' ? 'failure' : 'passed';
  const name = 'enough of all trials pass';
  const failureFields = { message, lines: [...lines, ...whole], durationMs: 0 };
  return [{ name, outcome, type: 'belowThreshold', ...failureFields }];
}

/** The stage at which all failing trials of the case stop; undefined if the stages differ. */
function stageOf({ trials }: ReportCase) {
  const stages = new Set(
    trials.map(({ chain }) => (chain.status === 'verified' ? chain.firstFailedStage : undefined)),
  );
  const [only] = stages;
  return stages.size === 1 ? only : undefined;
}

function trialLines(trials: ReportCase['trials'], options: JunitOptions): string[] {
  const groups = groupTrials(trials, false, options);
  const shown = groups
    .slice(0, shownGroups)
    .flatMap(({ outline: { heading, strip, facts } }) => [
      plain(heading),
      ...(strip.length === 0 ? [] : [`  ${strip.join('  ')}`]),
      ...facts.map(({ label, text }) => `  ${label}: ${plain(text)}`),
    ]);
  const further = groups.slice(shownGroups).reduce((sum, { members }) => sum + members.length, 0);
  return further === 0 ? shown : [...shown, `${count(further, 'more trial')} that did not pass.`];
}

function testLines(test: TestCase, className: string): string[] {
  const { name, outcome, type, message, lines } = test;
  const time = seconds(test.durationMs);
  const opening = `    <testcase${attributes({ name, classname: className, time })}`;
  const text = lines.map(escapeMarkup).join('\n');
  if (outcome === 'passed') {
    return text === '' ? [`${opening}/>`] : [`${opening}>`, ...element('system-out', {}, text)];
  }
  const problemAttributes = outcome === 'skipped' ? { message } : { message, type };
  return [`${opening}>`, ...element(outcome, problemAttributes, text)];
}

function element(name: string, given: Record<string, string>, text: string): string[] {
  const opening = `      <${name}${attributes(given)}`;
  return [text === '' ? `${opening}/>` : `${opening}>${text}</${name}>`, '    </testcase>'];
}

function propertiesOf(summary: DecisionSummary, options: JunitOptions) {
  const { console: location, waiver } = options;
  const candidates = candidateSentences(summary, options).map(plain);
  return [
    ['verdict', summary.verdict],
    ['run', summary.runId],
    ...replaySentences(summary.replay).map((sentence) => ['replay', plain(sentence)] as const),
    ...refusedSentences(summary.refusedCalls).map((one) => ['refused', plain(one)] as const),
    ...leftOutSentences(summary.leftOut, summary.refusedCalls).map(
      (one) => ['leftOut', plain(one)] as const,
    ),
    ...planSentences(plansOf(summary)).map((one) => ['plans', plain(one)] as const),
    ...(summary.nothingCalled === true
      ? [['nothingCalled', plain(verdictSentence(summary))] as const]
      : []),
    ...candidates.map((sentence) => ['candidates', sentence] as const),
    ...(location === undefined ? [] : [['console', runPage(location, summary.runId)] as const]),
    ...(waiver === undefined
      ? []
      : [['waived', cleanText(`until ${waiver.until} by ${waiver.by}`, false)] as const]),
  ] as const;
}

function durationOfRun({ startedAt, endedAt }: JunitOptions): number | undefined {
  if (startedAt === undefined || endedAt === undefined || endedAt === null) return undefined;
  return Math.max(0, endedAt - startedAt);
}

function seconds(ms: number): string {
  return (Math.max(0, ms) / 1000).toFixed(3);
}

function amount(tests: readonly TestCase[], outcome: TestCase['outcome']): number {
  return tests.filter((test) => test.outcome === outcome).length;
}

function plain(sentence: Sentence): string {
  return plainSentence(sentence, false);
}

function attributes(given: Readonly<Record<string, string | number>>): string {
  return Object.entries(given)
    .map(([name, value]) => ` ${name}="${escapeMarkup(String(value))}"`)
    .join('');
}
