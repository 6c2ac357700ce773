/**
 * Tool errors that a case accepts. A gating `toolCallFails` accepts the expected error. A gating
 * `toolDoesNotCrash` accepts errors that explain what is wrong with the given value.
 * `noToolErrors`, `failOnToolError` and the stage chain ignore accepted errors.
 *
 * Only an error that the tool itself returned can be accepted. If the message of an error was not
 * captured, it is unknown whether the error is accepted.
 */
import { fillRedactionMarks } from '../recordings/fill-redaction-marks.ts';
import type { StatedRow } from './assertion-kind.ts';
import { containsText } from './contains-text.ts';
import { isUnanswered, saysUnknownTool } from './no-answer.ts';
import { showValue } from './redact.ts';
import { errorTexts } from './result-content.ts';
import { saysCrash } from './says-crash.ts';
import {
  isCallOf,
  type NamedTool,
  type ToolCall,
  type ToolError,
  type Transcript,
} from './transcript.ts';

export interface StatedFailure {
  /** Absent only with `unlessCrash`. Any tool (of `serverName`, if present) is then meant. */
  readonly toolName?: string | undefined;
  readonly serverName?: string | undefined;
  readonly messageContains?: string | undefined;
  /** Set if any error except a crash is accepted. */
  readonly unlessCrash?: true;
  /** The turn to which the assertion applies; absent for the whole case. */
  readonly promptIndex?: number | undefined;
}

type Answer = 'yes' | 'no' | 'unknown';

