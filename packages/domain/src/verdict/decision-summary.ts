/**
 * The decision summary of a run explains the verdict and never decides it. Each verdict source has
 * its own strict schema: only `policyV2` contains a decision, and only `none` the reason for a
 * missing verdict. The schemas also check that the verdict and the counts agree with the decision.
 */
import * as z from 'zod';
import { RunReplay } from '../recordings/run-replay.ts';
import { RowSample } from '../suites/case-data.ts';
import { RunTrialPlans } from '../suites/plans-of-run.ts';
import { LeftOut } from '../trials/left-out.ts';
import { RefusedTool } from '../trials/refused-calls.ts';
import { CaseVariantCounts, TrialCounts, tallyVerdicts } from './counts.ts';
import { DecidedBy } from './decided-by.ts';
import { Decision, taskVerdicts, verdicts } from './decision.ts';
import {
  DecisionDiagnostics,
  type DiagnosticsPage,
  listDiagnostics,
  type ScannedTrial,
} from './diagnostics.ts';
import { DecisionUndecided, establishVerdict, type RunRecord } from './verdict-source.ts';

export const summarySchemaVersion = 1 as const;

const opening = {
  schemaVersion: z.literal(summarySchemaVersion),
  runId: z.string(),
  runStatus: z.string().meta({ description: "The run's lifecycle status, not a verdict." }),
  stopReason: z.enum(['credits']).exactOptional().meta({
    description:
      'The reason why the run was cancelled, if no person cancelled it: its credits were used up.',
  }),
  samples: z.array(RowSample).min(1).exactOptional().meta({
    description:
      'An addition of Proofmark beyond the specification: cases with data of which the run played only some rows.',
  }),
  replay: RunReplay.exactOptional(),
  refusedCalls: z.array(RefusedTool).min(1).exactOptional().meta({
    description:
      'An addition of Proofmark beyond the specification: tools with calls that a policy refused, so that they were not sent to the server, at most 50. Trials with such a call may have no result.',
  }),
  leftOut: LeftOut.exactOptional().meta({
    description:
      'An addition of Proofmark beyond the specification: cases that are switched off, and tools that may not be called. Absent if nothing was left out.',
  }),
  nothingCalled: z.literal(true).exactOptional().meta({
    description:
      'An addition of Proofmark beyond the specification: true if the cases of the run met their thresholds, but no tool, prompt or resource of a server was called. Absent otherwise.',
  }),
  maxCredits: z.number().exactOptional().meta({
    description: 'The credits that its launch allowed the run, if they were used up.',
  }),
};

const PolicyV2Summary = z
  .strictObject({
    ...opening,
    verdict: z.enum(verdicts),
    verdictSource: z.literal('policyV2'),
    decidedBy: DecidedBy.exactOptional(),
    counts: CaseVariantCounts,
    decision: Decision,
    plans: RunTrialPlans.nullable(),
    diagnostics: DecisionDiagnostics,
  })
  .refine((summary) => summary.verdict === summary.decision.verdict, {
    error: 'The verdict differs from that of the decision.',
  })
  .refine(({ counts, decision }) => isTallyOf(counts, decision), {
    error: 'The counts do not match the cases of the decision.',
  })
  .meta({ id: 'EvalRunDecisionSummaryPolicyV2' });

const LegacySummary = z
  .strictObject({
    ...opening,
    verdict: z.enum(taskVerdicts),
    verdictSource: z.literal('legacy'),
    decidedBy: DecidedBy.exactOptional(),
    counts: TrialCounts.exactOptional(),
    diagnostics: DecisionDiagnostics,
  })
  .meta({ id: 'EvalRunDecisionSummaryLegacy' });

const NoVerdictSummary = z
  .strictObject({
    ...opening,
    verdict: z.literal('notEstablished'),
    verdictSource: z.literal('none'),
    undecided: DecisionUndecided,
    plans: RunTrialPlans.exactOptional(),
    diagnostics: DecisionDiagnostics,
  })
  .meta({ id: 'EvalRunDecisionSummaryNone' });

export const DecisionSummary = z
  .discriminatedUnion('verdictSource', [PolicyV2Summary, LegacySummary, NoVerdictSummary])
  .meta({
    id: 'EvalRunDecisionSummary',
    description:
      'A summary of the decision of a run. It explains the verdict and never decides it.',
  });
export type DecisionSummary = z.infer<typeof DecisionSummary>;

export interface DecisionSummaryInput {
  readonly projectId: string;
  readonly run: RunRecord;
  readonly trials: readonly ScannedTrial[];
  readonly page: DiagnosticsPage;
}

export function composeDecisionSummary(input: DecisionSummaryInput): DecisionSummary {
  const { projectId, run, trials, page } = input;
  const diagnostics = listDiagnostics({ projectId, runId: run.runId }, trials, page);
  return { ...composeSummaryOpening(run), diagnostics };
}

type WithoutDiagnostics<Summary> = Summary extends unknown ? Omit<Summary, 'diagnostics'> : never;
export type SummaryOpening = WithoutDiagnostics<DecisionSummary>;

export function composeSummaryOpening(run: RunRecord): SummaryOpening {
  const { runId, status: runStatus, stopReason, maxCredits, samples = [], replay, decidedBy } = run;
  const { refusedCalls = [] } = run;
  const schemaVersion = summarySchemaVersion;
  const opening = {
    schemaVersion,
    runId,
    runStatus,
    ...(stopReason && { stopReason }),
    ...(maxCredits !== undefined && { maxCredits }),
    ...(samples.length > 0 && { samples: [...samples] }),
    ...(replay && { replay }),
    ...(refusedCalls.length > 0 && { refusedCalls: [...refusedCalls] }),
    ...(run.leftOut && { leftOut: run.leftOut }),
    ...(run.nothingCalled === true && { nothingCalled: true as const }),
  };
  const by = decidedBy && { decidedBy };
  const established = establishVerdict(run);
  switch (established.verdictSource) {
    case 'policyV2': {
      const { verdictSource, decision } = established;
      const { verdict } = decision;
      const counts = tallyVerdicts(decision.cases);
      const plans = run.plans ?? null;
      return { ...opening, ...by, verdict, verdictSource, counts, decision, plans };
    }
    case 'legacy': {
      const { verdictSource, verdict, counts } = established;
      const tallied = counts !== undefined && { counts };
      return { ...opening, ...by, verdict, verdictSource, ...tallied };
    }
    case 'none': {
      const { verdictSource, undecided } = established;
      const verdict = 'notEstablished';
      const plans = run.plans && { plans: run.plans };
      return { ...opening, verdict, verdictSource, undecided, ...plans };
    }
  }
}

function isTallyOf(counts: CaseVariantCounts, decision: Decision): boolean {
  const tally = tallyVerdicts(decision.cases);
  return counts.total === tally.total && verdicts.every((name) => counts[name] === tally[name]);
}
