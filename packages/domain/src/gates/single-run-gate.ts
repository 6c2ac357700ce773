/**
 * Judges one run against given bounds. Each gate passes, fails, cannot be judged, or has an invalid
 * bound. The worst result counts: first an invalid bound, then a failure, then missing evidence.
 * All rates are fractions from 0 to 1.
 */
import * as z from 'zod';
import { isGeneratedScorerId } from '../assertions/score.ts';
import { answerGate, answerNoGatingScoreErrors, type GateResult } from './gate-result.ts';
import { p95LatencyMs, passCount, scoredRows, totalTokens, validScores } from './measures.ts';
import { type RunEvidence, ungateable } from './run-evidence.ts';

const fraction = z.number().min(0).max(1);

export const SingleRunGatePolicy = z.strictObject({
  minimumPassRate: fraction.optional(),
  maximumTotalTokens: z.int().min(0).optional(),
  maximumP95LatencyMs: z.number().min(0).optional(),
  noGatingScoreErrors: z.boolean().optional(),
  minimumScorerPassRate: z.record(z.string().min(1), fraction).optional(),
  minimumMeanScore: z.record(z.string().min(1), fraction).optional(),
});
export type SingleRunGatePolicy = z.infer<typeof SingleRunGatePolicy>;

const gateVerdicts = ['usage_error', 'failed', 'incomplete', 'passed'] as const;
export type GateVerdict = (typeof gateVerdicts)[number];

export interface SingleRunGate {
  readonly outcome: GateVerdict;
  readonly gates: readonly GateResult[];
}

export function gateSingleRun(policy: unknown, run: RunEvidence): SingleRunGate {
  const parsed = SingleRunGatePolicy.safeParse(policy);
  if (!parsed.success) return misused('The gate policy is malformed; rates must be from 0 to 1.');
  const answers = ask(parsed.data, run);
  if (answers.length === 0) return misused('The gate policy states no gate; state at least one.');
  const why = ungateable(run);
  const gates = answers.map((answer) =>
    why === undefined || answer.outcome === 'usage_error' ? answer : withhold(answer, why),
  );
  return { outcome: worst(gates), gates };
}

/**
 * Returns the exit code. 1 means only a failed verdict, so that a script can tell it from wrong
 * usage (2) and from no answer (3).
 */
export function gateExitCode(outcome: GateVerdict): 0 | 1 | 2 | 3 {
  return ({ passed: 0, failed: 1, usage_error: 2, incomplete: 3 } as const)[outcome];
}

function ask(policy: SingleRunGatePolicy, run: RunEvidence): GateResult[] {
  const { minimumPassRate, maximumTotalTokens, maximumP95LatencyMs } = policy;
  const answers: GateResult[] = [];
  if (minimumPassRate !== undefined) {
    const count = passCount(run);
    answers.push(
      answerGate({
        gate: 'minimumPassRate',
        bound: minimumPassRate,
        measured: count === undefined ? undefined : count.passed / count.trials,
        holds: atLeast,
        unmeasured: 'A trial has no result.',
      }),
    );
  }
  if (maximumTotalTokens !== undefined) {
    answers.push(
      answerGate({
        gate: 'maximumTotalTokens',
        bound: maximumTotalTokens,
        measured: totalTokens(run),
        holds: atMost,
        unmeasured: 'The tokens of a trial were not measured.',
      }),
    );
  }
  if (maximumP95LatencyMs !== undefined) {
    answers.push(
      answerGate({
        gate: 'maximumP95LatencyMs',
        bound: maximumP95LatencyMs,
        measured: p95LatencyMs(run),
        holds: atMost,
        unmeasured: 'The latency of a trial was not measured.',
      }),
    );
  }
  if (policy.noGatingScoreErrors === true) {
    answers.push(answerNoGatingScoreErrors(validScores(run)));
  }
  return [...answers, ...askScorers(policy, run)];
}

function askScorers(policy: SingleRunGatePolicy, run: RunEvidence): GateResult[] {
  const perScorer = [
    { gate: 'minimumScorerPassRate', bounds: policy.minimumScorerPassRate, measure: passRate },
    { gate: 'minimumMeanScore', bounds: policy.minimumMeanScore, measure: meanScore },
  ];
  return perScorer.flatMap(({ gate, bounds = {}, measure }) =>
    Object.entries(bounds).map(([scorerId, bound]): GateResult => {
      if (isGeneratedScorerId(scorerId)) {
        const reason =
          'This scorer id is generated and changes with the suite; give the scorer an id.';
        return { gate, scorerId, outcome: 'usage_error', bound, reason };
      }
      const rows = scoredRows(run, scorerId);
      return answerGate({
        gate,
        scorerId,
        bound,
        measured: rows === undefined ? undefined : measure(rows),
        holds: atLeast,
        unmeasured: 'A trial has no valid score of this scorer.',
      });
    }),
  );
}

type Rows = NonNullable<ReturnType<typeof scoredRows>>;

function passRate(rows: Rows): number {
  return rows.filter((row) => row.value >= row.passThreshold).length / rows.length;
}

function meanScore(rows: Rows): number {
  return rows.reduce((sum, row) => sum + row.value, 0) / rows.length;
}

function atLeast(measured: number, bound: number): boolean {
  return measured >= bound;
}

function atMost(measured: number, bound: number): boolean {
  return measured <= bound;
}

function misused(reason: string): SingleRunGate {
  return { outcome: 'usage_error', gates: [{ gate: 'policy', outcome: 'usage_error', reason }] };
}

function withhold({ measured: _measured, ...answer }: GateResult, reason: string): GateResult {
  return { ...answer, outcome: 'non_gateable', reason };
}

function worst(gates: readonly GateResult[]): GateVerdict {
  const outcomes = new Set(gates.map((gate) => gate.outcome));
  if (outcomes.has('usage_error')) return 'usage_error';
  if (outcomes.has('failed')) return 'failed';
  return outcomes.has('non_gateable') ? 'incomplete' : 'passed';
}
