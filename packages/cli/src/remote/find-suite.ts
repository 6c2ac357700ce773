import { namedOne } from './choose-project.ts';
import type { Connection } from './connection.ts';
import { readAll } from './read-all.ts';

/** The id of a suite that was named by its id or its name. */
export async function findSuite(connection: Connection, wanted: string): Promise<string> {
  if (/^ste_\w+$/.test(wanted)) return wanted;
  const { client, projectId } = connection;
  const suites = await readAll((page) => client.listEvalSuites({ projectId, ...page }));
  return namedOne(suites, wanted, 'suite', 'see `proofmark suite list`').id;
}
