/**
 * Reads the evidence of a reported trial. A report has an open format, so unreadable parts are
 * skipped and never replaced by guesses: a report has no set-up signals, no tool count and no
 * judge. If it summarizes no turn but names the expected and the actual calls, one turn is
 * summarized from the names alone.
 */
import { isRecord } from '../kernel/json.ts';
import type { TrialStatus } from '../verdict/decision.ts';
import { stagesAsserted, wantsToolCall } from './assertion-owner.ts';
import { toList } from './loose-values.ts';
import { readAssertions } from './reported-assertions.ts';
import { readErrors } from './reported-errors.ts';
import { readSpans } from './reported-spans.ts';
import { openTrace, type ReportedTrace } from './reported-trace.ts';
import { namesOnlyTurn, readTurns } from './reported-turns.ts';
import type {
  AssertionEvidence,
  AuthoredFacts,
  TrialEvidence,
  TurnEvidence,
} from './trial-evidence.ts';

export interface ReportedTrial {
  readonly status: TrialStatus;
  readonly evaluatorError?: boolean;
  readonly query?: unknown;
  readonly trace?: unknown;
  readonly expectedToolCalls?: unknown;
  readonly actualToolCalls?: unknown;
  readonly metadata?: unknown;
  readonly isNegativeTest?: unknown;
  readonly expectedOutput?: unknown;
}

export function evidenceFromReport(trial: ReportedTrial): TrialEvidence {
  const trace = openTrace(trial.trace);
  const turns = readTurns(trace.prompts, readSpans(trace.spans));
  const reported = readAssertions(trial.metadata, trace.prompts);
  const assertions = reported.map((one) => one.evidence);
  const evidence: TrialEvidence = {
    authored: readAuthored(trial, trace, turns, assertions),
    status: trial.status,
    tracePresent: trace.isPresent,
    executorEmitsSpans: trace.hasSpanChannel,
    ...readErrors(
      trace,
      reported.map(({ row }) => row),
    ),
    turns: turns.length > 0 ? turns : namesOnlyTurn(trial),
    assertions,
    renders: [],
  };
  return trial.evaluatorError ? { ...evidence, evaluatorError: true } : evidence;
}

/** Derives the authored facts from the other fields of a report, which has no steps. */
function readAuthored(
  trial: ReportedTrial,
  trace: ReportedTrace,
  turns: readonly TurnEvidence[],
  assertions: readonly AssertionEvidence[],
): AuthoredFacts {
  const gating = assertions.filter((assertion) => !assertion.advisory);
  const isNegativeTest = trial.isNegativeTest === true;
  const expectsToolCall =
    !isNegativeTest &&
    (toList(trial.expectedToolCalls).length > 0 ||
      trace.prompts.some(isExpectingTurn) ||
      gating.some((assertion) => wantsToolCall(assertion.type)));
  const hasPrompt =
    isNegativeTest ||
    expectsToolCall ||
    turns.length > 0 ||
    isText(trial.query) ||
    trace.messages.some((message) => isRecord(message) && message['role'] === 'user');
  return {
    hasPrompt,
    expectsToolCall,
    isNegativeTest,
    hasAssertion: gating.length > 0,
    hasExpectedOutput: isText(trial.expectedOutput),
    assertsWidget: gating.some((assertion) => widgetTypes.includes(assertion.type)),
    assertedStages: stagesAsserted(gating, hasPrompt),
  };
}

const widgetTypes: readonly string[] = [
  'widgetRendered',
  'widgetRenderLatencyUnder',
  'widgetNoConsoleErrors',
  'textVisible',
  'elementVisible',
  'elementHidden',
  'inputValue',
  'widgetToolCalled',
];

function isExpectingTurn(turn: unknown): boolean {
  return isRecord(turn) && toList(turn['expectedToolCalls']).length > 0;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}
