import { cutPage, type Page, type PageRequest } from '@proofmark/domain';
import type { Sql } from './database.ts';

export interface EvalSuite {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export async function listEvalSuites(
  sql: Sql,
  projectId: string,
  page: PageRequest,
): Promise<Page<EvalSuite>> {
  const rows = await sql<EvalSuite[]>`
    select id, project_id, name, created_at, updated_at from eval_suites
    where project_id = ${projectId}
      ${page.after ? sql`and (created_at, id) < (${new Date(page.after.atMs)}, ${page.after.id})` : sql``}
    order by created_at desc, id desc limit ${page.limit + 1}`;
  return cutPage(rows, page.limit, (row) => ({ atMs: row.createdAt.getTime(), id: row.id }));
}
