/**
 * Runs statements on the database of a running service as its owner. Used to set states that take
 * long to reach.
 */
import { connect } from '../../../server/src/platform/database/connect.ts';
import {
  readConnectionRecord,
  urlOf,
} from '../../../server/src/platform/embedded/connection-file.ts';

export type DatabaseClient = Parameters<Parameters<typeof connect>[1]>[0];

export async function inDatabase(
  url: string,
  work: (client: DatabaseClient) => Promise<void>,
): Promise<void> {
  await connect(url, async (client) => {
    await client.query('set search_path = proofmark');
    await work(client);
  });
}

export function embeddedUrl(dataDir: string): string {
  const record = readConnectionRecord(dataDir);
  if (record === undefined) throw new Error('There is no database.');
  return urlOf(record);
}
