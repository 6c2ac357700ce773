/**
 * Divides the steps of a case into turns before it runs. Each prompt, and each call that the case
 * makes itself, opens a turn. Other steps belong to the open turn, or to turn 0 if none is open. A
 * gating assertion that a tool is called with certain arguments becomes an expected call of its
 * turn.
 */
import { type Assertion, isAdvisory } from '../assertions/assertion.ts';
import type { ExpectedCall, StatedCall } from '../assertions/transcript.ts';
import { stagesAsserted, wantsToolCall } from '../chain/assertion-owner.ts';
import type { AuthoredFacts } from '../chain/trial-evidence.ts';
import type { PlannedCase } from './planned-case.ts';
import { asksModel, type Step } from './step.ts';
import type { WidgetAssertion } from './widget.ts';

export interface AuthoredTurn {
  readonly promptIndex: number;
  /**
   * The kind of step that opened the turn; `none` if the first step is neither a prompt nor a call.
   */
  readonly opener: 'prompt' | 'toolCall' | 'none';
  readonly prompt: string;
  readonly expected: readonly ExpectedCall[];
  /** The same expected calls, including whether their arguments must match exactly. */
  readonly stated: readonly StatedCall[];
}

export interface StepInTurn {
  readonly step: Step;
  readonly stepIndex: number;
  readonly promptIndex: number;
}

export interface ProjectedSteps {
  readonly turns: readonly AuthoredTurn[];
  readonly steps: readonly StepInTurn[];
  readonly query: string;
}

export function projectSteps(steps: readonly Step[]): ProjectedSteps {
  const turns: (AuthoredTurn & { expected: ExpectedCall[]; stated: StatedCall[] })[] = [];
  const inTurns = steps.map((step, stepIndex): StepInTurn => {
    const opener = asksModel(step) ? 'prompt' : step.kind === 'toolCall' ? step.kind : 'none';
    if (opener !== 'none' || turns.length === 0) {
      turns.push({
        promptIndex: turns.length,
        opener,
        prompt: promptOf(step),
        expected: [],
        stated: [],
      });
    }
    const promptIndex = turns.length - 1;
    if (step.kind === 'assert') {
      turns[promptIndex]?.expected.push(...expectedCall(step.assertion));
      turns[promptIndex]?.stated.push(...statedCall(step.assertion));
    }
    return { step, stepIndex, promptIndex };
  });
  return { turns, steps: inTurns, query: queryOf(steps) };
}

export function authoredFacts(
  planned: Pick<PlannedCase, 'steps' | 'assertions' | 'isNegative' | 'expectedOutput'>,
): AuthoredFacts {
  const { steps, assertions, isNegative, expectedOutput } = planned;
  const asserted = steps.flatMap((step) => (step.kind === 'assert' ? [step.assertion] : []));
  const gating = [...asserted, ...assertions].filter((one) => !isAdvisory(one));
  const hasPrompt = steps.some(asksModel);
  return {
    hasPrompt,
    // A call that the case makes itself counts as an expected call.
    expectsToolCall:
      !isNegative &&
      (steps.some(({ kind }) => kind === 'toolCall') ||
        gating.some((one) => 'type' in one && wantsToolCall(one.type))),
    isNegativeTest: isNegative,
    hasAssertion: gating.length > 0,
    hasExpectedOutput: expectedOutput !== undefined && expectedOutput.trim() !== '',
    assertsWidget: needsWidget({ steps, assertions }),
    assertedStages: stagesAsserted(
      gating.flatMap((one) => ('type' in one ? [one] : [])),
      hasPrompt,
    ),
  };
}

export function needsWidget({
  steps,
  assertions,
}: Pick<PlannedCase, 'steps' | 'assertions'>): boolean {
  const asserted = steps.flatMap((step) => (step.kind === 'assert' ? [step.assertion] : []));
  return (
    steps.some(({ kind }) => kind === 'interact') ||
    [...asserted, ...assertions].some(
      (one) => !isAdvisory(one) && ('kind' in one || one.type.startsWith('widget')),
    )
  );
}

function expectedCall(assertion: Assertion | WidgetAssertion): ExpectedCall[] {
  if ('kind' in assertion || assertion.type !== 'toolCalledWith' || isAdvisory(assertion))
    return [];
  const { toolName, serverName } = assertion;
  const { minCount = 1 } = assertion;
  const tool = {
    toolName,
    ...(serverName !== undefined && { serverName }),
    ...(minCount > 1 && { minCount }),
  };
  const { args, argumentMatching } = assertion.args;
  return argumentMatching === 'ignore'
    ? [{ ...tool, arguments: {}, argumentMatching }]
    : [{ ...tool, arguments: args }];
}

export function statedCall(assertion: Assertion | WidgetAssertion): StatedCall[] {
  const [call] = expectedCall(assertion);
  if (call === undefined || 'kind' in assertion || assertion.type !== 'toolCalledWith') return [];
  const isExact = assertion.args.argumentMatching === 'exact';
  return [{ ...call, ...(isExact && { argumentMatching: 'exact' }) }];
}

/**
 * Returns the prompt of a step. The text of a server's prompt is not known before the run, so its
 * name is used.
 */
function promptOf(step: Step): string {
  if (step.kind === 'prompt') return step.prompt;
  return step.kind === 'getPrompt' ? `Prompt ${step.promptName} of ${step.serverName}` : '';
}

function queryOf(steps: readonly Step[]): string {
  const prompt = steps.find((step) => step.kind === 'prompt' && step.prompt.trim() !== '');
  if (prompt?.kind === 'prompt') return prompt.prompt;
  const rendered = steps.find((step) => step.kind === 'getPrompt');
  if (rendered !== undefined) return promptOf(rendered);
  const call = steps.find((step) => step.kind === 'toolCall');
  return call?.kind === 'toolCall' ? `Call ${call.toolName} of ${call.serverName}` : '';
}
