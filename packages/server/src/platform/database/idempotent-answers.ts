/**
 * Stored answers to requests that have an idempotency key: a repeated request gets the same answer
 * and is not executed again.
 */
import type { Database, Sql } from './database.ts';
import { inEveryOrganization } from './in-every-organization.ts';

export interface KeyedRequest {
  readonly organizationId: string;
  readonly operation: string;
  readonly key: string;
  readonly requestHash: string;
}

/**
 * Returns the stored answer, and locks its key until the transaction ends. Of two concurrent
 * requests, the second therefore waits and finds the answer of the first.
 */
export async function findIdempotentAnswer(
  sql: Sql,
  request: KeyedRequest,
): Promise<{ readonly answer: unknown } | 'otherRequest' | undefined> {
  await holdKey(sql, request);
  const [row] = await readAnswer(sql, request);
  if (row === undefined) return undefined;
  return row.requestHash === request.requestHash
    ? { answer: JSON.parse(row.answer) }
    : 'otherRequest';
}

async function holdKey(sql: Sql, { organizationId, operation, key }: NamedKey): Promise<void> {
  const name = JSON.stringify([organizationId, operation, key]);
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
}

function readAnswer(sql: Sql, { organizationId, operation, key }: NamedKey) {
  return sql<{ requestHash: string; answer: string }[]>`
    select request_hash, answer from idempotent_answers
    where organization_id = ${organizationId} and operation = ${operation} and key = ${key}`;
}

type NamedKey = Omit<KeyedRequest, 'requestHash'>;

export async function insertIdempotentAnswer(
  sql: Sql,
  { organizationId, operation, key, requestHash }: KeyedRequest,
  answer: unknown,
): Promise<void> {
  await sql`
    insert into idempotent_answers ${sql({
      organization_id: organizationId,
      operation,
      key,
      request_hash: requestHash,
      answer: JSON.stringify(answer),
    })}`;
}

/**
 * Deletes answers older than a week. Clients repeat a request within minutes, so they no longer
 * need them.
 */
export function deleteOldAnswers(database: Database): Promise<number> {
  return inEveryOrganization(
    database,
    (sql) => sql`delete from idempotent_answers where created_at < now() - interval '7 days'`,
  );
}
