/**
 * Which errors of tools a case states to come about: a gating `toolCallFails` row asks for them, so they count neither
 * for `noToolErrors` nor for `failOnToolError`, nor in the chain. One rule answers it for all of them. A row that only
 * advises excuses nothing, as it decides nothing. Only what the tool itself said can be stated: a call that our own side
 * lost was not answered, and a result that breaks the tool's own schema says that all went well. Where what it said was
 * not captured nobody knows, so such an error neither counts nor is excused.
 */
import { fillRedactionMarks } from '../recordings/fill-redaction-marks.ts';
import type { StatedRow } from './assertion-kind.ts';
import { containsText } from './contains-text.ts';
import { showValue } from './redact.ts';
import { errorTexts } from './result-content.ts';
import { isCallOf, type ToolCall, type ToolError, type Transcript } from './transcript.ts';

export interface StatedFailure {
  readonly toolName: string;
  readonly serverName?: string | undefined;
  readonly messageContains?: string | undefined;
  /** The turn whose row it is. */
  readonly promptIndex?: number | undefined;
}

type Answer = 'yes' | 'no' | 'unknown';

export function statedFailures(rows: readonly StatedRow[]): StatedFailure[] {
  return rows.flatMap(({ assertion, promptIndex }) => {
    const row = assertion as Readonly<Record<string, unknown>>;
    if (row['type'] !== 'toolCallFails' || row['role'] === 'advisory') return [];
    const { toolName, serverName, messageContains } = row;
    // A report may hold anything.
    if (typeof toolName !== 'string' || !isTextOrAbsent(serverName)) return [];
    if (!isTextOrAbsent(messageContains)) return [];
    return [{ toolName, serverName, messageContains, promptIndex }];
  });
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

/** Whether a call ended in the error that is stated; unknown where what it says was not captured. */
export function failsAsStated(
  call: ToolCall,
  { messageContains, promptIndex, ...tool }: StatedFailure,
): Answer {
  if (call.notMade !== undefined || !isCallOf(call, tool)) return 'no';
  if (isOtherTurn(call, promptIndex)) return 'no';
  const { result } = call;
  if (result === undefined) return 'unknown';
  if (result.error === undefined) return 'no';
  if (messageContains === undefined) return 'yes';
  const texts = errorTexts(result);
  if (texts.some((text) => containsText(text, messageContains))) return 'yes';
  return texts.length === 0 || result.isCut === true ? 'unknown' : 'no';
}

/** The same of an error as it was recorded, with its call where that is known. */
export function isAsStated(
  error: ToolError,
  stated: StatedFailure,
  call: ToolCall | undefined,
): Answer {
  const { toolName, serverName, messageContains, promptIndex } = stated;
  if (error.isOurs === true || error.resultProblem !== undefined) return 'no';
  if (toolName === '' || error.toolName !== toolName || isOtherTurn(error, promptIndex))
    return 'no';
  const ofCall = call === undefined ? 'unknown' : failsAsStated(call, stated);
  if (ofCall !== 'unknown') return ofCall;
  // Without its call an error says neither whose tool it was nor, of some, in which turn.
  if (call === undefined && serverName !== undefined) return 'unknown';
  if (call === undefined && promptIndex !== undefined && error.promptIndex === undefined)
    return 'unknown';
  if (messageContains === undefined) return 'yes';
  const { message } = error;
  if (message !== undefined && containsText(message, messageContains)) return 'yes';
  return message === undefined || call?.result !== undefined ? 'unknown' : 'no';
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
  /** Whether a row states them was not captured. */
  readonly unknown: readonly Seen[];
}

/** Each error once, in the order it was given. */
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

/** Those of a transcript, whose errors name the spans of their calls. */
export function sortSeenErrors<Seen extends ToolError>(
  rows: readonly StatedRow[],
  { toolCalls, toolErrors }: Pick<Transcript, 'toolCalls'> & { toolErrors: readonly Seen[] },
): SortedErrors<Seen> {
  const callOf = callsBySpan(toolCalls);
  return sortErrors(rows, toolErrors, callOf);
}

/** The same where a word stands for what was taken out: that may have been what is stated of the error. */
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

/** Why an error decides nothing. */
export function openErrorSentence({ toolName }: Pick<ToolError, 'toolName'>): string {
  const name = showValue(toolName ?? 'unknown tool');
  return `Whether an error of ${name} is one that is stated was not captured.`;
}
