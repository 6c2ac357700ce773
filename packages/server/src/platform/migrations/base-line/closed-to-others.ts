/**
 * Row-level security for the tables of organizations: a session sees only rows of the organizations
 * in its setting. Both functions below allow the same rows and differ only in cost.
 */

/** Reads the setting for every row; for tables in which a statement reads or writes few rows. */
export function closedByRow(tables: readonly string[]): string {
  return tables.map((table) => policy(table, 'may_see(organization_id)')).join('');
}

/**
 * Reads the setting once per statement; for tables in which a statement may write thousands of
 * rows.
 */
export function closedByStatement(tables: readonly string[]): string {
  const condition = 'organization_id = any ((select visible_organizations())::text[])';
  return tables.map((table) => policy(table, condition)).join('');
}

function policy(table: string, condition: string): string {
  return /* sql */ `
  alter table ${table} enable row level security;
  create policy tenant on ${table} using (${condition});`;
}
