/**
 * Row-level security of tables of an organization: a session sees the rows of the organizations that its setting names.
 * The two forms admit the same rows.
 */

/** Read at every row: for tables of which a statement reads or writes few rows. */
export function closedByRow(tables: readonly string[]): string {
  return tables.map((table) => policy(table, 'may_see(organization_id)')).join('');
}

/** Read once for a statement: for tables of which one statement may write thousands of rows. */
export function closedByStatement(tables: readonly string[]): string {
  const condition = 'organization_id = any ((select visible_organizations())::text[])';
  return tables.map((table) => policy(table, condition)).join('');
}

function policy(table: string, condition: string): string {
  return /* sql */ `
  alter table ${table} enable row level security;
  create policy tenant on ${table} using (${condition});`;
}
