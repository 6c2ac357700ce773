/**
 * Returns the JSON object if a model's answer is only that object, bare or in one fenced code
 * block. Otherwise returns undefined.
 */
import { isRecord, type Json } from '../kernel/json.ts';

export function readJsonAnswer(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(unfenced(text));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function unfenced(text: string): string {
  const trimmed = text.trim();
  return /^```(?:json)?\s*\n([\s\S]*?)\n?```$/.exec(trimmed)?.[1] ?? trimmed;
}
