/**
 * Converts words `key=value` to a tool's arguments. A value stays text if the tool's schema
 * declares a string. Other values are parsed as JSON if possible (3, true, ["a"]). Single words
 * override fields of the JSON object in `--args`.
 */
import { isRecord } from '@proofmark/domain';
import { UsageProblem } from './exit-codes.ts';

export function callArguments(
  words: readonly string[],
  json: string | undefined,
  inputSchema: unknown,
): Record<string, unknown> {
  const parameters = json === undefined ? {} : parsedObject(json);
  const types = Object((Object(inputSchema) as { properties?: unknown }).properties);
  const named = words.map((word) => {
    const at = word.indexOf('=');
    if (at < 1) throw new UsageProblem(`${JSON.stringify(word)} is not key=value.`);
    const key = word.slice(0, at);
    return [key, parsedValue(word.slice(at + 1), Object(types[key]).type)] as const;
  });
  return { ...parameters, ...Object.fromEntries(named) };
}

/**
 * Splits the words of a call: an optional server name, the tool's name, and the arguments, which
 * contain `=`.
 */
export function calledTool(given: readonly string[]): {
  readonly server: string | undefined;
  readonly toolName: string;
  readonly words: readonly string[];
} {
  const [first = '', second, ...others] = given;
  if (second === undefined) return { server: undefined, toolName: first, words: [] };
  if (second.includes('=')) return { server: undefined, toolName: first, words: given.slice(1) };
  return { server: first, toolName: second, words: others };
}

function parsedValue(text: string, type: unknown): unknown {
  if (type === 'string') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function parsedObject(json: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(json);
    if (isRecord(parsed)) return parsed;
  } catch {
    // Told below.
  }
  throw new UsageProblem('--args takes one JSON object, as {"a": 1}.');
}
