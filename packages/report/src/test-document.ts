/**
 * The document of `proofmark test --json FILE`: the tested suites as data, with the sentences shown
 * to people. Each fact occurs once. Unknown fields are absent.
 */
import {
  type DecisionSummary,
  type FailingTrial,
  isRecord,
  type Json,
  modelOfTrial,
  type RunSpending,
  type Sentence,
  type Stage,
  type StageReason,
  type StageState,
  wentAsRecorded,
} from '@proofmark/domain';
import { outlineTrial } from './outline-trial.ts';
import {
  type QuarantineToRender,
  quarantineSentences,
  whyQuarantined,
} from './quarantine-words.ts';
import { type CaseOutcome, type ReportCase, reportCases, timesOfCases } from './report-cases.ts';
import type { TrialCalls } from './show-call.ts';
import type { TrialFact } from './summary-outline.ts';
import { candidateSentences, type SurfaceToRender } from './surface-words.ts';
import {
  type ChangedPin,
  type SuiteToSum,
  sumHeadline,
  type TestCost,
  testHeadline,
} from './test-headline.ts';
import { stopsByStage } from './verdict-sentence.ts';
import { plainSentence } from './write-text.ts';

export const testDocumentFormat = 'proofmark-test';

export interface TestDocument {
  readonly format: typeof testDocumentFormat;
  readonly version: 1;
  readonly headline: string;
  readonly verdict: TestVerdict;
  readonly exitCode: number;
  /**
   * The servers whose tools differ from the pins (tool lists stored beside the suites); absent if
   * there are none.
   */
  readonly changedPins?: readonly ChangedPin[];
  readonly suites: readonly DocumentedSuite[];
}

export type TestVerdict = 'passed' | 'failed' | 'inconclusive';

export interface DocumentedSuite {
  readonly file: string;
  /** The id in the suite file; absent if the file has none. */
  readonly id?: string;
  readonly suite: string;
  readonly runId: string;
  readonly createdAt: number;
  readonly exitCode: number;
  /** The URL of the run; absent if the run is not kept. */
  readonly url?: string;
  readonly headline: string;
  readonly verdict: TestVerdict;
  /** The stage at which all failing trials stop; absent if the stages differ or are unknown. */
  readonly stage?: Stage;
  readonly stops: { readonly [stage in Stage | 'unknown']?: number };
  readonly counts: {
    readonly total: number;
    readonly passed: number;
    readonly failed: number;
    readonly inconclusive: number;
  };
  readonly cases: readonly DocumentedCase[];
  readonly quarantine?: readonly string[];
  readonly models: readonly string[];
  readonly tokens: { readonly input: number; readonly output: number; readonly total: number };
  /** `priced` is false if the price of some usage is unknown. */
  readonly cost: { readonly credits: number; readonly priced: boolean };
  readonly durationMs?: number;
  /** Present if judges were asked, which may judge the same conversation otherwise. */
  readonly judged?: true;
  /** Present if recordings were graded instead of a live server. */
  readonly replayed?: true;
  readonly surface?: DocumentedSurface;
  readonly summary: DecisionSummary;
  readonly candidates?: readonly string[];
}

export interface DocumentedSurface {
  readonly hash: string;
  readonly servers: readonly {
    readonly name: string;
    /** SHA-256 of the canonical JSON of this server's tools. */
    readonly hash: string;
    readonly tools: readonly string[];
    /** The tools exactly as the server listed them, so that two documents can be compared. */
    readonly listed: readonly Json[];
  }[];
}

export interface DocumentedCase {
  readonly id: string;
  readonly title?: string;
  readonly line?: number;
  /** SHA-256 of the case in the suite file. The hash changes when the case is edited. */
  readonly hash?: string;
  readonly verdict: CaseOutcome;
  readonly trials: { readonly graded: number; readonly passed: number };
  /** Present if the case failed in quarantine, which does not fail the test. */
  readonly quarantined?: true;
  readonly flaky?: true;
  /** Present if an own scorer grades the case, so that equal trials may end otherwise. */
  readonly ownScorer?: true;
  /** Present if the run used several models. */
  readonly model?: string;
  readonly durationMs: number;
  readonly failedTrials?: readonly FailingTrial[];
  /** This and the following fields describe the first trial that did not pass. */
  readonly stage?: Stage;
  readonly chain?: readonly {
    readonly stage: Stage;
    readonly state: StageState;
    readonly reason?: StageReason;
  }[];
  readonly why?: string;
  readonly checks?: readonly string[];
  readonly expected?: string;
  readonly observed?: string;
  readonly advice?: string;
  readonly nextAction?: string;
}

