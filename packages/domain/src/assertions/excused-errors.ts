/**
 * Which errors of tools a case states to come about: a gating `toolCallFails` row asks for them, so they count neither
 * for `noToolErrors` nor for `failOnToolError`. A row that only advises excuses nothing, as it decides nothing.
 */
import type { StatedRow } from './assertion-kind.ts';
import { containsText } from './contains-text.ts';
import { errorTexts } from './result-content.ts';
import { isCallOf, type ToolCall, type ToolError, type Transcript } from './transcript.ts';

export interface StatedFailure {
  readonly toolName: string;
  readonly serverName?: string | undefined;
  readonly messageContains?: string | undefined;
  /** The turn whose row it is. */
  readonly promptIndex?: number | undefined;
}

export function statedFailures(rows: readonly StatedRow[]): StatedFailure[] {
  return rows.flatMap(({ assertion, promptIndex }) => {
    const row = assertion as Partial<StatedFailure> & { type?: unknown; role?: unknown };
    if (row.type !== 'toolCallFails' || row.role === 'advisory') return [];
    const { toolName = '', serverName, messageContains } = row;
    return [{ toolName, serverName, messageContains, promptIndex }];
  });
}

/** Whether a call ended in the error that is stated; unknown where what it says was not captured. */
export function failsAsStated(
  call: ToolCall,
  { messageContains, promptIndex, ...tool }: StatedFailure,
): 'yes' | 'no' | 'unknown' {
  if (call.notMade !== undefined || !isCallOf(call, tool)) return 'no';
  const isOtherTurn = call.promptIndex !== undefined && call.promptIndex !== promptIndex;
  if (promptIndex !== undefined && isOtherTurn) return 'no';
  const { result } = call;
  if (result === undefined) return 'unknown';
  if (result.error === undefined) return 'no';
  if (messageContains === undefined) return 'yes';
  const texts = errorTexts(result);
  if (texts.some((text) => containsText(text, messageContains))) return 'yes';
  return texts.length === 0 || result.isCut === true ? 'unknown' : 'no';
}

/** The calls whose errors are stated, for whoever grades calls. */
export function excusedCalls(
  rows: readonly StatedRow[],
  toolCalls: readonly ToolCall[],
): readonly ToolCall[] {
  const stated = statedFailures(rows);
  return toolCalls.filter((call) => stated.some((one) => failsAsStated(call, one) === 'yes'));
}

export interface SortedErrors<Seen extends ToolError> {
  readonly excused: readonly Seen[];
  readonly counted: readonly Seen[];
  /** Whether a row states them was not captured. */
  readonly unknown: readonly Seen[];
}

/**
 * Errors are recorded beside the calls, by the name of their tool. So for each tool as many of its errors are excused as
 * of its calls failed as stated, or as the errors themselves say.
 */
export function excusedErrors<Seen extends ToolError>(
  rows: readonly StatedRow[],
  { toolCalls, toolErrors = [] }: Pick<Transcript, 'toolCalls'> & { toolErrors?: readonly Seen[] },
): SortedErrors<Seen> {
  const stated = statedFailures(rows);
  if (stated.length === 0) return { excused: [], counted: toolErrors, unknown: [] };
  const sorted = { excused: [] as Seen[], counted: [] as Seen[], unknown: [] as Seen[] };
  // Nobody can state that our own side loses a call.
  sorted.counted.push(...toolErrors.filter(({ isOurs }) => isOurs));
  for (const [toolName, errors] of byTool(toolErrors.filter(({ isOurs }) => !isOurs))) {
    const answers = toolCalls
      .filter((call) => call.toolName === toolName)
      .map((call) => answerOf(call, stated));
    const proven = errors.filter((error) => stated.some((one) => saysItself(error, one)));
    const yes = answers.filter((answer) => answer === 'yes').length;
    const open = answers.filter((answer) => answer === 'unknown').length;
    const excused = Math.min(errors.length, Math.max(proven.length, yes));
    const atMost = Math.min(errors.length, Math.max(excused, yes + open));
    const inOrder = [...proven, ...errors.filter((error) => !proven.includes(error))];
    sorted.excused.push(...inOrder.slice(0, excused));
    sorted.unknown.push(...inOrder.slice(excused, atMost));
    sorted.counted.push(...inOrder.slice(atMost));
  }
  return sorted;
}

function answerOf(call: ToolCall, stated: readonly StatedFailure[]): 'yes' | 'no' | 'unknown' {
  const answers = stated.map((one) => failsAsStated(call, one));
  if (answers.includes('yes')) return 'yes';
  return answers.includes('unknown') ? 'unknown' : 'no';
}

/** An error names its tool and mostly what it said, but neither its server nor, of others, its turn. */
export function saysItself(error: ToolError, one: StatedFailure): boolean {
  const { toolName, serverName, messageContains, promptIndex } = one;
  if (error.isOurs === true) return false;
  if (error.toolName !== toolName || serverName !== undefined || promptIndex !== undefined) {
    return false;
  }
  if (messageContains === undefined) return true;
  return error.message !== undefined && containsText(error.message, messageContains);
}

function byTool<Seen extends ToolError>(errors: readonly Seen[]): Map<string | undefined, Seen[]> {
  const groups = new Map<string | undefined, Seen[]>();
  for (const error of errors)
    groups.set(error.toolName, [...(groups.get(error.toolName) ?? []), error]);
  return groups;
}
