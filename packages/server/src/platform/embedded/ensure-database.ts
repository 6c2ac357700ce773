import { connect } from '../database/connect.ts';
import { type ConnectionRecord, urlOf } from './connection-file.ts';

/** Checks that the server accepts our password, and creates the database if it is missing. */
export async function ensureDatabase(record: ConnectionRecord): Promise<void> {
  try {
    await connect(urlOf(record), (client) => client.query('select 1'));
  } catch (error) {
    // 3D000: no such database.
    if ((error as { code?: string }).code !== '3D000') throw error;
    await connect(urlOf(record, 'postgres'), (client) => client.query('create database proofmark'));
  }
}
