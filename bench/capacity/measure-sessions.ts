/** Measures the memory of an open MCP session, and the size of a console session in PostgreSQL. */
import { fileURLToPath } from 'node:url';
import { startChild } from '@proofmark/harness/start-child.ts';
import type { Costs } from './costs.ts';
import type { Stage } from './stage.ts';

const consoleSessions = 10_000;

export async function measureSessions(stage: Stage): Promise<Costs['session']> {
  const server = startChild(beside('../mcp-server.child.ts'), []);
  try {
    const url = String((await server.first)['url']);
    const child = startChild(beside('./kept-sessions.child.ts'), [url]);
    const kept = (await child.first) as Omit<Costs['session'], 'consoleSessionBytes'>;
    await child.closed;
    return { ...kept, consoleSessionBytes: await bytesOfConsoleSession(stage) };
  } finally {
    server.kill('SIGTERM');
    await server.closed;
  }
}

async function bytesOfConsoleSession({ owner: { sql } }: Stage): Promise<number> {
  const size = async () => {
    const [row] = await sql<{ bytes: number }[]>`
      select pg_total_relation_size('sessions')::double precision as bytes`;
    return row?.bytes ?? 0;
  };
  const before = await size();
  await sql`
    insert into sessions (token_hash, account_id, address, expires_at)
    select sha256(number::text::bytea), (select id from accounts limit 1), '192.0.2.1',
      now() + interval '1 day' + number * interval '1 second'
    from generate_series(1, ${consoleSessions}) number`;
  return ((await size()) - before) / consoleSessions;
}

function beside(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}
