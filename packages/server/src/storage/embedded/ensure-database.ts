import pg from 'pg';
import { type ConnectionRecord, urlOf } from './connection-file.ts';

/** Proves that the server answers with our password, and makes the database when it is not there yet. */
export async function ensureDatabase(record: ConnectionRecord): Promise<void> {
  try {
    await run(urlOf(record), 'select 1');
  } catch (error) {
    // 3D000: no such database.
    if ((error as { code?: string }).code !== '3D000') throw error;
    await run(urlOf(record, 'postgres'), 'create database proofmark');
  }
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // A connection that breaks while nothing is asked would else end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end().catch(() => {});
  }
}
