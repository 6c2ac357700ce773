/**
 * Counts statements and commits in PostgreSQL's log during `work`. Only connections whose
 * `application_name` is `name` count.
 */
import { readFileSync, statSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';
import type { Stage } from './stage.ts';

export async function countStatements(
  stage: Pick<Stage, 'owner' | 'logFile'>,
  work: () => Promise<unknown>,
  name = 'worker',
): Promise<{ readonly statements: number; readonly transactions: number }> {
  await set(stage, "set log_line_prefix = '%a '", "set log_statement = 'all'");
  const from = statSync(stage.logFile).size;
  await work();
  const text = readFileSync(stage.logFile).subarray(from).toString('latin1');
  await set(stage, 'reset log_statement', 'reset log_line_prefix');
  const lines = new RegExp(`^${name} \\w+ LOG: {2}(?:execute|statement).*$`, 'gm');
  const statements = text.match(lines) ?? [];
  const transactions = statements.filter((line) => line.endsWith(': commit')).length;
  return { statements: statements.length, transactions };
}

async function set(stage: Pick<Stage, 'owner'>, ...settings: readonly string[]): Promise<void> {
  for (const setting of settings) await stage.owner.sql.unsafe(`alter system ${setting}`);
  await stage.owner.sql.unsafe('select pg_reload_conf()');
  await after(300);
}