export interface TrialOfTest {
  readonly caseId?: string | undefined;
  readonly title: string | null;
  readonly model: string | null;
  readonly provider: string | null;
  readonly durationMs: number | null;
}

export interface SuiteReadout {
  readonly file: string;
  /** The id in the suite file; empty or absent if the file has none. */
  readonly id?: string | undefined;
  readonly name: string;
  readonly exitCode: number;
  readonly url?: string | undefined;
  readonly summary: DecisionSummary;
  readonly run: {
    readonly createdAt: number;
    readonly completedAt: number | null;
    readonly spending?: RunSpending | undefined;
    readonly caseTitles?: Readonly<Record<string, string>> | undefined;
  };
  readonly passed: readonly TrialOfTest[];
  readonly notPassed: readonly TrialOfTest[];
  readonly calls: ReadonlyMap<string, TrialCalls>;
  readonly changes?: SurfaceToRender | undefined;
  readonly surface?: DocumentedSurface | undefined;
  readonly quarantine?: QuarantineToRender | undefined;
  /** The line of the case in the suite file; 0 or undefined if unknown. */
  lineOf(caseId: string): number | undefined;
  /** SHA-256 of the case in the suite file; undefined if the file lacks the case. */
  hashOf?(caseId: string): string | undefined;
  /** Whether an own scorer grades the case. */
  asksScorer?(caseId: string): boolean;
}

interface DocumentedCall {
  readonly asked: number;
  readonly exitCode: number;
  readonly changedPins?: readonly ChangedPin[];
}

export function testDocument(
  suites: readonly SuiteReadout[],
  { asked, exitCode, changedPins = [] }: DocumentedCall,
): TestDocument {
  const documented = suites.map(documentSuite);
  const [only] = documented;
  const isOne = only !== undefined && asked === 1 && changedPins.length === 0;
  return {
    format: testDocumentFormat,
    version: 1,
    headline: isOne
      ? only.headline
      : plain(sumHeadline(suites.map(suiteToSum), asked, changedPins)),
    verdict: isOne ? only.verdict : verdictOfCode(exitCode),
    exitCode,
    ...(changedPins.length > 0 && { changedPins }),
    suites: documented,
  };
}

function verdictOfCode(exitCode: number): TestVerdict {
  if (exitCode === 0) return 'passed';
  return exitCode === 1 ? 'failed' : 'inconclusive';
}

/** A replay that diverged from its recording has no verdict, even if trials were graded. */
function verdictOf({ verdict, replay }: DecisionSummary): TestVerdict {
  if (!wentAsRecorded(replay) || verdict === 'notEstablished') return 'inconclusive';
  return verdict;
}

export function costOfTest({ run, passed, notPassed }: SuiteReadout): TestCost {
  const models = [...passed, ...notPassed].flatMap((trial) => modelOfTrial(trial) ?? []);
  return {
    models: [...new Set(models)],
    ...(run.completedAt !== null && { durationMs: run.completedAt - run.createdAt }),
    spending: run.spending,
  };
}

export function suiteToSum(suite: SuiteReadout): SuiteToSum {
  const { summary, exitCode, quarantine } = suite;
  const isCounted = summary.verdictSource === 'policyV2';
  return {
    ...costOfTest(suite),
    verdict: verdictOf(summary),
    exitCode,
    ...(quarantine?.word === 'QUARANTINED' && { isQuarantined: true }),
    ...(isCounted && { cases: summary.counts }),
  };
}

export function documentSuite(suite: SuiteReadout): DocumentedSuite {
  const { file, id, name, exitCode, url, summary, surface, changes } = suite;
  const { models, durationMs, spending } = costOfTest(suite);
  const { inputTokens: input = 0, outputTokens: output = 0 } = spending ?? {};
  const stops = stopsByStage(summary);
  const [stage] = stops.size === 1 ? stops.keys() : [];
  const candidates = candidateSentences(summary, { surface: changes }).map(plain);
  return {
    file,
    ...(id && { id }),
    suite: name,
    runId: summary.runId,
    createdAt: suite.run.createdAt,
    exitCode,
    ...(url !== undefined && { url }),
    headline: plain(testHeadline(summary, { models, durationMs, spending }, suite.quarantine)),
    verdict: verdictOf(summary),
    ...(stage !== undefined && { stage }),
    stops: Object.fromEntries([...stops].map(([at = 'unknown', amount]) => [at, amount])),
    counts: countsOf(summary),
    cases: documentCases(suite),
    ...(suite.quarantine && { quarantine: quarantineSentences(suite.quarantine).map(plain) }),
    models,
    tokens: { input, output, total: input + output },
    cost: { credits: spending?.credits ?? 0, priced: spending?.priced ?? true },
    ...(durationMs !== undefined && { durationMs }),
    ...(spending?.judges && { judged: true as const }),
    ...(summary.replay && { replayed: true }),
    ...(surface && { surface }),
    summary,
    ...(candidates.length > 0 && { candidates }),
  };
}

