import type { CallResult, ToolCall } from './transcript.ts';

export type ResultText =
  | { readonly state: 'text'; readonly text: string }
  /** Only the beginning of the text. A match in it counts, but a missing match proves nothing. */
  | { readonly state: 'cut'; readonly text: string }
  | { readonly state: 'none' }
  | { readonly state: 'notCaptured' };

/** Returns the text of a result, or else its structured content as JSON. */
export function resultText({ result }: ToolCall): ResultText {
  if (result === undefined) return { state: 'notCaptured' };
  const { text, structuredContent, isCut } = result;
  if (isCut === true) {
    return text === undefined ? { state: 'notCaptured' } : { state: 'cut', text };
  }
  if (text !== undefined && text !== '') return { state: 'text', text };
  if (structuredContent === undefined) return { state: 'none' };
  return { state: 'text', text: JSON.stringify(structuredContent) };
}

export type ResultValue =
  | { readonly state: 'value'; readonly value: unknown }
  | { readonly state: 'none' }
  | { readonly state: 'notCaptured' };

/** Returns the structured content of a result, or else its text parsed as JSON. */
export function resultValue({ result }: ToolCall): ResultValue {
  if (result === undefined || result.isCut === true) return { state: 'notCaptured' };
  const { text, structuredContent } = result;
  if (structuredContent !== undefined) return { state: 'value', value: structuredContent };
  if (text === undefined) return { state: 'none' };
  try {
    return { state: 'value', value: JSON.parse(text) };
  } catch {
    return { state: 'none' };
  }
}

export function errorTexts({ error, text, structuredContent }: CallResult): readonly string[] {
  const structured =
    structuredContent === undefined ? undefined : JSON.stringify(structuredContent);
  return [error?.message, text, structured].filter((one) => one !== undefined);
}

/**
 * Returns the sentence for a result that decides nothing: it was not captured, or only its
 * beginning was.
 */
export function notCapturedIn(shown: string, { result }: ToolCall): string {
  return result === undefined
    ? `The result of ${shown} was not captured.`
    : `The result of ${shown} was not captured whole.`;
}