export function statedFailures(rows: readonly StatedRow[]): StatedFailure[] {
  return rows.flatMap(({ assertion, promptIndex }): StatedFailure[] => {
    const row = assertion as Readonly<Record<string, unknown>>;
    const { type, toolName, serverName, messageContains } = row;
    if (row['role'] === 'advisory') return [];
    // The types are checked, because an assertion from a reporter (a program that runs trials
    // elsewhere) may contain any value.
    if (!isTextOrAbsent(toolName) || !isTextOrAbsent(serverName)) return [];
    if (type === 'toolDoesNotCrash') {
      return [{ toolName, serverName, unlessCrash: true, promptIndex }];
    }
    if (type !== 'toolCallFails' || toolName === undefined) return [];
    if (!isTextOrAbsent(messageContains)) return [];
    return [{ toolName, serverName, messageContains, promptIndex }];
  });
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

export function isStatedFor(
  call: NamedTool,
  { toolName = call.toolName, serverName }: StatedFailure,
): boolean {
  return isCallOf(call, { toolName, serverName });
}

/** Whether a call ended in the expected error. Unknown if the message was not captured. */
export function failsAsStated(call: ToolCall, stated: StatedFailure): Answer {
  const { promptIndex, unlessCrash } = stated;
  if (call.notMade !== undefined || !isStatedFor(call, stated)) return 'no';
  if (isOtherTurn(call, promptIndex)) return 'no';
  const { result } = call;
  if (result === undefined) return 'unknown';
  if (result.error === undefined) return 'no';
  const texts = errorTexts(result);
  if (unlessCrash) {
    if (texts.length === 0 || result.isCut === true) return 'unknown';
    return saysCrash(texts, call.arguments) ? 'no' : 'yes';
  }
  if (isUnanswered(result.error)) return 'no';
  return matchesStatedText(
    call.toolName,
    texts,
    stated,
    texts.length === 0 || result.isCut === true,
  );
}

/** Without an expected text, any error of the tool is the expected one. */
function matchesStatedText(
  toolName: string,
  texts: readonly string[],
  { messageContains }: StatedFailure,
  isOpen: boolean,
): Answer {
  if (messageContains === undefined) {
    return texts.some((text) => saysUnknownTool(text, toolName)) ? 'no' : 'yes';
  }
  if (texts.some((text) => containsText(text, messageContains))) return 'yes';
  return isOpen ? 'unknown' : 'no';
}

/** `call` is the call that caused the error, if known. */
export function isAsStated(
  error: ToolError,
  stated: StatedFailure,
  call: ToolCall | undefined,
): Answer {
  const { toolName = error.toolName, serverName, promptIndex } = stated;
  if (error.isOurs === true || error.resultProblem !== undefined) return 'no';
  if (toolName === '' || error.toolName !== toolName || isOtherTurn(error, promptIndex))
    return 'no';
  const ofCall = call === undefined ? 'unknown' : failsAsStated(call, stated);
  if (ofCall !== 'unknown') return ofCall;
  // An error without a known call has no server, and in some cases no turn, to compare.
  if (call === undefined && serverName !== undefined) return 'unknown';
  if (call === undefined && promptIndex !== undefined && error.promptIndex === undefined)
    return 'unknown';
  return saysAsStated(error, stated, call);
}

function saysAsStated(error: ToolError, stated: StatedFailure, call: ToolCall | undefined): Answer {
  const { message, toolName = '' } = error;
  const isOpen = message === undefined || call?.result !== undefined;
  if (stated.unlessCrash) {
    if (isOpen) return 'unknown';
    return saysCrash([message], call?.arguments ?? {}) ? 'no' : 'yes';
  }
  if (isUnanswered(error)) return 'no';
  return matchesStatedText(toolName, message === undefined ? [] : [message], stated, isOpen);
}

function isOtherTurn(
  seen: { readonly promptIndex?: number | undefined },
  promptIndex: number | undefined,
): boolean {
  const isKnown = promptIndex !== undefined && seen.promptIndex !== undefined;
  return isKnown && seen.promptIndex !== promptIndex;
}

export interface SortedErrors<Seen extends ToolError> {
  readonly excused: readonly Seen[];
  readonly counted: readonly Seen[];
  /** Errors for which it is unknown whether the case expects them. */
  readonly unknown: readonly Seen[];
}

/**
 * Sorts errors into counted, excused and unknown ones. Each error appears once, in the given order.
 */
export function sortErrors<Seen extends ToolError>(
  rows: readonly StatedRow[],
  errors: readonly Seen[],
  callOf: (error: Seen) => ToolCall | undefined,
): SortedErrors<Seen> {
  const stated = statedFailures(rows);
  if (stated.length === 0) return { excused: [], counted: errors, unknown: [] };
  const sorted = { yes: [] as Seen[], no: [] as Seen[], unknown: [] as Seen[] };
  for (const error of errors) {
    const call = callOf(error);
    const answers = stated.map((one) => isAsStated(error, one, call));
    sorted[strongest(answers)].push(error);
  }
  return { excused: sorted.yes, counted: sorted.no, unknown: sorted.unknown };
}

function strongest(answers: readonly Answer[]): Answer {
  if (answers.includes('yes')) return 'yes';
  return answers.includes('unknown') ? 'unknown' : 'no';
}

/** Finds the call of each error by the span id. */
export function sortSeenErrors<Seen extends ToolError>(
  rows: readonly StatedRow[],
  { toolCalls, toolErrors }: Pick<Transcript, 'toolCalls'> & { toolErrors: readonly Seen[] },
): SortedErrors<Seen> {
  const callOf = callsBySpan(toolCalls);
  return sortErrors(rows, toolErrors, callOf);
}

/**
 * Sorts errors whose text was partly replaced by redaction marks. If the removed text could be the
 * expected text, it is unknown whether the error was expected.
 */
export function sortMarkedErrors<Seen extends ToolError>(
  rows: readonly StatedRow[],
  seen: Pick<Transcript, 'toolCalls'> & { toolErrors: readonly Seen[] },
): SortedErrors<Seen> {
  const sorted = sortSeenErrors(rows, seen);
  const stated = statedFailures(rows).map(({ messageContains = '' }) => messageContains);
  const filled = fillRedactionMarks(seen, () => stated.join(' ')) as typeof seen;
  const excused = new Set(sortSeenErrors(rows, filled).excused);
  const mayBe = new Set(
    seen.toolErrors.filter((_, at) => excused.has(filled.toolErrors[at] as Seen)),
  );
  return {
    excused: sorted.excused,
    counted: sorted.counted.filter((error) => !mayBe.has(error)),
    unknown: [...sorted.unknown, ...sorted.counted.filter((error) => mayBe.has(error))],
  };
}

export function callsBySpan(
  toolCalls: readonly ToolCall[],
): (error: Pick<ToolError, 'spanId'>) => ToolCall | undefined {
  const calls = new Map<string | undefined, ToolCall>();
  for (const call of toolCalls) if (call.spanId !== undefined) calls.set(call.spanId, call);
  return ({ spanId }) => calls.get(spanId);
}

export function openErrorSentence({ toolName }: Pick<ToolError, 'toolName'>): string {
  const name = showValue(toolName ?? 'unknown tool');
  return `The text of an error of ${name} was not captured, so it could not be compared with the expected errors.`;
}
