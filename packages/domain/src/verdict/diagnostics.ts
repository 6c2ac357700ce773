/**
 * Diagnostics of one page of a run's trials: one row for every trial that did not pass, including
 * undecided ones, in the order of the page. Rows are evidence for the verdict and are never counted
 * as cases. A page is complete if it was requested without a cursor, no page follows, and every
 * trial of the run is recorded, even if still running.
 */
import * as z from 'zod';
import { capText } from '../assertions/redact.ts';
import { nextAction } from '../chain/next-action.ts';
import { DecisionChain, readChain } from '../chain/read-chain.ts';
import { trialAdvice } from '../chain/trial-advice.ts';
import { caseIdPattern, taskVerdicts } from './decision.ts';
import { DecisionEvidence, locateEvidence } from './evidence.ts';
import { toolNames } from './tool-names.ts';

/**
 * The number of characters of an error that a page shows; the trial itself contains the whole
 * error.
 */
export const failureLength = 2000;

const Count = z.int().min(0);
const Text = z.string().min(1);
const ToolNames = z.array(Text).min(1);

export const DecisionDiagnostic = z
  .strictObject({
    iterationId: z.string(),
    iterationNumber: Count,
    caseId: z.string().regex(caseIdPattern).exactOptional().meta({
      description: "The case's declared id. Not a join key into decision.cases.",
    }),
    testCaseId: Text.exactOptional(),
    title: Text.exactOptional(),
    status: z.string().meta({ description: 'Lifecycle, not a verdict.' }),
    result: z.enum(taskVerdicts).exactOptional(),
    chain: DecisionChain,
    expected: z.strictObject({ toolNames: ToolNames }).exactOptional(),
    observed: z
      .strictObject({ toolNames: ToolNames.exactOptional(), failure: Text.exactOptional() })
      .exactOptional(),
    evidence: DecisionEvidence,
    nextAction: Text.meta({
      description: 'The sentence for the failure category, or the sentence for trials without one.',
    }),
    advice: Text.exactOptional().meta({
      description:
        'An addition: more specific advice, if the error or the stages of the trial say more than its category. Show it first.',
    }),
  })
  .meta({ id: 'EvalRunDecisionDiagnostic' });
export type DecisionDiagnostic = z.infer<typeof DecisionDiagnostic>;

export const DecisionDiagnostics = z
  .strictObject({
    items: z.array(DecisionDiagnostic),
    complete: z.boolean(),
    nextCursor: z.string().exactOptional(),
    scannedIterations: Count,
  })
  .refine((page) => !(page.complete && page.nextCursor !== undefined), {
    error: 'A complete page must not have a nextCursor.',
  })
  .refine((page) => page.items.length <= page.scannedIterations, {
    error: 'A page lists more trials than it examined.',
  })
  .meta({ id: 'EvalRunDecisionDiagnostics' });
export type DecisionDiagnostics = z.infer<typeof DecisionDiagnostics>;

/**
 * A stored trial. Its stage columns are validated on reading; no output contains them unvalidated.
 */
export interface ScannedTrial {
  readonly iterationId: string;
  readonly iterationNumber: number;
  readonly caseId?: string | null | undefined;
  readonly testCaseId?: string | null | undefined;
  readonly title?: string | null | undefined;
  readonly status: string;
  readonly result?: unknown;
  readonly stageResults?: unknown;
  readonly firstFailedStage?: unknown;
  readonly failureCategory?: unknown;
  readonly stageAnalyzerVersion?: unknown;
  readonly expectedToolCalls: readonly unknown[];
  readonly actualToolCalls: readonly unknown[];
  readonly error?: unknown;
}

export interface DiagnosticsPage {
  readonly cursorGiven: boolean;
  readonly nextCursor?: string | undefined;
  /**
   * Whether every trial of the run is recorded. For a reported run, that is certain only after the
   * reporter finalized it.
   */
  readonly allTrialsRecorded: boolean;
}

export function shortenFailure(error: string): string {
  return capText(error, failureLength);
}

export function listDiagnostics(
  run: { readonly projectId: string; readonly runId: string },
  trials: readonly ScannedTrial[],
  page: DiagnosticsPage,
): DecisionDiagnostics {
  return {
    items: trials.filter((trial) => trial.result !== 'passed').map((trial) => diagnose(run, trial)),
    complete: !page.cursorGiven && page.nextCursor === undefined && page.allTrialsRecorded,
    ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }),
    scannedIterations: trials.length,
  };
}

function diagnose(
  run: { readonly projectId: string; readonly runId: string },
  trial: ScannedTrial,
): DecisionDiagnostic {
  const { caseId, testCaseId, title, result, error } = trial;
  const chain = readChain(storedChain(trial));
  const expected = toolNames(trial.expectedToolCalls);
  const called = toolNames(trial.actualToolCalls);
  const observed = {
    ...(called.length > 0 && { toolNames: called }),
    ...(isText(error) && { failure: shortenFailure(error) }),
  };
  const advice =
    chain.status === 'verified'
      ? trialAdvice(chain.failureCategory, chain.stages, {
          ...(isText(error) && { failure: error }),
          status: trial.status,
        })
      : undefined;
  return {
    iterationId: trial.iterationId,
    iterationNumber: trial.iterationNumber,
    ...(isText(caseId) && caseIdPattern.test(caseId) && { caseId }),
    ...(isText(testCaseId) && { testCaseId }),
    ...(isText(title) && { title }),
    status: trial.status,
    ...(result === 'failed' && { result }),
    chain,
    ...(expected.length > 0 && { expected: { toolNames: expected } }),
    ...(Object.keys(observed).length > 0 && { observed }),
    evidence: locateEvidence({ ...run, iterationId: trial.iterationId }, chain),
    nextAction: nextAction(chain.status === 'verified' ? chain.failureCategory : undefined),
    ...(advice !== undefined && { advice }),
  };
}

/**
 * Omits stage columns that are absent, since absent and null mean different things in stored stage
 * results.
 */
function storedChain(trial: ScannedTrial) {
  const { stageResults, firstFailedStage, failureCategory, stageAnalyzerVersion } = trial;
  return {
    ...(stageResults !== undefined && { stageResults }),
    ...(firstFailedStage !== undefined && { firstFailedStage }),
    ...(failureCategory !== undefined && { failureCategory }),
    ...(stageAnalyzerVersion !== undefined && { stageAnalyzerVersion }),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
