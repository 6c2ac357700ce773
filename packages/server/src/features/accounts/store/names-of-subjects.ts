/**
 * The names that the objects of audit lines have now. The log stores ids only, so an object that was
 * deleted has no name here.
 */
import { type IdKind, idPrefixes } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';

/** The tables of objects with a name of their own, by the kind of their ids. */
const tables: readonly (readonly [IdKind, table: string, column: string])[] = [
  ['project', 'projects', 'name'],
  ['server', 'servers', 'name'],
  ['serverAttachment', 'server_attachments', 'name'],
  ['client', 'clients', 'name'],
  ['environment', 'environments', 'name'],
  ['skill', 'skills', 'name'],
  ['plugin', 'plugins', 'name'],
  ['evalSuite', 'eval_suites', 'name'],
  ['evalCase', 'eval_cases', 'title'],
  ['persona', 'personas', 'name'],
  ['journey', 'journeys', 'name'],
  ['swarm', 'swarms', 'name'],
  ['scenario', 'scenarios', 'name'],
  ['modelProvider', 'model_providers', 'name'],
];

export async function namesOfSubjects(
  sql: Sql,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const asked = [...new Set(ids)];
  const names = new Map<string, string>();
  const remember = (rows: readonly { readonly id: string; readonly name: string }[]) => {
    for (const { id, name } of rows) names.set(id, name);
  };
  for (const [kind, table, column] of tables) {
    const ofKind = asked.filter((id) => id.startsWith(`${idPrefixes[kind]}_`));
    if (ofKind.length === 0) continue;
    remember(
      await sql`
        select id, ${sql(column)} as name from ${sql(table)}
        where organization_id = ${organizationId} and id in ${sql(ofKind)}`,
    );
  }
  const runs = asked.filter((id) => id.startsWith(`${idPrefixes.evalRun}_`));
  if (runs.length > 0) {
    remember(
      await sql`
        select run.id, suite.name || ', run ' || run.run_number as name
        from eval_runs run join eval_suites suite on suite.id = run.suite_id
        where run.organization_id = ${organizationId} and run.id in ${sql(runs)}`,
    );
  }
  return names;
}
