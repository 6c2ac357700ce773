/**
 * Decides how a launched run ends, without database access, for stored trials and for trials in
 * memory.
 */
import {
  type AssertsNothing,
  authoredFacts,
  countAssertsNothing,
  countTrials,
  creditsOfRunUsedUp,
  creditsUsedUp,
  decideLaunchedRun,
  deriveChain,
  type LaunchedTrials,
  type PlannedCase,
  type RunEnd,
  type RunPlan,
  type RunTerms,
} from '@proofmark/domain';
import { sha256Hex } from '../../../../kernel/sha256-hex.ts';
import type { StopReason } from '../../../../platform/spending/metered-models.ts';

export type EndedAs = 'completed' | 'cancelled' | 'failed';

/**
 * A run must end even if its plan or terms cannot be read. It then has no result, and
 * `integrityError` states why.
 */
export function decideEndedRun(
  terms: RunTerms | undefined,
  plan: RunPlan | undefined,
  as: EndedAs,
  trials: readonly LaunchedTrials[],
): RunEnd {
  try {
    if (plan === undefined) throw new Error('The stored plan of this run cannot be read.');
    if (terms === undefined)
      throw new Error('The stored rules that decide this run cannot be read.');
    const planned = { terms, plan, wasCompleted: as === 'completed' };
    return decideLaunchedRun(planned, trials, sha256Hex);
  } catch (error) {
    return {
      counts: countTrials(trials),
      result: null,
      integrityError: `This run could not be decided: ${(error as Error).message}`,
    };
  }
}

/**
 * Counts assertions that prove nothing about the offered tools. For example, "never called" always
 * holds for a tool that no server lists.
 */
export function countUnasserted(
  plan: RunPlan,
  tools: ReadonlyMap<string, ReadonlySet<string>>,
): AssertsNothing {
  // The suite decides what its scenarios assert.
  if (plan.conformance !== undefined) return { caseVariants: 0, titles: [] };
  const servers = plan.servers.map(({ id, name }) => ({ name, tools: tools.get(id) }));
  return countAssertsNothing(plan.cases, { isJudged: plan.judge?.autoRun === true, servers });
}

const usedUp = { credits: creditsUsedUp, maxCredits: creditsOfRunUsedUp } as const;

/**
 * Returns with which status and error the open trials of a stopped run are closed, and the chain
 * (stage results) for the trials of each case.
 */
export function closingOf(
  plan: RunPlan | undefined,
  as: 'cancelled' | 'failed',
  stopReason: StopReason | null,
) {
  const status = as === 'cancelled' ? ('cancelled' as const) : ('timed_out' as const);
  const error =
    stopReason !== null
      ? usedUp[stopReason]
      : as === 'cancelled'
        ? 'The run was cancelled before this trial ended.'
        : 'The run reached its time limit before this trial ended.';
  const cases = plan?.cases ?? [];
  const chains = new Map(cases.map((one) => [one.caseId, stoppedChain(one, status)]));
  return { status, error, chains };
}

function stoppedChain(planned: PlannedCase, status: 'cancelled' | 'timed_out') {
  return deriveChain({
    authored: authoredFacts(planned),
    status,
    tracePresent: false,
    executorEmitsSpans: true,
    spans: [],
    turns: [],
    assertions: [],
    toolErrors: [],
    renders: [],
  });
}
