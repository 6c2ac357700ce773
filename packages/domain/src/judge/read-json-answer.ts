/**
 * Returns the JSON object in a model's answer if the answer consists of it, bare or in one fenced
 * block; undefined for any other answer.
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
