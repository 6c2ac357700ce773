/**
 * The first line of a test's output: the verdict, its cases, the models, and the resources used.
 * Example: `PASSED: 10 of 10 cases · proofmark/lexical-1 · 3.2 s · 1,240 tokens · free`.
 */
import {
  count,
  creditsText,
  type DecisionSummary,
  join,
  type RunSpending,
  type Sentence,
  say,
  secondsText,
  theirs,
} from '@proofmark/domain';
import { type QuarantineToRender, quarantineHead } from './quarantine-words.ts';
import { briefVerdict } from './verdict-sentence.ts';

export interface TestCost {
  /** Each model once; empty if no trial used a model. */
  readonly models: readonly string[];
  readonly durationMs?: number | undefined;
  /** Absent if no model was called. */
  readonly spending?: RunSpending | undefined;
}

const between = ' · ';

export function testHeadline(
  summary: DecisionSummary,
  cost: TestCost,
  quarantine?: QuarantineToRender,
): Sentence {
  const head = quarantine && quarantineHead(summary, quarantine);
  return join([head ?? briefVerdict(summary).head, ...costClauses(cost)], between);
}

export interface SuiteToSum extends TestCost {
  readonly verdict: 'passed' | 'failed' | 'inconclusive' | 'notEstablished';
  readonly exitCode: number;
  readonly isQuarantined?: boolean;
  /** Absent if the verdict was not decided by cases. */
  readonly cases?: { readonly total: number; readonly passed: number; readonly failed: number };
}

/** A server whose tools differ from those pinned beside a suite. */
export interface ChangedPin {
  readonly serverName: string;
  readonly message: string;
}

/**
 * Returns the line that summarizes several suites. `asked` also counts suites that were not tested
 * because an earlier run was cancelled. The first of these decides, as for the exit code: a
 * failure, a changed pin, a suite without a verdict, a quarantined suite, a pass. A failure with a
 * waiver does not count.
 */
export function sumHeadline(
  suites: readonly SuiteToSum[],
  asked: number,
  changedPins: readonly ChangedPin[] = [],
): Sentence {
  const passed = suites.filter(({ verdict }) => verdict === 'passed').length;
  const failed = suites.filter(({ exitCode }) => exitCode === 1).length;
  const quarantined = suites.filter(({ isQuarantined }) => isQuarantined).length;
  const waived = suites.filter(
    ({ verdict, exitCode, isQuarantined }) =>
      verdict !== 'passed' && exitCode === 0 && !isQuarantined,
  );
  const isOpen = asked > suites.length || suites.some(({ exitCode }) => exitCode > 1);
  const of = `of ${count(asked, 'suite')}`;
  const waivedBeside = waived.length === 0 ? '' : `, ${waived.length} waived`;
  const besides = waived.length === 0 ? '' : ` passed${waivedBeside}`;
  const head = () => {
    if (failed > 0) return say`FAILED: ${failed} ${of}`;
    if (changedPins.length > 0) {
      return say`FAILED: ${changedPinsWords(changedPins)}; ${passed} ${of} passed`;
    }
    if (isOpen) return say`INCONCLUSIVE: ${passed} ${of} passed`;
    if (quarantined > 0) {
      return say`QUARANTINED: ${quarantined} ${of}; ${passed} passed${waivedBeside}`;
    }
    return say`PASSED: ${passed} ${of}${besides}`;
  };
  return join([head(), ...casesOfAll(suites), ...costClauses(costOfAll(suites))], between);
}

/**
 * Example: "1 server differs from its pin". Several suites may pin the same server, which counts
 * once.
 */
export function changedPinsWords(changed: readonly ChangedPin[]): string {
  const servers = new Set(changed.map(({ serverName }) => serverName)).size;
  const differ = servers === 1 ? 'differs from its pin' : 'differ from their pins';
  return `${count(servers, 'server')} ${differ}`;
}

function casesOfAll(suites: readonly SuiteToSum[]): Sentence[] {
  const counts = suites.flatMap(({ cases }) => cases ?? []);
  if (counts.length < suites.length) return [];
  const sum = (of: 'total' | 'passed') => counts.reduce((all, one) => all + one[of], 0);
  return [say`${sum('passed')} of ${count(sum('total'), 'case')} passed`];
}

function costOfAll(suites: readonly TestCost[]): TestCost {
  const durations = suites.flatMap(({ durationMs }) => durationMs ?? []);
  const spent = suites.flatMap(({ spending }) => spending ?? []);
  const sum = (of: 'credits' | 'inputTokens' | 'outputTokens') =>
    spent.reduce((all, one) => all + one[of], 0);
  return {
    models: [...new Set(suites.flatMap(({ models }) => models))],
    ...(durations.length > 0 && { durationMs: durations.reduce((all, one) => all + one, 0) }),
    ...(spent.length > 0 && {
      spending: {
        credits: sum('credits'),
        inputTokens: sum('inputTokens'),
        outputTokens: sum('outputTokens'),
        priced: spent.every(({ priced }) => priced),
      },
    }),
  };
}

function costClauses({ models, durationMs, spending }: TestCost): Sentence[] {
  const [model, ...others] = models;
  const asked = () => {
    if (model === undefined) return say`no model`;
    return others.length === 0 ? say`${theirs(model)}` : say`${count(models.length, 'model')}`;
  };
  return [
    asked(),
    ...(durationMs === undefined ? [] : [say`${timeText(durationMs)}`]),
    ...spendingClauses(spending),
  ];
}

/** Examples: `3.2 s`, `2 min 5 s`. */
function timeText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return secondsText(ms);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function spendingClauses(spending: RunSpending | undefined): Sentence[] {
  const { credits, inputTokens, outputTokens, priced } = spending ?? nothingSpent;
  const tokens = inputTokens + outputTokens;
  const cost = () => {
    if (priced) return credits === 0 ? 'free' : creditsText(credits);
    return credits === 0 ? 'cost unknown' : `${creditsText(credits)} and models without a price`;
  };
  return [...(tokens > 0 ? [say`${count(tokens, 'token')}`] : []), say`${cost()}`];
}

const nothingSpent = { credits: 0, inputTokens: 0, outputTokens: 0, priced: true };
