/**
 * Reads the evidence of a reported trial (run elsewhere and uploaded). Reports have an open format,
 * so unreadable parts are skipped and never guessed. Without turn summaries, one turn is built from
 * the names of the expected and the actual calls.
 */

import type { StatedRow } from '../assertions/assertion-kind.ts';
import { isRecord } from '../kernel/json.ts';
import type { TrialStatus } from '../verdict/decision.ts';
import { stagesAsserted, wantsToolCall } from './assertion-owner.ts';
import { toIndex, toList } from './loose-values.ts';
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

/**
 * Reads the facts about the case. A report contains no steps, so the facts are derived from other
 * fields.
 */
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

/**
 * An assertion result of a report, read from `metadata.predicates` or else from the turn summaries.
 * A result must have a type (`kind` for a widget assertion) and state whether it passed.
 */
interface ReportedAssertion {
  readonly evidence: AssertionEvidence;
  readonly row: StatedRow;
}

function readAssertions(
  metadata: unknown,
  prompts: readonly unknown[],
): readonly ReportedAssertion[] {
  const listed = isRecord(metadata) ? metadata['predicates'] : undefined;
  if (Array.isArray(listed)) return listed.flatMap((result) => readAssertion(result));
  return prompts.flatMap((turn) =>
    isRecord(turn)
      ? toList(turn['predicateResults']).flatMap((result) =>
          readAssertion(result, toIndex(turn['promptIndex'])),
        )
      : [],
  );
}

function readAssertion(result: unknown, turnIndex?: number): readonly ReportedAssertion[] {
  if (!isRecord(result) || !isRecord(result['predicate'])) return [];
  const { predicate, passed, reason, scope } = result;
  const type = predicate['type'] ?? predicate['kind'];
  if (typeof type !== 'string' || typeof passed !== 'boolean') return [];
  const promptIndex = isRecord(scope) ? toIndex(scope['promptIndex']) : turnIndex;
  const evidence = {
    type,
    passed,
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(promptIndex === undefined ? {} : { promptIndex }),
    ...(predicate['role'] === 'advisory' ? { advisory: true } : {}),
    ...(result['evaluatorError'] === true ? { unanswered: true } : {}),
  };
  return [{ evidence, row: { assertion: predicate, promptIndex } }];
}
