/**
 * The minimal checks of a result before it is passed on. All other content is passed on unchecked.
 */
import { isRecord, type Json } from '@proofmark/domain';
import { invalidAnswer } from './explain-mcp-error.ts';

/**
 * Returns the items of one page of a list. Throws unless each item is an object with a text under
 * `key`.
 */
export function itemsOf(result: Json, list: string, key: string): readonly Json[] {
  requireList(result, list, key);
  return result[list] as readonly Json[];
}

/**
 * Throws unless `result[list]` is a list of objects. If `key` is given, each object must have a
 * text under it.
 */
export function requireList(result: Json, list: string, key?: string): void {
  const items = result[list];
  if (!Array.isArray(items))
    throw invalidAnswer(`The server sent a result in which ${list} is missing or not a list.`);
  const isFit = items.every(
    (item: unknown) => isRecord(item) && (key === undefined || typeof item[key] === 'string'),
  );
  if (!isFit) throw invalidAnswer(`The server sent an entry of ${list} that is not valid.`);
}

/**
 * Returns a tool result as the official clients read it (`CallToolResultSchema` of
 * `@modelcontextprotocol/sdk`): missing content becomes an empty list, and a result that their
 * schema rejects is treated as an invalid answer.
 */
export function readToolResult(result: Json): Json {
  const { content = [], isError } = result;
  if (isError !== undefined && typeof isError !== 'boolean') {
    throw invalidAnswer('The server sent a result whose isError is neither true nor false.');
  }
  const read = { ...result, content };
  requireList(read, 'content');
  for (const [index, block] of (content as readonly Json[]).entries()) {
    const fault = faultOf(block);
    if (fault === undefined) continue;
    throw invalidAnswer(`The server sent content that is not valid: content/${index} ${fault}.`);
  }
  return result['content'] === undefined ? read : result;
}

/** Returns what is wrong with a content block, as the end of a sentence. */
function faultOf(block: Json): string | undefined {
  const { type, resource } = block;
  const fields = typeof type === 'string' ? fieldsOfContent.get(type) : undefined;
  if (fields === undefined) return 'is of a type that is not known';
  const missing = fields.find((name) => typeof block[name] !== 'string');
  if (missing !== undefined) return `has no text as its ${missing}`;
  if (type !== 'resource') return undefined;
  if (!isRecord(resource)) return 'has no resource';
  if (typeof resource['uri'] !== 'string') return 'has a resource without a uri';
  const holds = [resource['text'], resource['blob']].some((one) => typeof one === 'string');
  return holds ? undefined : 'has a resource with neither text nor blob';
}

const fieldsOfContent: ReadonlyMap<string, readonly string[]> = new Map([
  ['text', ['text']],
  ['image', ['data', 'mimeType']],
  ['audio', ['data', 'mimeType']],
  ['resource_link', ['uri', 'name']],
  ['resource', []],
]);
