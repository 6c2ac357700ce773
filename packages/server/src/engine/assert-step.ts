/**
 * An assertion about what was seen so far. A gating one that fails stops the trial; an advisory one only reports. A
 * gating assertion that a tool was called is an expected call of its turn as well, so it holds only where the matcher
 * found that call in the turn.
 */
import {
  type Assertion,
  type AssertionResult,
  caseLevelOnly,
  isAdvisory,
  isCallOf,
  matchTurns,
  type NamedTool,
  type Step,
} from '@proofmark/domain';
import { evaluateSeen } from './evaluate-seen.ts';
import { ok, type StepOutcome, type TrialContext } from './trial-context.ts';

export function assertStep(
  context: TrialContext,
  { assertion }: Extract<Step, { kind: 'assert' }>,
  promptIndex: number,
): StepOutcome {
  if ('kind' in assertion)
    throw new Error('A widget assertion reached a trial without a renderer.');
  const result = evaluate(context, assertion, promptIndex);
  context.asked.push({ assertion, result, promptIndex });
  if (result.passed) return ok;
  if (result.evaluatorError === true && !isAdvisory(assertion)) {
    return { kind: 'graderFailed', reason: `The trial could not be graded: ${result.reason}` };
  }
  return isAdvisory(assertion)
    ? { kind: 'ok', note: `This only advises: ${result.reason}` }
    : { kind: 'failed', reason: result.reason };
}

function evaluate(
  context: TrialContext,
  assertion: Assertion,
  promptIndex: number,
): AssertionResult {
  const { log, dependencies } = context;
  const { patterns } = dependencies;
  const scope = { kind: 'turn', promptIndex } as const;
  const result = evaluateSeen(
    assertion,
    log,
    patterns,
    caseLevelOnly.includes(assertion.type) ? undefined : scope,
  );
  if (!result.passed || isAdvisory(assertion) || assertion.type !== 'toolCalledWith') return result;
  if (isMatched(context, assertion, promptIndex)) return result;
  const reason = `${JSON.stringify(assertion.toolName)} was not called in this turn as the match options ask.`;
  return { predicate: result.predicate, passed: false, reason, scope };
}

function isMatched(
  { planned, projected, log, toolbox }: TrialContext,
  tool: NamedTool,
  promptIndex: number,
): boolean {
  const turn = projected.turns[promptIndex];
  if (turn === undefined) return true;
  const { missing, argumentMismatches } = matchTurns({
    turns: [
      {
        promptIndex,
        expected: turn.expected,
        actual: log.callsOfTurns[promptIndex] ?? [],
        pinned: turn.opener === 'toolCall',
      },
    ],
    options: planned.matchOptions,
    isNegativeTest: planned.isNegative,
    skillToolsAdvertised: toolbox.skillsOffered,
  });
  return ![...missing, ...argumentMismatches].some((one) => isCallOf(one, tool));
}
