/**
 * Judges a run by the stored policy of its suite, against a baseline run. A drop or an increase
 * fails only if it is strictly greater than its bound. If a gate fails and another lacks evidence,
 * the result is a failure. Without a policy, or with a policy that names no gate, the suite has no
 * gate.
 */
import * as z from 'zod';
import { deterministicRegressions, incomparable } from './compare-runs.ts';
import { answerGate, answerNoGatingScoreErrors, type GateResult } from './gate-result.ts';
import {
  largestResultTokens,
  p95LatencyMs,
  passCount,
  surfaceTokensOf,
  validScores,
} from './measures.ts';
import { rateDifference } from './newcombe-interval.ts';
import { type RunEvidence, ungateable } from './run-evidence.ts';

export const SuiteGatePolicy = z.strictObject({
  baseline: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('run'), runId: z.string().min(1) }),
      z.strictObject({ kind: z.literal('commit_sha'), commitSha: z.string().min(1) }),
      z.strictObject({ kind: z.literal('previous_completed') }),
    ])
    .optional(),
  maximumPassRateDrop: z.number().min(0).max(1).optional(),
  noDeterministicRegressions: z.boolean().optional(),
  maximumP95LatencyIncreaseMs: z.number().min(0).optional(),
  noGatingScoreErrors: z.boolean().optional(),
  maximumSurfaceTokens: z.int().min(1).optional(),
  maximumResultTokens: z.int().min(1).optional(),
});
export type SuiteGatePolicy = z.infer<typeof SuiteGatePolicy>;

const suiteGateOutcomes = ['passed', 'failed', 'non_gateable', 'not_configured'] as const;
export type SuiteGateOutcome = (typeof suiteGateOutcomes)[number];

export interface SuiteGate {
  readonly outcome: SuiteGateOutcome;
  readonly gates: readonly GateResult[];
}

export interface SuiteGateInput {
  /** The policy as stored; null or undefined if there is none. */
  readonly policy: unknown;
  readonly run: RunEvidence;
  /** The baseline run; absent if none was found. */
  readonly base?: RunEvidence;
}

export function gateSuite({ policy, run, base }: SuiteGateInput): SuiteGate {
  if (policy === null || policy === undefined) return { outcome: 'not_configured', gates: [] };
  const parsed = SuiteGatePolicy.safeParse(policy);
  if (!parsed.success) {
    const gate = unanswered('policy', 'The stored gate policy is malformed; save it again.');
    return { outcome: 'non_gateable', gates: [gate] };
  }
  const gates = ask(parsed.data, run, base);
  if (gates.length === 0) return { outcome: 'not_configured', gates };
  const outcomes = new Set(gates.map((gate) => gate.outcome));
  if (outcomes.has('failed')) return { outcome: 'failed', gates };
  return { outcome: outcomes.has('non_gateable') ? 'non_gateable' : 'passed', gates };
}

function ask(policy: SuiteGatePolicy, run: RunEvidence, base: RunEvidence | undefined) {
  const gates: GateResult[] = [];
  const { maximumPassRateDrop, maximumP95LatencyIncreaseMs } = policy;
  if (maximumPassRateDrop !== undefined) {
    gates.push(judgePassRateDrop(maximumPassRateDrop, run, base));
  }
  if (policy.noDeterministicRegressions === true) gates.push(judgeFlips(run, base));
  if (maximumP95LatencyIncreaseMs !== undefined) {
    gates.push(judgeLatencyIncrease(maximumP95LatencyIncreaseMs, run, base));
  }
  if (policy.noGatingScoreErrors === true) {
    const why = ungateable(run);
    gates.push(
      why === undefined
        ? answerNoGatingScoreErrors(validScores(run))
        : unanswered('noGatingScoreErrors', why),
    );
  }
  return [...gates, ...judgeTokens(policy, run)];
}

/** Limits of the run itself, which need no baseline. */
function judgeTokens(policy: SuiteGatePolicy, run: RunEvidence): GateResult[] {
  const limits = [
    {
      gate: 'maximumSurfaceTokens',
      bound: policy.maximumSurfaceTokens,
      measure: surfaceTokensOf,
      unmeasured: 'The tools of the run were not captured.',
    },
    {
      gate: 'maximumResultTokens',
      bound: policy.maximumResultTokens,
      measure: largestResultTokens,
      unmeasured: 'The results of a trial were not measured.',
    },
  ];
  return limits.flatMap(({ gate, bound, measure, unmeasured }) => {
    if (bound === undefined) return [];
    const why = ungateable(run);
    if (why !== undefined) return [unanswered(gate, why)];
    const holds = (tokens: number) => tokens <= bound;
    return [answerGate({ gate, bound, measured: measure(run), holds, unmeasured })];
  });
}

const noBaseline = 'There is no baseline run to compare with.';

function judgePassRateDrop(bound: number, run: RunEvidence, base: RunEvidence | undefined) {
  const gate = 'maximumPassRateDrop';
  if (base === undefined) return unanswered(gate, noBaseline);
  const why = incomparable(base, run);
  if (why !== undefined) return unanswered(gate, why);
  const before = passCount(base);
  const now = passCount(run);
  return answerGate({
    gate,
    bound,
    measured:
      before === undefined || now === undefined ? undefined : 0 - rateDifference(before, now),
    holds: (drop) => !(drop > bound),
    unmeasured: 'A trial has no result.',
  });
}

/** Compares case by case, so the two runs may contain different cases. */
function judgeFlips(run: RunEvidence, base: RunEvidence | undefined) {
  const gate = 'noDeterministicRegressions';
  if (base === undefined) return unanswered(gate, noBaseline);
  const why = ungateable(base) ?? ungateable(run);
  if (why !== undefined) return unanswered(gate, why);
  return answerGate({
    gate,
    bound: 0,
    measured: deterministicRegressions(base, run).length,
    holds: (flips) => flips === 0,
    unmeasured: noBaseline,
  });
}

function judgeLatencyIncrease(bound: number, run: RunEvidence, base: RunEvidence | undefined) {
  const gate = 'maximumP95LatencyIncreaseMs';
  if (base === undefined) return unanswered(gate, noBaseline);
  const why = incomparable(base, run);
  if (why !== undefined) return unanswered(gate, why);
  const before = p95LatencyMs(base);
  const now = p95LatencyMs(run);
  return answerGate({
    gate,
    bound,
    measured: before === undefined || now === undefined ? undefined : now - before,
    holds: (increaseMs) => !(increaseMs > bound),
    unmeasured: 'The latency of a trial was not measured.',
  });
}

function unanswered(gate: string, reason: string): GateResult {
  return { gate, outcome: 'non_gateable', reason };
}
