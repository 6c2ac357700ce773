/**
 * The browsers of visitors. A cookie identifies each browser, and only the hash of the cookie is
 * stored. A visitor who is signed in needs no cookie.
 */
import type { Database } from '../../../platform/database/database.ts';

export interface VisitingAccount {
  readonly kind: 'account';
  readonly accountId: string;
  readonly email: string;
  readonly name: string;
}

export interface VisitingGuest {
  readonly kind: 'guest';
  readonly visitorId: string;
}

/**
 * The identity of a visitor. If the visitor is signed in and the browser also has a guest cookie,
 * the account counts.
 */
export type VisitorIdentity = VisitingAccount | VisitingGuest;

export async function insertVisitor(
  database: Database,
  visitor: { readonly id: string; readonly cookieHash: Buffer },
): Promise<void> {
  await database.sql`
    insert into visitors (id, cookie_hash) values (${visitor.id}, ${visitor.cookieHash})`;
}

/** Returns undefined if the cookie is unknown or has expired. */
export async function findVisitor(
  database: Database,
  cookieHash: Buffer,
  lifetimeMs: number,
): Promise<VisitingGuest | undefined> {
  const [row] = await database.sql<{ id: string; isOld: boolean }[]>`
    select id, last_seen_at < now() - interval '1 hour' as is_old from visitors
    where cookie_hash = ${cookieHash} and last_seen_at > now() - ${lifetimeMs} * interval '1 millisecond'`;
  if (row === undefined) return undefined;
  // The time of the last visit is written at most once per hour, so that not every request causes a
  // write.
  if (row.isOld) await database.sql`update visitors set last_seen_at = now() where id = ${row.id}`;
  return { kind: 'guest', visitorId: row.id };
}

export async function deleteOldVisitors(database: Database, lifetimeMs: number): Promise<number> {
  const gone = await database.transaction(
    (sql) => sql`
      delete from visitors where last_seen_at < now() - ${lifetimeMs} * interval '1 millisecond'`,
    'slow',
  );
  return gone.count;
}