function countsOf(summary: DecisionSummary): DocumentedSuite['counts'] {
  if (summary.verdictSource !== 'policyV2') {
    return { total: 0, passed: 0, failed: 0, inconclusive: 0 };
  }
  const { total, passed, failed, inconclusive } = summary.counts;
  return { total, passed, failed, inconclusive };
}

function documentCases(suite: SuiteReadout): DocumentedCase[] {
  const { summary, calls, passed, run } = suite;
  const { caseTitles } = run;
  const passedMs = timesOfCases(summary, passed, caseTitles);
  return reportCases(summary, { caseTitles, calls }).map((one) => {
    const { row, outcome, trials } = one;
    const { caseId: id, executionVariant: variant } = row;
    const title =
      caseTitles !== undefined && Object.hasOwn(caseTitles, id) ? caseTitles[id] : undefined;
    const line = suite.lineOf(id);
    const hash = suite.hashOf?.(id);
    const failedMs = trials.reduce(
      (sum, { iterationId }) => sum + (calls.get(iterationId)?.durationMs ?? 0),
      0,
    );
    const model = variant && modelOfTrial({ ...variant, provider: variant.provider ?? null });
    return {
      id,
      ...(title !== undefined && { title }),
      ...(line && { line }),
      ...(hash && { hash }),
      verdict: outcome,
      trials: { graded: row.eligibleTrials, passed: row.passedTrials },
      ...(whyQuarantined(suite.quarantine, row) && { quarantined: true as const }),
      ...(row.mixedVerdict && { flaky: true as const }),
      ...(suite.asksScorer?.(id) && { ownScorer: true as const }),
      ...(model && { model }),
      durationMs: (passedMs.get(row) ?? 0) + failedMs,
      ...failedTrials(one, calls),
      ...explained(one, calls),
    };
  });
}

function failedTrials(
  { trials }: ReportCase,
  calls: SuiteReadout['calls'],
): Pick<DocumentedCase, 'failedTrials'> {
  const failed = trials.filter(({ result }) => result === 'failed');
  if (failed.length === 0) return {};
  return {
    failedTrials: failed.map(({ iterationId: id }) => ({
      id,
      expectedToolCalls: toolsOf(calls.get(id)?.expectedToolCalls),
      actualToolCalls: toolsOf(calls.get(id)?.actualToolCalls),
    })),
  };
}

function toolsOf(calls: readonly unknown[] = []): Json[] {
  const tools = calls.filter(isRecord).map(({ serverName, toolName }) => ({
    ...(typeof serverName === 'string' && { serverName }),
    toolName,
  }));
  return [...new Map(tools.map((one) => [JSON.stringify(one), one])).values()];
}

/** Describes the first trial that failed, or else the first without a result. */
function explained({ trials }: ReportCase, calls: SuiteReadout['calls']): Partial<DocumentedCase> {
  const trial = trials.find(({ result }) => result === 'failed') ?? trials[0];
  if (trial === undefined) return {};
  const { chain, nextAction, advice, status } = trial;
  const verified = chain.status === 'verified' ? chain : undefined;
  const { facts } = outlineTrial(trial, false, { calls });
  const textOf = (wanted: TrialFact['label']) =>
    facts.flatMap(({ label, text }) => (label === wanted ? [plain(text)] : []));
  const [why] = textOf('Why');
  const checks = textOf('Check');
  const [expected] = textOf('Expected');
  const [observed] = textOf('Observed');
  return {
    ...(verified?.firstFailedStage && { stage: verified.firstFailedStage }),
    ...(verified && {
      chain: verified.stages.map(({ stage, state, reason }) => ({
        stage,
        state,
        ...(reason && { reason }),
      })),
    }),
    ...(why !== undefined && { why }),
    ...(checks.length > 0 && { checks }),
    ...(expected !== undefined && { expected }),
    ...(observed !== undefined && { observed }),
    ...(advice !== undefined && { advice }),
    nextAction: status === 'cancelled' ? (advice ?? nextAction) : nextAction,
  };
}

function plain(sentence: Sentence): string {
  return plainSentence(sentence, false);
}
