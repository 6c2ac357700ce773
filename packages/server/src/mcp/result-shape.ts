/** The little that a result must be so that it can be handed on: the rest of it is the server's own affair. */
import { isRecord, type Json } from '@proofmark/domain';
import { invalidAnswer } from './explain-mcp-error.ts';

/** The items of a page; each is an object that says its name. */
export function itemsOf(result: Json, list: string, key: string): readonly Json[] {
  requireList(result, list, key);
  return result[list] as readonly Json[];
}

/** The result holds a list of objects, each with a text under the key where one is named. */
export function requireList(result: Json, list: string, key?: string): void {
  const items = result[list];
  if (!Array.isArray(items)) throw invalidAnswer(`The server sent a result without ${list}.`);
  const isFit = items.every(
    (item: unknown) => isRecord(item) && (key === undefined || typeof item[key] === 'string'),
  );
  if (!isFit) throw invalidAnswer(`The server sent ${list} that are not valid.`);
}
