import { canonicalJson } from '@proofmark/domain';
import { sha256Hex } from '../../kernel/sha256-hex.ts';
import type { Sql } from '../database/database.ts';
import {
  findIdempotentAnswer,
  insertIdempotentAnswer,
  type KeyedRequest,
} from '../database/idempotent-answers.ts';
import { type ProjectContext, refuse } from './action.ts';

/**
 * Returns the stored answer; undefined if there is none or the request has no key. A different
 * request with the same key is rejected.
 */
export async function findKept<Kept>(
  sql: Sql,
  request: KeyedRequest | undefined,
): Promise<Kept | undefined> {
  if (request === undefined) return undefined;
  const found = await findIdempotentAnswer(sql, request);
  if (found !== 'otherRequest') return found?.answer as Kept | undefined;
  return refuse({
    code: 'CONFLICT',
    message: 'This idempotency key was used for another request; use a new one.',
    details: { reason: 'IDEMPOTENCY_KEY_REUSED' },
  });
}

/**
 * Stores the value and returns it. If another process has already stored one, that value is
 * returned instead.
 */
export async function keepFirst<Kept>(
  sql: Sql,
  request: KeyedRequest | undefined,
  value: Kept,
): Promise<Kept> {
  const earlier = await findKept<Kept>(sql, request);
  if (earlier !== undefined) return earlier;
  if (request !== undefined) await insertIdempotentAnswer(sql, request, value);
  return value;
}

/**
 * Creates an object in a project, in one transaction. A request with a key creates it only once.
 * The same key in another project counts as a different key.
 */
export function makeOnce<Made>(
  { project, tenant }: Pick<ProjectContext, 'project' | 'tenant'>,
  asked: {
    readonly operation: string;
    readonly key: string | undefined;
    readonly body: unknown;
  },
  make: (sql: Sql) => Promise<Made>,
): Promise<Made> {
  const { operation, key, body } = asked;
  const request =
    key === undefined
      ? undefined
      : {
          organizationId: project.organizationId,
          operation,
          key: sha256Hex(canonicalJson([project.id, key])),
          requestHash: sha256Hex(canonicalJson(body)),
        };
  return tenant(async (sql) => {
    const earlier = await findKept<Made>(sql, request);
    if (earlier !== undefined) return earlier;
    const made = await make(sql);
    if (request !== undefined) await insertIdempotentAnswer(sql, request, made);
    return made;
  });
}
