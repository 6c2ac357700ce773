import type { PatternEngine } from './pattern-engine.ts';
import type { SchemaEngine } from './schema-engine.ts';
import type { CallResult, ListedTool, ToolCall, Transcript } from './transcript.ts';

export const patterns: PatternEngine = {
  test: (pattern, text) =>
    pattern === '(' ? { problem: 'it does not compile' } : new RegExp(pattern).test(text),
};
/**
 * A schema engine that checks only the `type` of the value. A schema with `unknown: true` is
 * reported as not checked.
 */
export const schemas: SchemaEngine = {
  check: (schema, value) => {
    const { type, unknown } = schema as { type?: string; unknown?: true };
    if (unknown) return { state: 'notChecked', problem: 'The schema uses unknown.' };
    return type === undefined || typeof value === type
      ? { state: 'valid' }
      : { state: 'invalid', problem: `It must be ${type}.` };
  },
};
/** A tokenizer for which every character is a token. */
export const countTokens = (counted: string) => counted.length;
export const engines = { patterns, schemas, countTokens };

export const call = (toolName: string, more: Partial<ToolCall> = {}): ToolCall => ({
  toolName,
  arguments: {},
  ...more,
});
export const answered = (toolName: string, result: CallResult, more: Partial<ToolCall> = {}) =>
  call(toolName, { result, ...more });
export const saw = (...toolCalls: ToolCall[]): Transcript => ({ toolCalls });
export const lists = (
  listedTools: readonly ListedTool[],
  ...toolCalls: ToolCall[]
): Transcript => ({
  toolCalls,
  listedTools,
});
export const answerTranscript = (finalAssistantMessage: string): Transcript => ({
  toolCalls: [],
  finalAssistantMessage,
});
export const listed = (name: string, more: Partial<ListedTool> = {}): ListedTool => ({
  name,
  ...more,
});
export const destructive = listed('drop', { annotations: { destructiveHint: true } });
export const mild = listed('read', { annotations: { readOnlyHint: true } });
export const old = listed('old', { description: 'Deprecated: use new.' });
export const fresh = listed('new', { description: 'Not deprecated.' });
export const object = { type: 'object' };
export const text = (value: string): CallResult => ({ text: value });
export const cut = (value: string): CallResult => ({ text: value, isCut: true });
export const boom = (message?: string): CallResult => ({
  error: { kind: 'content-error', ...(message !== undefined && { message }) },
});
export const observes = { role: 'advisory' };

export type Outcome = 'holds' | 'fails' | 'error';
/**
 * Test rows for each assertion kind: the assertion's fields, a transcript, and the expected
 * outcome.
 */
export type KindTable = Readonly<Record<string, [object, Transcript, Outcome][]>>;
